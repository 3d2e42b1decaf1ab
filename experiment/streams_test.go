package experiment

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whorl/fghc/system"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
)

// A conversation holds the comments of a file of testdata/streams: %$ is an argument, %< a line of input, %> a line of output, %e the beginning
// of a line of the error output, %! a part of the error, and %setups the number of setups in which the program runs.
type conversation struct {
	text     string
	argv     []string
	in, want string
	wrong    []string // the beginnings of lines of the error output
	err      string
	setups   int
}

func readConversation(t *testing.T, path string) (c conversation) {
	text := must.Get(os.ReadFile(path))(t)
	c.text, c.setups = string(text), 100
	for _, line := range strings.Split(c.text, "\n") {
		if len(line) < 3 || line[0] != '%' {
			continue
		}
		rest := strings.TrimPrefix(line[2:], " ")
		switch line[1] {
		case '$':
			c.argv = append(c.argv, strings.ReplaceAll(rest, "DIR", t.TempDir()))
		case '<':
			c.in += rest + "\n"
		case '>':
			c.want += rest + "\n"
		case 'e':
			c.wrong = append(c.wrong, rest)
		case '!':
			c.err = rest
		case 's':
			fmt.Sscanf(line, "%%setups %d", &c.setups)
		}
	}
	return c
}

// A slowly reader returns a text in small pieces, with pauses.
type slowly struct{ text string }

func (s *slowly) Read(b []byte) (int, error) {
	time.Sleep(time.Millisecond)
	n := copy(b[:min(len(b), 7)], s.text)
	s.text = s.text[n:]
	if n == 0 {
		return 0, os.ErrClosed
	}
	return n, nil
}

// TestStreams runs the programs of testdata/streams, in simulation and on real cores.
func TestStreams(t *testing.T) {
	files, err := filepath.Glob("testdata/streams/*.kl1")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	setups := []Run{
		{PEs: 1, Policy: "on-demand", Machine: "symmetry"},
		{PEs: 1, Mode: Live, Policy: "on-demand", Machine: "symmetry"},
		{PEs: 4, Policy: "random", Machine: "symmetry", Network: "all", Seed: 3},
		{PEs: 3, Policy: "steal", Machine: "symmetry", Network: "mesh2d", Seed: 4},
		{PEs: 5, Policy: "breadth-first", Machine: "symmetry", Network: "bus", Seed: 5},
		{PEs: 4, Mode: Live, Policy: "random", Machine: "symmetry", Seed: 6},
		{PEs: 3, Mode: Live, Policy: "steal-half", Machine: "symmetry", Seed: 7},
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".kl1"), func(t *testing.T) {
			t.Parallel()
			c := readConversation(t, file)
			for i, r := range setups {
				if i >= 2*c.setups {
					break
				}
				if testenv.Race && r.Mode != Live { // the simulation has no races
					continue
				}
				r.Program, r.Text, r.Argv = filepath.Base(file), c.text, c.argv
				out, wrong, err := converse(t, r, &slowly{c.in})
				if out != c.want {
					t.Errorf("setup %d: %q\nexpected %q", i, out, c.want)
				}
				for _, want := range c.wrong {
					if !strings.Contains("\n"+wrong, "\n"+want) {
						t.Errorf("setup %d: %q\nexpected %q", i, wrong, want)
					}
				}
				if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
					t.Errorf("setup %d: error %v\nexpected %q", i, err, c.err)
				}
			}
		})
	}
}

// converse runs a program and returns what it writes to its output and its error output.
func converse(t *testing.T, r Run, in *slowly) (string, string, error) {
	t.Helper()
	p := must.Get(r.Resolve())(t)
	var out, wrong bytes.Buffer
	p.World = World{Stdin: in, Stdout: &out, Stderr: &wrong, Files: true, System: system.Sockets{}}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	rec := tracer.NewMemory()
	result := must.Get(p.Run(ctx, rec, nil))(t)
	must.Do(t, rec.Close())
	must.Do(t, rec.Scan(tracer.Kinds(tracer.Exit), func(events []tracer.Event) error {
		for _, e := range events {
			if e.Value != int64(result.Outcome) {
				t.Errorf("the trace ends as %v, the run as %v", tracer.Outcome(e.Value), result.Outcome)
			}
		}
		return nil
	}))
	return out.String(), wrong.String(), result.Err
}

const asks = `
:- module main.
main :- klicio:klicio([stdin(normal(I)), stdout(normal(O))]), I = [getl(X)|I1], O = [fwrite("name? ")|O1], answer(X, I1, O1), work(30000).
answer(X, I, O) :- string(X, _, _) | I = [], O = [fwrite("hello "), fwrite(X), nl].
work(0).
work(N) :- N > 0 | waste([1,2,3,4,5,6,7,8], N).
waste([_|_], N) :- M := N-1, work(M).
`

// TestWaitingForInput runs a program that waits for input. Its earlier output is written, it is not in a deadlock, it continues when input arrives,
// and it can be interrupted.
func TestWaitingForInput(t *testing.T) {
	for _, mode := range []Mode{Sim, Live} {
		r := Run{Program: "asks.kl1", Text: asks, PEs: 2, Mode: mode, Policy: "steal", Machine: "symmetry", Seed: 1}
		p := must.Get(r.Resolve())(t)
		var result *Result
		begin := func(ctx context.Context) (in, out *os.File, done chan struct{}) {
			stdin, in, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			out, stdout, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			p.World = World{Stdin: stdin, Stdout: stdout}
			done = make(chan struct{})
			go func() {
				result, _ = p.Run(ctx, nil, nil)
				stdout.Close()
				close(done)
			}()
			b := make([]byte, 6)
			if _, err := io.ReadFull(out, b); err != nil || string(b) != "name? " {
				t.Fatalf("%s: %q, %v", mode, b, err)
			}
			return in, out, done
		}

		in, out, done := begin(t.Context())
		time.Sleep(20 * time.Millisecond)
		in.WriteString("Ueda\n")
		said, _ := io.ReadAll(out)
		<-done
		if string(said) != "hello Ueda\n" || result.Outcome != tracer.Done {
			t.Errorf("%s: %q, %v: %v", mode, said, result.Outcome, result.Err)
		}
		in.Close()

		ctx, cancel := context.WithCancel(t.Context())
		in, _, done = begin(ctx)
		cancel()
		<-done
		if result.Outcome != tracer.Interrupted {
			t.Errorf("%s: %v: %v", mode, result.Outcome, result.Err)
		}
		in.Close()
	}
}
