package emulator

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/fghc/report"
	"whorl/fghc/testdata/programs"
	"whorl/fghc/world"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

// server has clients that share its input through a merger, and answers them through variables in the messages.
const server = `
:- module main.
main(C, N) :- clients(C, N, Req, Sums), merge(Req, In), server(In, 0, Last), add(Sums, 0, All), report(All, Last).
clients(0, _, Req, Sums) :- Req = {}, Sums = [].
clients(C, N, Req, Sums) :- C > 0 | Req = {R,Req1}, client(N, R, 0, S)@node(C), Sums = [S|Sums1], C1 := C-1, clients(C1, N, Req1, Sums1).
client(0, R, A, S) :- R = [], S = A.
client(N, R, A, S) :- N > 0 | R = [up(X)|R1], N1 := N-1, told(X, N1, R1, A, S).
told(X, N, R, A, S) :- integer(X) | A1 := A+1, client(N, R, A1, S).
server([], C, Last) :- Last = C.
server([up(X)|In], C, Last) :- X = C, C1 := C+1, server(In, C1, Last).
add([], A, S) :- S = A.
add([X|Xs], A, S) :- A1 := A+X, add(Xs, A1, S).
report(All, Last) :- wait(Last) | io:outstream([print(All), 32, print(Last), nl]).
`

// Ten million reductions around a merger take no more memory than a few: messages that have been read are freed, as are
// their readers.
func TestServerInBoundedMemory(t *testing.T) {
	const clients, most = 8, 1 << 22
	for _, c := range []struct{ pes, messages int }{{1, 400_000}, {2, 20_000}} {
		if testenv.Race {
			c.messages /= 20
		}
		prog, q := prepare(t, server, fmt.Sprintf("main(%d, %d)", clients, c.messages))
		var out bytes.Buffer
		m := must.Get(New(prog, q, Options{PEs: c.pes, Policy: named(t, "steal"), MaxWords: most, World: &world.World{Stdout: &out}}))(t)
		if err := m.Run(t.Context()); err != nil {
			t.Fatalf("%d PEs: %v", c.pes, err)
		}
		must.Do(t, m.opts.World.Close())
		n := clients * c.messages
		if want := fmt.Sprintf("%d %d\n", n, n); out.String() != want {
			t.Errorf("%d PEs: %q, expected %q", c.pes, out.String(), want)
		}
		s := m.Stats()
		if want := int64(3*n + 3*clients + 5); s.Reductions != want {
			t.Errorf("%d PEs: %d reductions, expected %d", c.pes, s.Reductions, want)
		}
		if used := len(m.arena) + len(m.spare) + len(m.goals); used > most || s.Collections < 2 && !testenv.Race {
			t.Errorf("%d PEs: %d words after %d collections, expected at most %d", c.pes, used, s.Collections, most)
		}
	}
}

// A PE takes goals of the highest priority, also when they become ready while it reduces others.
func TestPriorities(t *testing.T) {
	text := `
:- module main.
main :- low(3)@priority(1), high(X, 2)@priority(9), middle(2, X)@priority(5), top.
top :- builtin:print(top).
low(0).
low(N) :- N > 0 | builtin:print(low(N)), M := N-1, low(M).
middle(0, X) :- X = go, after.
middle(N, X) :- N > 0 | builtin:print(middle(N)), M := N-1, middle(M, X).
after :- builtin:print(after).
high(go, N) :- more(N).
more(0).
more(N) :- N > 0 | builtin:print(high(N)), M := N-1, more(M)@lower_priority.
`
	const want = "top\nmiddle(2)\nmiddle(1)\nhigh(2)\nhigh(1)\nafter\nlow(3)\nlow(2)\nlow(1)\n"
	prog, q := prepare(t, text, "main")
	for _, policy := range []string{"on-demand", "steal", "breadth-first", "round-robin"} {
		for _, collect := range []bool{false, true} {
			var out bytes.Buffer
			m := must.Get(New(prog, q, Options{Policy: named(t, policy), Collect: collect, World: &world.World{Stdout: &out}}))(t)
			must.Do(t, m.Run(t.Context()))
			m.opts.World.Close()
			if out.String() != want {
				t.Errorf("%s: %q\nexpected %q", policy, out.String(), want)
			}
		}
	}
}

