package engine

import (
	"strings"
	"testing"

	"whorl/sim/policy"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// ran returns the procedures of a run in the order of their reductions, each with its PE.
func ran(t *testing.T, r result) string {
	t.Helper()
	var b strings.Builder
	for _, e := range tracertest.Events(t, r.trace, tracer.Kinds(tracer.Reduce)) {
		name, _, _ := strings.Cut(r.trace.Dict().Code(e.Code).Name, "/")
		b.WriteString(" " + name + string('0'+e.PE))
	}
	return strings.TrimSpace(b.String())
}

// The order of a body's goals and the turn of a resumed goal are those of the policy. s waits for Y, which b binds.
func TestOrderOfGoals(t *testing.T) {
	const src = "p(Y) :- s(Y), b(Y), c.\ns(1).\nb(Y) :- Y = 1, d, e.\nc.\nd.\ne.\n"
	for _, c := range []struct{ options, want string }{
		{"body=forward", "p0 b0 d0 e0 s0 c0"},
		{"resume=first", "p0 b0 s0 d0 e0 c0"},
		{"resume=last", "p0 b0 d0 e0 c0 s0"},
		{"body=reversed", "p0 c0 b0 e0 d0 s0"},
		{"body=reversed:resume=first", "p0 c0 b0 e0 d0 s0"}, // s has not waited
	} {
		r := run(t, src, "p(Y)", setup{pes: 1, policy: "on-demand:" + c.options, net: "bus"})
		if got := ran(t, r); r.err != nil || got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.options, got, r.err, c.want)
		}
	}
}

// A resumed goal goes to the PE where it waited or to that of the binder. It stays where the program puts it, and where
// there is no shared memory.
func TestHomeOfResumedGoals(t *testing.T) {
	const free = "p(X, Y) :- s(X, Y), b(X)@node(1).\ns(1, Y) :- Y = 2.\nb(X) :- X = 1.\n"
	pinned := strings.Replace(free, "s(X, Y),", "s(X, Y)@node(0),", 1)
	for _, c := range []struct{ src, net, options, want string }{
		{free, "bus", "home=sleeper", "p0 b1 s0"},
		{free, "bus", "home=binder", "p0 b1 s1"},
		{pinned, "bus", "home=binder", "p0 b1 s0"},
		{free, "all", "home=binder", "p0 b1 s0"},
	} {
		r := run(t, c.src, "p(X, Y)", setup{pes: 2, policy: "on-demand:" + c.options, net: c.net})
		if got := ran(t, r); r.err != nil || got != c.want {
			t.Errorf("%s on %s: %s, %v, want %s", c.options, c.net, got, r.err, c.want)
		}
		for _, e := range tracertest.Events(t, r.trace, tracer.Kinds(tracer.Resume)) {
			if want := int32(c.want[len(c.want)-1] - '0'); e.Peer != want {
				t.Errorf("%s on %s: resumed on PE %d, want %d", c.options, c.net, e.Peer, want)
			}
		}
	}
}

// Every order of goals gives the same answer in the same number of reductions.
func TestEveryOrderOfGoals(t *testing.T) {
	const program = `
main(N, P) :- ints(2, N, Xs), sift(Xs, P).
ints(I, N, Xs) :- I > N | Xs = [].
ints(I, N, Xs) :- I =< N | Xs = [I|Xs1], I1 := I + 1, ints(I1, N, Xs1).
sift([], P) :- P = [].
sift([X|Xs], P) :- P = [X|P1], keep(Xs, X, Ys)@priority(7), sift(Ys, P1).
keep([], _, Ys) :- Ys = [].
keep([X|Xs], D, Ys) :- X mod D =:= 0 | keep(Xs, D, Ys).
keep([X|Xs], D, Ys) :- X mod D =\= 0 | Ys = [X|Ys1], keep(Xs, D, Ys1).
`
	for _, src := range []string{strings.ReplaceAll(program, "@priority(7)", ""), program} {
		q := newSource(t, "test.fghc", src).query(t, "main(60, P)")
		want := q.run(t, onePE, nil)
		names := []string{policy.Default}
		for _, o := range policy.Options {
			var more []string
			for _, name := range names {
				for _, v := range o.Values {
					more = append(more, name+":"+o.Name+"="+v.Name)
				}
			}
			names = more
		}
		for i, name := range names {
			for _, net := range []string{"bus", "mesh2d"} {
				r := q.run(t, setup{pes: 1 + i%6, policy: name, net: net, seed: 3, collect: i%5 == 0}, nil)
				if r.err != nil || r.answer != want.answer || r.stats.Reductions != want.stats.Reductions {
					t.Errorf("%s on %s: %s, %v, %d reductions, want %s, %d", name, net, r.answer, r.err, r.stats.Reductions, want.answer, want.stats.Reductions)
				}
			}
		}
	}
}
