package builtin

import (
	"os"

	"whorl/fghc/term"
	"whorl/fghc/world"
)

// mktemp has the arguments (template, name).
func mktemp(s *service, a []term.Word) Verdict {
	template, ok := Text(s, a[0])
	if !ok {
		return s.bad(a[0], "mktemp", "the beginning of a file name, a string")
	}
	name, err := s.World().Temporary(string(template))
	if err != nil {
		return s.answerInt(a[1], -1)
	}
	return s.answer(a[1], NewString(s, name))
}

// chmod has the arguments (name, mode, status).
func chmod(s *service, a []term.Word) Verdict {
	name, ok := Text(s, a[0])
	if !ok {
		return s.bad(a[0], "chmod", "the name of a file, a string")
	}
	mode := a[1]
	if mode.Tag() != term.Int || mode.Value() < 0 || mode.Value() > world.Permissions {
		return s.bad(mode, "chmod", "a mode from 0 to 8'777")
	}
	path, err := s.World().Path(string(name))
	if err == nil {
		err = os.Chmod(path, os.FileMode(mode.Value()))
	}
	return s.answerStatus(a[2], err)
}

// umask has the arguments (old mask) or (old mask, new mask).
func umask(s *service, a []term.Word) Verdict {
	mask := int64(-1)
	if len(a) == 2 {
		if a[1].Tag() != term.Int || a[1].Value() < 0 || a[1].Value() > world.Permissions {
			return s.bad(a[1], "umask", "a mask from 0 to 8'777")
		}
		mask = a[1].Value()
	}
	return s.answerInt(a[0], s.World().Umask(mask))
}

// getenv has the arguments (name, value). The value is 0 for an unset variable.
func getenv(s *service, a []term.Word) Verdict {
	name, ok := Text(s, a[0])
	if !ok {
		return s.bad(a[0], "getenv", "the name of a variable, a string")
	}
	if value, ok := s.World().Getenv(string(name)); ok {
		return s.answer(a[1], NewString(s, value))
	}
	return s.answerInt(a[1], 0)
}

// putenv has the arguments (entry, status).
func putenv(s *service, a []term.Word) Verdict {
	entry, ok := Text(s, a[0])
	if !ok {
		return s.bad(a[0], "putenv", `a string such as "NAME=value"`)
	}
	return s.answerStatus(a[1], s.World().Putenv(string(entry)))
}

// system has the arguments (command line, status as of wait(2)).
func system(s *service, a []term.Word) Verdict {
	line, ok := Text(s, a[0])
	if !ok {
		return s.bad(a[0], "system", "a command line, a string")
	}
	return s.answerInt(a[1], s.World().Shell(string(line)))
}

// kill has the arguments (process, signal, status).
func kill(s *service, a []term.Word) Verdict {
	for k, want := range []string{"the number of a process", "the number of a signal"} {
		if a[k].Tag() != term.Int {
			return s.bad(a[k], "kill", want)
		}
	}
	return s.answerStatus(a[2], s.World().Kill(a[0].Value(), a[1].Value()))
}

// pipe has the argument (normal(stream to read, stream to write)).
func pipe(s *service, a []term.Word) Verdict {
	return s.openAll(a[0], 2, func() ([]int, error) {
		in, out, err := s.World().Pipe()
		if err != nil {
			return nil, err
		}
		return []int{s.World().Register(in), s.World().Register(out)}, nil
	})
}

// fork reports an error, because the operating system can duplicate only the thread that calls it.
func fork(s *service, _ []term.Word) Verdict {
	return s.Fault(-1, "a program that runs on threads cannot be duplicated; use system to run another program")
}