// pieces is a reader that returns a text a few bytes at a time.
type pieces struct{ text string }

func (p *pieces) Read(b []byte) (int, error) {
	if p.text == "" {
		return 0, io.EOF
	}
	time.Sleep(200 * time.Microsecond)
	n := copy(b[:min(len(b), 3)], p.text)
	p.text = p.text[n:]
	return n, nil
}

// A goal that waits for input survives all collections.
func TestInputAndCollections(t *testing.T) {
	text := `
:- module main.
main(N) :- klicio:klicio([stdin(normal(I)), stdout(normal(O))]), read(I, O), loop(N).
read(I, O) :- I = [gett(X)|I1], next(X, I1, O).
next(end_of_file, I, O) :- I = [], O = [].
otherwise.
next(X, I, O) :- O = [putt(X), nl|O1], read(I, O1).
loop(0).
loop(N) :- N > 0 | waste([1,2,3,4,5,6,7,8], N).
waste([_|_], N) :- M := N-1, loop(M).
`
	prog, q := prepare(t, text, "main(3000)")
	in := strings.Repeat("f(a, [1,2]).\n", 20)
	want := strings.Repeat("f(a,[1,2])\n", 20)
	for _, o := range []Options{{Collect: true}, {PEs: 3, Policy: named(t, "random"), Collect: true}, {PEs: 2, Policy: named(t, "breadth-first")}} {
		var out bytes.Buffer
		o.World = &world.World{Stdin: &pieces{in}, Stdout: &out}
		o.Lost = func(some []report.Pending, n int) { t.Errorf("%d goals lost: %v", n, some) }
		m := must.Get(New(prog, q, o))(t)
		must.Do(t, m.Run(t.Context()))
		o.World.Close()
		if out.String() != want {
			t.Errorf("%q", out.String())
		}
	}
}

// A goal whose priority or PE is bound late is called once.
func TestPragmasComeLater(t *testing.T) {
	text := `
:- module main.
main :- each([A,B,C,D]), A = 3, D := B + C, B = 1, C = 1.
each([]).
each([N|Ns]) :- builtin:print(p(N))@priority(N), tell(N)@node(N)@priority(N + 10), each(Ns).
tell(N) :- builtin:print(t(N)).
`
	prog, q := prepare(t, text, "main")
	for _, o := range []Options{{}, {Policy: named(t, "random")}, {PEs: 3, Policy: named(t, "random"), Collect: true}, {PEs: 2, Policy: named(t, "steal")}} {
		var out bytes.Buffer
		o.World = &world.World{Stdout: &out}
		m := must.Get(New(prog, q, o))(t)
		must.Do(t, m.Run(t.Context()))
		o.World.Close()
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if o.PEs == 0 && out.String() != "t(3)\nt(2)\nt(1)\nt(1)\np(3)\np(2)\np(1)\np(1)\n" {
			t.Errorf("%q", lines)
		}
		slices.Sort(lines)
		if want := strings.Fields("p(1) p(1) p(2) p(3) t(1) t(1) t(2) t(3)"); !slices.Equal(lines, want) {
			t.Errorf("%q", lines)
		}
	}
}

// A PE continues with goals of a low priority only when no other PE has goals of a higher one.
func TestEndlessProducer(t *testing.T) {
	prog, q := prepare(t, programs.Endless, "main(150, P)")
	for _, pes := range []int{1, 2, 4} {
		for _, policy := range []string{"on-demand", "steal", "steal-half"} {
			m, err := New(prog, q, Options{PEs: pes, Policy: named(t, policy)})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
			err = m.Run(ctx)
			cancel()
			if err != nil || answerOf(m) != "P = 863" {
				t.Errorf("%d PEs, %s: %s, %v", pes, policy, answerOf(m), err)
			}
		}
	}
}
