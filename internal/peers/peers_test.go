// Package peers compares the speed of Whorl with that of other programs for the same work, in one run on one machine, and reports the ratio.
// A benchmark is skipped if its peer is not installed; make bench-peers installs the peers that it can.
package peers

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"whorl/experiment"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/backend/svg"
	"whorl/visual/glyph"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/views/kaleidoscope"
)

func peer(b *testing.B, name string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		b.Skip(name + " is not installed")
	}
	return path
}

// compare runs ours and theirs in turn and reports both times and their ratio. Each returns the time that it took.
func compare(b *testing.B, units float64, unit, name string, ours, theirs func() time.Duration) {
	var a, z time.Duration
	n := 0
	for b.Loop() {
		a += ours()
		z += theirs()
		n++
	}
	per := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(n) / units }
	b.ReportMetric(0, "ns/op") // hide the time of both together
	b.ReportMetric(per(a), "whorl-ns/"+unit)
	b.ReportMetric(per(z), name+"-ns/"+unit)
	b.ReportMetric(per(z)/per(a), "times-as-fast")
}

// A program has the same clauses in FGHC and in Prolog, with the same number of reductions.
type program struct {
	name         string
	units        float64 // reductions
	goal         string  // in both
	fghc, prolog string
}

var programs = []program{
	{
		"reverse", 10_031_063, "main(20, 1000)",
		`
main(K, N) :- list(N, L), many(K, L).
list(0, L) :- L = [].
list(N, L) :- N > 0 | L = [N|L1], N1 := N - 1, list(N1, L1).
many(0, _).
many(K, L) :- K > 0 | nrev(L, R), next(R, K, L).
next([_|_], K, L) :- K1 := K - 1, many(K1, L).
nrev([], Ys) :- Ys = [].
nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).
app([], Ys, Zs) :- Zs = Ys.
app([X|Xs], Ys, Zs) :- Zs = [X|Zs1], app(Xs, Ys, Zs1).
`, `
main(K, N) :- numlist(1, N, L), many(K, L).
many(0, _) :- !.
many(K, L) :- nrev(L, _), K1 is K - 1, many(K1, L).
nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
`,
	},
	{
		"primes", 2_630_695, "primes(20000, _)",
		`
primes(Max, Ps) :- list(2, Max, Ns), sift(Ns, Ps).
list(N, Max, Ns) :- N =< Max | Ns = [N|Ns1], N1 := N + 1, list(N1, Max, Ns1).
list(N, Max, Ns) :- N > Max | Ns = [].
sift([], Zs) :- Zs = [].
sift([P|Xs], Zs) :- Zs = [P|Zs1], filter(P, Xs, Ys), sift(Ys, Zs1).
filter(_, [], Ys) :- Ys = [].
filter(P, [X|Xs], Ys) :- X mod P =:= 0 | filter(P, Xs, Ys).
filter(P, [X|Xs], Ys) :- X mod P =\= 0 | Ys = [X|Ys1], filter(P, Xs, Ys1).
`, `
primes(Max, Ps) :- list(2, Max, Ns), sift(Ns, Ps).
list(N, Max, [N|Ns]) :- N =< Max, !, N1 is N + 1, list(N1, Max, Ns).
list(_, _, []).
sift([], []).
sift([P|Xs], [P|Zs]) :- filter(P, Xs, Ys), sift(Ys, Zs).
filter(_, [], []).
filter(P, [X|Xs], Ys) :- X mod P =:= 0, !, filter(P, Xs, Ys).
filter(P, [X|Xs], [X|Ys]) :- filter(P, Xs, Ys).
`,
	},
	{
		"fib", 392_835, "fib(26, _)",
		`
fib(N, F) :- N < 2 | F = N.
fib(N, F) :- N >= 2 | N1 := N - 1, N2 := N - 2, fib(N1, A), fib(N2, B), F := A + B.
`, `
fib(N, N) :- N < 2, !.
fib(N, F) :- N1 is N - 1, N2 is N - 2, fib(N1, A), fib(N2, B), F is A + B.
`,
	},
}

