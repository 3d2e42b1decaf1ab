package builtin

import (
	"os"

	"whorl/fghc/term"
)

// HostCommands are what the streams of unix:unix and klicio:klicio know. Results are 0, or -1 for an error; what is opened is
// normal(Stream), or abnormal.
var HostCommands = []Command{
	{"stdin", "o", "stdin(R): R is normal(S), and S a stream of the standard input", standard(stdin)},
	{"stdout", "o", "stdout(R): R is normal(S), and S a stream of the standard output", standard(stdout)},
	{"stderr", "o", "stderr(R): R is normal(S), and S a stream of the standard error output", standard(stderr)},
	{"stdio", "o", "stdio(R): R is normal(S), and S a stream that reads the standard input and writes the standard output", standard(stdio)},
	{"read_open", "io", "read_open(F, R) opens the file of the name F, a string; R is normal(S), or abnormal", opener("r")},
	{"write_open", "io", "write_open(F, R) makes the file anew", opener("w")},
	{"append_open", "io", "append_open(F, R) writes behind what is there", opener("a")},
	{"update_open", "io", "update_open(F, R) reads and writes a file that is there", opener("r+")},
	{"cd", "io", "cd(F, R): names of files begin in the folder F; R is 0, or -1", onPath(func(w *World, path string) error { return w.enter(path) })},
	{"unlink", "io", "unlink(F, R) removes a file; R is 0, or -1", onPath(func(w *World, path string) error {
		path, err := w.path(path)
		if err != nil {
			return err
		}
		return os.Remove(path)
	})},
	{"access", "iio", "access(F, M, R): R is 0 when the file may be read (M is 4), written (2), run (1) or is there (0), else -1", access},
	{"getenv", "io", "getenv(N, V): V is the value of the variable N of the environment, a string, or 0", getenv},
	{"system", "io", "system(C, R) has a shell carry out the command line C; R is 256 times its exit status, or -1", system},
	{"sync", "o", "sync(R): R is 0 when all before it has been done", done},
}

// standard hands back a stream of a file that is always open.
func standard(handle int) func(s *service, a []term.Word) Verdict {
	return func(s *service, a []term.Word) Verdict {
		return s.open(a[0], func() (int, error) { return handle, nil })
	}
}

// opener is (name, stream).
func opener(mode string) func(s *service, a []term.Word) Verdict {
	return func(s *service, a []term.Word) Verdict {
		name, ok := Text(s, a[0])
		if !ok {
			return s.bad(a[0], "opening a file", "its name, a string")
		}
		return s.open(a[1], func() (int, error) {
			f, err := openFile(s.World(), string(name), mode)
			if err != nil {
				return 0, err
			}
			return s.World().keep(f), nil
		})
	}
}

// open hands back normal(Stream), and makes a goal that serves the stream; or abnormal. What takes memory comes first, since a builtin that
// runs out of it is run again.
func (s *service) open(to term.Word, open func() (handle int, err error)) Verdict {
	stream := s.NewVar()
	result := newStructure(s, term.MakeAtom(s.Symbols().Atom("normal")), []term.Word{stream})
	box := newStream(s, s.Alloc(streamWords), stream, host)
	goal := append(append([]term.Word{}, s.args[:len(s.args)-1]...), box)
	s.Fork(goal)
	handle, err := open()
	if err != nil {
		s.Store(box.Index()+streamCommands, term.Nil)
		return s.give(to, term.MakeAtom(s.Symbols().Atom("abnormal")))
	}
	s.Store(box.Index()+streamHandle, term.MakeInt(int64(handle)))
	return s.give(to, result)
}

// onPath is (name, status).
func onPath(do func(w *World, path string) error) func(s *service, a []term.Word) Verdict {
	return func(s *service, a []term.Word) Verdict {
		name, ok := Text(s, a[0])
		if !ok {
			return s.bad(a[0], "a command on files", "the name of one, a string")
		}
		return s.giveStatus(a[1], do(s.World(), string(name)))
	}
}

