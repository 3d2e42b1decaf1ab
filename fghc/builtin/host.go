package builtin

import (
	"os"

	"whorl/fghc/syntax"
	"whorl/fghc/term"
	"whorl/fghc/world"
)

// HostCommands lists the commands of the streams of unix:unix and klicio:klicio. Results are 0, or -1 for an error; commands that open files
// return normal(Stream) or abnormal.
var HostCommands = []Command{
	{"stdin", "o", "stdin(R): R is normal(S), where S is a stream of the standard input", standard(world.Stdin)},
	{"stdout", "o", "stdout(R): R is normal(S), where S is a stream of the standard output", standard(world.Stdout)},
	{"stderr", "o", "stderr(R): R is normal(S), where S is a stream of the standard error output", standard(world.Stderr)},
	{"stdio", "o", "stdio(R): R is normal(S), where S is a stream that reads the standard input and writes the standard output", standard(world.Stdio)},
	{"read_open", "io", "read_open(F, R) opens the file named by the string F for reading; R is normal(S), or abnormal", opener("r")},
	{"write_open", "io", "write_open(F, R) creates or truncates the file F", opener("w")},
	{"append_open", "io", "append_open(F, R) opens the file F for appending", opener("a")},
	{"update_open", "io", "update_open(F, R) opens an existing file F for reading and writing", opener("r+")},
	{"string_input", "oi", "string_input(R, T): R is normal(S), where S is a stream that reads the string T", stringInput},
	{"string_output", "oo", "string_output(R, T): R is normal(S), where S is a stream; when it ends T is the string that has been written to it", stringOutput},
	{"cd", "io", "cd(F, R) changes the folder that file names are relative to; R is 0, or -1", onPath(func(w *world.World, path string) error { return w.Enter(path) })},
	{"unlink", "io", "unlink(F, R) removes a file; R is 0, or -1", onPath(func(w *world.World, path string) error {
		path, err := w.Path(path)
		if err != nil {
			return err
		}
		return os.Remove(path)
	})},
	{"access", "iio", "access(F, M, R): R is 0 if the file F may be read (M is 4), written (2) or executed (1), or exists (0), otherwise -1", access},
	{"chmod", "iio", "chmod(F, M, R) gives the file F the permissions M, a number such as 8'644; R is 0, or -1", chmod},
	{"umask", "o", "umask(M): M is the program's file mode mask", umask},
	{"umask", "oi", "umask(M, N) replaces the program's file mode mask M by N", umask},
	{"mktemp", "io", "mktemp(T, F) creates an empty file that only the user may read; its name F is the string T with six digits; F is -1 on failure", mktemp},
	{"getenv", "io", "getenv(N, V): V is the value of the environment variable N, a string, or 0", getenv},
	{"putenv", "io", `putenv(S, R) changes the environment of the program and its commands with the string S, "NAME=value"; "NAME" removes the variable; R is 0, or -1`, putenv},
	{"kill", "iio", "kill(P, S, R) sends the signal S to the process P; R is 0, or -1", kill},
	{"fork", "o", "an error, because a program that runs on threads cannot be duplicated", fork},
	{"fork_with_pipes", "o", "as fork", fork},
	{"pipe", "o", "pipe(R): R is normal(I, O), where I and O are streams that read and write a pipe, or abnormal", pipe},
	{"connect", "to", `connect(A, R) connects to the address A: unix(Path), inet("host", Port) or inet({B,B,B,B}, Port); R is normal(S), where S is a stream that reads and writes, or abnormal`, connect(1)},
	{"connect2", "to", "connect2(A, R), as connect; R is normal(I, O), where I and O are streams that read and write", connect(2)},
	{"bind", "to", "bind(A, R) binds a socket to the address A: unix(Path) or inet(Port); R is normal(S), where S is a stream of the bound socket, or abnormal", bind},
	{"signal_stream", "io", "signal_stream(N, R): R is normal(Ns), where Ns is a stream of the number N, once for each signal N that the process gets", signalStream},
	{"system", "io", "system(C, R) runs the command line C in a shell; R is 256 times its exit status, or -1", system},
	{"sync", "o", "sync(R): R is 0 when all earlier commands have been executed", done},
}

// standard returns a command with the argument (stream), which opens a stream of a standard file.
func standard(handle int) func(s *service, a []term.Word) Verdict {
	return func(s *service, a []term.Word) Verdict {
		return s.open(a[0], func() (int, error) { return s.World().Standard(handle), nil })
	}
}

// opener returns a command with the arguments (name, stream), which opens a file.
func opener(mode string) func(s *service, a []term.Word) Verdict {
	return func(s *service, a []term.Word) Verdict {
		name, ok := Text(s, a[0])
		if !ok {
			return s.bad(a[0], "opening a file", "its name, a string")
		}
		return s.open(a[1], func() (int, error) {
			f, err := s.World().OpenAs(string(name), mode)
			if err != nil {
				return 0, err
			}
			return s.World().Register(f), nil
		})
	}
}

// open answers normal(Stream) and forks a goal that serves the stream, or answers abnormal.
func (s *service) open(to term.Word, open func() (handle int, err error)) Verdict {
	return s.openAll(to, 1, func() ([]int, error) {
		handle, err := open()
		return []int{handle}, err
	})
}

