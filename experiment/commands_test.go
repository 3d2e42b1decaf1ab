package experiment

import (
	"bytes"
	"strings"
	"testing"

	"whorl/fghc/system"
	"whorl/testdata/must"
)

// command runs a program that executes goals, and returns its output and its error.
func command(t *testing.T, mode Mode, goals string, w World) (string, error) {
	t.Helper()
	r := Run{
		Program: "c.kl1", Text: ":- module main.\nmain :- " + goals + ".\n", PEs: 1, Mode: mode, Policy: "on-demand", Machine: "symmetry",
	}
	p := must.Get(r.Resolve())(t)
	var out bytes.Buffer
	w.Stdout = &out
	p.World = w
	result := must.Get(p.Run(t.Context(), nil, nil))(t)
	return out.String(), result.Err
}

// TestWrongArguments calls commands with arguments of the wrong type or value.
func TestWrongArguments(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{"mktemp(1, _)", "mktemp with 1; expected the beginning of a file name, a string"},
		{"chmod(a, 0, _)", "chmod with a; expected the name of a file, a string"},
		{`chmod("a", 512, _)`, "chmod with 512; expected a mode from 0 to 8'777"},
		{"umask(_, -1)", "umask with -1; expected a mask from 0 to 8'777"},
		{"getenv(a, _)", "getenv with a; expected the name of a variable, a string"},
		{"putenv(a, _)", `putenv with a; expected a string such as "NAME=value"`},
		{"system(a, _)", "system with a; expected a command line, a string"},
		{"kill(a, 1, _)", "kill with a; expected the number of a process"},
		{"kill(1, a, _)", "kill with a; expected the number of a signal"},
		{"fork_with_pipes(_)", "a program that runs on threads cannot be duplicated"},
		{"signal_stream(a, _)", "signal_stream with a; expected the number of a signal"},
		{"bind(inet(70000), _)", "bind with inet(70000); expected unix(Path) or inet(Port), a port from 0 to 65535"},
		{"bind(a, _)", "bind with a; expected"},
		{`bind(inet("a", 1), _)`, "bind with"},
		{`connect(inet("localhost", 70000), _)`, `expected unix(Path), inet("host", Port) or inet({127,0,0,1}, Port), a port from 0 to 65535`},
		{`connect(inet({1,2,3}, 1), _)`, "connect with"},
		{`connect(inet({1,2,3,256}, 1), _)`, "connect with"},
		{`connect(inet("", 1), _)`, "connect with"},
		{`connect(unix(a), _)`, "connect with"},
		{`string_input(_, a)`, "string_input with a; expected a string"},
		{`string_output(normal([addop(1, fx, 1)]), _)`, "addop with 1; expected an atom"},
		{`string_output(normal([addop(a, fxy, 1)]), _)`, "addop with fxy; expected a type of operators: fx, fy, xfx, xfy, yfx, xf or yf"},
		{`string_output(normal([addop(a, 1, 1)]), _)`, "addop with 1; expected a type of operators"},
		{`string_output(normal([addop(a, fx, 1201)]), _)`, "addop with 1201; expected a priority from 1 to 1200"},
		{`string_output(normal([rmop(a, f)]), _)`, "rmop with f; expected a type of operators"},
		{`string_output(normal([operators(a)]), _)`, "operators with a; expected ops(Prefix, Infix, Postfix)"},
		{`string_output(normal([operators(ops([op(a,b,1)],[],[]))]), _)`, "operators with b; expected a type of operators"},
		{`string_output(normal([on_error(1)]), _)`, "on_error with 1; expected 0, or a negative exit status"},
		{`string_output(normal([putwt(variable(a))]), _)`, "putwt with a; expected a wrapped term"},
		{`string_output(normal([putwt(variable(""))]), _)`, "putwt with"},
		{`string_output(normal([putc(300)]), _)`, "putc with 300; expected a character from 0 to 255"},
		{`string_output(normal([fwrite(a)]), _)`, "fwrite with a; expected a string"},
		{`string_output(normal([getc(_)]), _)`, "string cannot be read"},
		{`string_output(normal([linecount(_)]), _)`, "string cannot be read"},
		{`string_output(normal([ungetc(1)]), _)`, "string cannot be read"},
		{`string_input(normal([putc(1)]), "")`, "string cannot be written to"},
		{`string_input(normal([ungetc(300)]), "")`, "ungetc with 300; expected a character from 0 to 255"},
		{`string_input(normal([fseek(a, 0, _)]), "")`, "fseek with a; expected an integer"},
	} {
		for _, mode := range []Mode{Sim, Live} {
			if _, err := command(t, mode, "klicio:klicio(["+c.command+"])", World{Files: true, System: system.Sockets{}}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: %v\nexpected %s", c.command, mode, err, c.want)
			}
		}
	}
}

// TestWithoutSystem runs commands without access to files, processes, sockets and signals, as in the browser.
func TestWithoutSystem(t *testing.T) {
	const show = "klicio:klicio([%, stdout(normal(O))]), O = [putt(R), nl]"
	for _, c := range []struct{ command, out, err string }{
		{`mktemp("a", R)`, "-1\n", ""},
		{`chmod("a", 0, R)`, "-1\n", ""},
		{`getenv("HOME", R)`, "0\n", ""},
		{`putenv("A=b", R)`, "-1\n", ""},
		{`system("true", R)`, "-1\n", ""},
		{`kill(0, 0, R)`, "-1\n", ""},
		{`pipe(R)`, "abnormal\n", ""},
		{`read_open("/etc/passwd", R)`, "abnormal\n", ""},
		{`connect(inet("localhost", 1), R)`, "", "this run has no sockets and signals"},
		{`bind(inet(1), R)`, "", "this run has no sockets and signals"},
		{`signal_stream(1, R)`, "", "this run has no sockets and signals"},
	} {
		out, err := command(t, Sim, strings.ReplaceAll(show, "%", c.command), World{})
		if out != c.out || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %q, %v", c.command, out, err)
		}
	}
}

// TestRandomArguments makes streams of random numbers whose arguments come late, or are wrong.
func TestRandomArguments(t *testing.T) {
	for _, c := range []struct{ goals, out, err string }{
		{"generic:new(random_numbers, S, N, X), X = 42, N := 3 + 3, S = [A,B|_], C := A * 10 + B, io:outstream([putt(C), nl])", "40\n", ""},
		{"generic:new(random_numbers, S, 0), S = [_|_]", "", "argument 3 is 0"},
		{"generic:new(random_numbers, S, a), S = [_|_]", "", "argument 3 is a"},
		{"generic:new(random_numbers, S, 2, a), S = [_|_]", "", "argument 4 is a"},
		{"generic:new(random_numbers, a, 2)", "", "argument 2 is a"},
	} {
		for _, mode := range []Mode{Sim, Live} {
			out, err := command(t, mode, c.goals, World{})
			if c.err == "" && out != c.out || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s, %s: %q, %v\nexpected %q, %q", c.goals, mode, out, err, c.out, c.err)
			}
		}
	}
}