// access is (name, what for, status): 4 to read it, 2 to write it, 1 to run it, or a sum of these; 0 asks whether it is there.
func access(s *service, a []term.Word) Verdict {
	name, ok := Text(s, a[0])
	if !ok || a[1].Tag() != term.Int {
		return s.bad(a[0], "access", "the name of a file, a string, and a number")
	}
	path, err := s.World().path(string(name))
	if err == nil {
		var info os.FileInfo
		if info, err = os.Stat(path); err == nil {
			for _, bit := range []os.FileMode{4, 2, 1} {
				if m := info.Mode().Perm(); os.FileMode(a[1].Value())&bit != 0 && m&(bit|bit<<3|bit<<6) == 0 {
					err = os.ErrPermission
				}
			}
		}
	}
	return s.giveStatus(a[2], err)
}

// getenv is (name, value): 0 where there is none.
func getenv(s *service, a []term.Word) Verdict {
	name, ok := Text(s, a[0])
	if !ok {
		return s.bad(a[0], "getenv", "the name of a variable, a string")
	}
	if value, ok := os.LookupEnv(string(name)); ok && s.World().Files {
		return s.give(a[1], NewString(s, value))
	}
	return s.giveInt(a[1], 0)
}

// system is (command line, status as wait(2) has it).
func system(s *service, a []term.Word) Verdict {
	line, ok := Text(s, a[0])
	if !ok {
		return s.bad(a[0], "system", "a command line, a string")
	}
	return s.giveInt(a[1], s.World().system(string(line)))
}

// hostStream opens the stream of unix:unix and klicio:klicio.
func hostStream(Context, []term.Word) (int, Verdict) { return host, Yes }

// standardStream opens the stream of a file that is always open.
func standardStream(handle int) func(c Context, args []term.Word) (int, Verdict) {
	return func(Context, []term.Word) (int, Verdict) { return handle, Yes }
}

// fileStream opens the stream of a file: (name, stream).
func fileStream(mode string) func(c Context, args []term.Word) (int, Verdict) {
	return func(c Context, args []term.Word) (int, Verdict) {
		name, ok := Text(c, args[0])
		if !ok {
			return 0, c.Fault(0, "the name of a file, a string")
		}
		f, err := openFile(c.World(), string(name), mode)
		if err != nil {
			return 0, c.Fault(-1, "%s cannot be opened: %v", c.Show(args[0]), err)
		}
		return c.World().keep(f), Yes
	}
}

// printLine is (term): it is printed as it is now, with _ for what is unbound, on a line of its own.
func printLine(c Context, args []term.Word) Verdict {
	b := append(textOf(c, args[0], true), '\n')
	c.World().file(stdout).out.write(b)
	return Yes
}

// printOnly is (term, [] when it has been printed).
func printOnly(c Context, args []term.Word) Verdict {
	c.World().file(stdout).out.write(textOf(c, args[0], true))
	args[1] = term.Nil
	return Yes
}

// printByte is (character, [] when it has been printed).
func printByte(c Context, args []term.Word) Verdict {
	if !isByte(args[0]) {
		return c.Fault(0, "a character from 0 to 255")
	}
	c.World().file(stdout).out.write([]byte{byte(args[0].Value())})
	args[1] = term.Nil
	return Yes
}

// argCount is (number of arguments).
func argCount(c Context, args []term.Word) Verdict {
	args[0] = term.MakeInt(int64(len(c.World().Args)))
	return Yes
}

// argList is (list of the arguments, strings).
func argList(c Context, args []term.Word) Verdict {
	b := &builder{c: c}
	var all []term.Word
	for _, a := range c.World().Args {
		all = append(all, NewString(c, a))
	}
	args[0] = b.list(all, term.Nil)
	return Yes
}

// exit is (status). The run ends as with an error; World.Exited tells that it is none.
func exit(c Context, args []term.Word) Verdict {
	if args[0].Tag() != term.Int {
		return c.Fault(0, "an integer")
	}
	status := uint8(args[0].Value())
	c.World().exit(status)
	return c.Fault(-1, "the program ends with status %d", status)
}

// times is (ms that the program has run, 0, 0, 0).
func times(c Context, args []term.Word) Verdict {
	args[0] = term.MakeInt(c.World().now().Milliseconds())
	for k := 1; k < 4; k++ {
		args[k] = term.MakeInt(0)
	}
	return Yes
}

// currentPriority is (priority of the goal that asks).
func currentPriority(c Context, args []term.Word) Verdict {
	args[0] = term.MakeInt(c.Priority())
	return Yes
}