// openAll answers normal with n streams and forks the goals that serve them, or answers abnormal. It allocates before it opens files, because a
// builtin that runs out of memory runs again.
func (s *service) openAll(to term.Word, n int, open func() (handles []int, err error)) Verdict {
	streams, boxes, goals := make([]term.Word, n), make([]term.Word, n), make([][]term.Word, n)
	for k := range streams {
		streams[k] = s.NewVar()
		boxes[k] = newStream(s, s.Alloc(streamWords), streams[k], host)
		goals[k] = append(append([]term.Word{}, s.args[:len(s.args)-1]...), boxes[k])
	}
	result := newStructure(s, term.MakeAtom(s.Symbols().Atom("normal")), streams)
	s.Fork(goals...)
	handles, err := open()
	for k, box := range boxes {
		if err != nil {
			s.Store(box.Index()+streamCommands, term.Nil)
		} else {
			s.Store(box.Index()+streamHandle, term.MakeInt(int64(handles[k])))
		}
	}
	if err != nil {
		result = term.MakeAtom(s.Symbols().Atom("abnormal"))
	}
	return s.answer(to, result)
}

// onPath returns a command with the arguments (name, status).
func onPath(do func(w *world.World, path string) error) func(s *service, a []term.Word) Verdict {
	return func(s *service, a []term.Word) Verdict {
		name, ok := Text(s, a[0])
		if !ok {
			return s.bad(a[0], "a file command", "the name of a file, a string")
		}
		return s.answerStatus(a[1], do(s.World(), string(name)))
	}
}

// access has the arguments (name, mode, status). The mode is a sum of 4 (read), 2 (write) and 1 (execute), or 0 for existence.
func access(s *service, a []term.Word) Verdict {
	name, ok := Text(s, a[0])
	if !ok || a[1].Tag() != term.Int {
		return s.bad(a[0], "access", "the name of a file, a string, and a number")
	}
	path, err := s.World().Path(string(name))
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
	return s.answerStatus(a[2], err)
}

// hostStream opens the stream of unix:unix and klicio:klicio.
func hostStream(Context, []term.Word) (int, Verdict) { return host, Yes }

// standardStream opens the stream of a standard file.
func standardStream(handle int) func(c Context, args []term.Word) (int, Verdict) {
	return func(c Context, _ []term.Word) (int, Verdict) { return c.World().Standard(handle), Yes }
}

// fileStream opens the stream of a file. The builtin has the arguments (name, stream).
func fileStream(mode string) func(c Context, args []term.Word) (int, Verdict) {
	return func(c Context, args []term.Word) (int, Verdict) {
		name, ok := Text(c, args[0])
		if !ok {
			return 0, c.Fault(0, "the name of a file, a string")
		}
		f, err := c.World().OpenAs(string(name), mode)
		if err != nil {
			return 0, c.Fault(-1, "cannot open %s: %v", c.Show(args[0]), err)
		}
		return c.World().Register(f), Yes
	}
}

// printLine has the argument (term). It prints the current value, with _ for unbound variables, and a newline.
func printLine(c Context, args []term.Word) Verdict {
	b, _ := textOf(c, args[0], bare, syntax.Streams)
	c.World().File(world.Stdout).Out.Put(append(b, '\n'))
	return Yes
}

// printOnly has the arguments (term, done).
func printOnly(c Context, args []term.Word) Verdict {
	b, _ := textOf(c, args[0], bare, syntax.Streams)
	c.World().File(world.Stdout).Out.Put(b)
	args[1] = term.Nil
	return Yes
}

// printString has the arguments (term, string).
func printString(c Context, args []term.Word) Verdict {
	b, _ := textOf(c, args[0], quoted, syntax.Standard)
	args[1] = NewString(c, b)
	return Yes
}

// printByte has the arguments (character, done).
func printByte(c Context, args []term.Word) Verdict {
	if !isByte(args[0]) {
		return c.Fault(0, "a character from 0 to 255")
	}
	c.World().File(world.Stdout).Out.Put([]byte{byte(args[0].Value())})
	args[1] = term.Nil
	return Yes
}

// argCount has the argument (number of arguments).
func argCount(c Context, args []term.Word) Verdict {
	args[0] = term.MakeInt(int64(len(c.World().Args)))
	return Yes
}

// argList has the argument (list of the arguments, strings).
func argList(c Context, args []term.Word) Verdict {
	b := &builder{c: c}
	var all []term.Word
	for _, a := range c.World().Args {
		all = append(all, NewString(c, a))
	}
	args[0] = b.list(all, term.Nil)
	return Yes
}

// exit has the argument (status).
func exit(c Context, args []term.Word) Verdict {
	if args[0].Tag() != term.Int {
		return c.Fault(0, "an integer")
	}
	return end(c, args[0].Value())
}

// end ends the run with an exit status modulo 256. The run ends as with an error, but World.Exited reports that it is none.
func end(c Context, status int64) Verdict {
	c.World().Exit(uint8(status))
	return c.Fault(-1, "the program ends with status %d", uint8(status))
}

// times has the arguments (running time in ms, 0, 0, 0).
func times(c Context, args []term.Word) Verdict {
	args[0] = term.MakeInt(c.World().Elapsed().Milliseconds())
	for k := 1; k < 4; k++ {
		args[k] = term.MakeInt(0)
	}
	return Yes
}

// currentPriority has the argument (priority of the current goal).
func currentPriority(c Context, args []term.Word) Verdict {
	args[0] = term.MakeInt(c.Priority())
	return Yes
}