// BenchmarkProlog runs programs on one PE without recording: live, simulated and built (whorl build). It compares them with the same clauses in
// sequential Prolog on SWI's virtual machine, by processor time without the start.
func BenchmarkProlog(b *testing.B) {
	swipl := peer(b, "swipl")
	whorl := filepath.Join(b.TempDir(), "whorl")
	if out, err := exec.Command("go", "build", "-o", whorl, "whorl/cmd/whorl").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, p := range programs {
		dir := b.TempDir()
		ours, theirs := filepath.Join(dir, p.name+".fghc"), filepath.Join(dir, p.name+".pl")
		main := fmt.Sprintf("run :- statistics(cputime, T0), %s, statistics(cputime, T1), T is T1 - T0, write(T), nl.\n", p.goal)
		for _, c := range []struct{ file, text string }{{ours, p.fghc}, {theirs, p.prolog + main}} {
			must.Do(b, os.WriteFile(c.file, []byte(c.text), 0o644))
		}
		for _, way := range []struct {
			name string
			run  func() time.Duration
		}{
			{"live", prepared(b, ours, p.goal, experiment.Live)},
			{"sim", prepared(b, ours, p.goal, experiment.Sim)},
			{"built", built(b, whorl, ours, p.goal)},
		} {
			b.Run(p.name+"/"+way.name, func(b *testing.B) {
				compare(b, p.units, "inference", "swipl", way.run, func() time.Duration {
					return seconds(b, strings.TrimSpace(output(b, swipl, "-O", "-g", "run", "-t", "halt", theirs)))
				})
			})
		}
	}
}

// prepared returns a function that runs a program on one PE and returns the time.
func prepared(b *testing.B, file, goal string, mode experiment.Mode) func() time.Duration {
	r := experiment.Defaults(file)
	r.PEs, r.Goal, r.Mode = 1, goal, mode
	p := must.Get(r.Resolve())(b)
	return func() time.Duration {
		result, err := p.Run(context.Background(), nil, nil)
		if err != nil || result.Err != nil {
			b.Fatal(err, result)
		}
		return result.Wall
	}
}

// built builds a program and returns a function that runs it.
func built(b *testing.B, whorl, file, goal string) func() time.Duration {
	binary := strings.TrimSuffix(file, ".fghc")
	output(b, whorl, "build", file, "--goal", goal, "-o", binary)
	return func() time.Duration {
		_, after, _ := strings.Cut(output(b, binary, "--stats"), "\nelapsed ")
		line, _, _ := strings.Cut(after, "\n")
		number, unit, _ := strings.Cut(strings.TrimSpace(line), " ")
		return seconds(b, number) / map[string]time.Duration{"us": 1e6, "ms": 1e3, "s": 1}[unit]
	}
}

// output returns the output of a command.
func output(b *testing.B, name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		b.Fatalf("%s: %v", name, err)
	}
	return string(out)
}

func seconds(b *testing.B, text string) time.Duration {
	s := must.Get(strconv.ParseFloat(text, 64))(b)
	return time.Duration(s * 1e9)
}

// BenchmarkRadial lays out the reduction tree of Pascal's triangle around its root and writes it as SVG, from the trace in memory. It compares
// this with the radial layout of Graphviz, including the start of its process.
func BenchmarkRadial(b *testing.B) {
	twopi := peer(b, "twopi")
	r := experiment.Defaults("fghc/pascal")
	r.PEs = 5
	prepared := must.Get(r.Resolve())(b)
	trace := tracer.NewMemory()
	if result, err := prepared.Run(context.Background(), trace, nil); err != nil || result.Err != nil {
		b.Fatal(err, result)
	}
	tree := must.Get(spawntree.Grow(trace, nil, nil))(b)
	var dot bytes.Buffer
	dot.WriteString("digraph { node [shape=point]; root=0;\n")
	for i, parent := range tree.Parent {
		if parent >= 0 {
			fmt.Fprintf(&dot, "%d -> %d;\n", parent, i)
		}
	}
	dot.WriteString("}\n")
	glyphs := glyph.New()
	compare(b, float64(tree.Len()), "node", "twopi", func() time.Duration {
		begin := time.Now()
		list := must.Get(drawtest.Render(context.Background(), kaleidoscope.Kind(), trace, nil, 1200, 900, glyphs))(b)
		must.Do(b, svg.Write(io.Discard, list, svg.Options{Measure: glyphs}))
		return time.Since(begin)
	}, func() time.Duration {
		begin := time.Now()
		cmd := exec.Command(twopi, "-Tsvg")
		cmd.Stdin = bytes.NewReader(dot.Bytes())
		must.Get(cmd.Output())(b)
		return time.Since(begin)
	})
}
