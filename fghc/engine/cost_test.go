package engine

import (
	"fmt"
	"strings"
	"testing"

	"whorl/sim"
	"whorl/testdata/must"
	"whorl/tracer"
)

// These tests change one point of a program or a machine and expect exactly the difference that docs/cost-model.md predicts.

const (
	instruction = 2 // ns
	overhead    = 100
	latency     = 1000
	perByte     = 3
)

var priced = sim.Model{InstructionPs: instruction * 1000, Overhead: overhead, Latency: latency, BytePs: perByte * 1000}

func cost(t *testing.T, src, goal string, s setup) result {
	t.Helper()
	s.model = priced
	if s.pes == 0 {
		s.pes, s.policy, s.net = 1, "on-demand", "bus"
	}
	r := run(t, src, goal, s)
	if r.err != nil {
		t.Fatalf("%s: %v", goal, r.err)
	}
	return r
}

func difference(t *testing.T, what string, less, more result, ns, bytes int64) {
	t.Helper()
	if d := more.sim.Elapsed - less.sim.Elapsed; d != ns {
		t.Errorf("%s: %d ns more, expected %d", what, d, ns)
	}
	if d := more.sim.Bytes - less.sim.Bytes; d != bytes {
		t.Errorf("%s: %d bytes more, expected %d", what, d, bytes)
	}
}

func TestCostOfOneClauseMore(t *testing.T) {
	c := DefaultCosts()
	two := "p(X, Y) :- X > 9 | Y = a.\np(X, Y) :- X > 3 | Y = b.\n"
	three := "p(X, Y) :- X > 9 | Y = a.\np(X, Y) :- X > 7 | Y = c.\np(X, Y) :- X > 3 | Y = b.\n"
	difference(t, "one guard more", cost(t, two, "p(5,Y)", setup{}), cost(t, three, "p(5,Y)", setup{}), c.Test*instruction, 0)
	// The first clause commits; later clauses are not tried.
	difference(t, "a clause that is not tried", cost(t, two, "p(10,Y)", setup{}), cost(t, three, "p(10,Y)", setup{}), 0, 0)
	// The opposite of a guard that has failed is known to hold.
	known := "p(X, Y) :- X > 9 | Y = a.\np(X, Y) :- X =< 9 | Y = b.\n"
	difference(t, "a guard that is known to hold", cost(t, known, "p(5,Y)", setup{}), cost(t, two, "p(5,Y)", setup{}), c.Test*instruction, 0)
}

func TestCostOfLargerTerms(t *testing.T) {
	c := DefaultCosts()
	build := func(n int) string { return "p(Y) :- Y = [" + strings.Repeat("1,", n-1) + "1].\n" }
	difference(t, "a built list of twice the length", cost(t, build(10), "p(Y)", setup{}), cost(t, build(20), "p(Y)", setup{}), 10*2*c.Build*instruction, 0)

	equal := "p(X, Y, Z) :- X = Y | Z = 1.\n"
	list := func(n int) string { return "[" + strings.Repeat("1,", n-1) + "1]" }
	goal := func(n int) string { return "p(" + list(n) + "," + list(n) + ",Z)" }
	difference(t, "a compared list of twice the length", cost(t, equal, goal(10), setup{}), cost(t, equal, goal(20), setup{}), 10*2*c.Unify*instruction, 0)

	args := func(n int) string {
		s := strings.Repeat("1,", n-1) + "1"
		return "p :- q(" + s + ").\nq(" + strings.Repeat("_,", n-1) + "_).\n"
	}
	difference(t, "twice the arguments", cost(t, args(4), "p", setup{}), cost(t, args(8), "p", setup{}), 4*(c.Arg+c.Load)*instruction, 0)
}

func TestCostOfRemoteTerms(t *testing.T) {
	c := DefaultCosts()
	src := "go(L, Y) :- first(L, Y)@node(1).\nfirst([X|_], Y) :- Y = X.\n"
	far := setup{pes: 2, policy: "static", net: "all"}
	goal := func(n int) string { return "go([" + strings.Repeat("1,", n-1) + "1],Y)" }
	// The owner copies the list and sends it once: 2 words a cell of 8 bytes each.
	difference(t, "a remote list of twice the length", cost(t, src, goal(10), far), cost(t, src, goal(20), far), 20*c.Word*instruction+20*wordBytes*perByte, 20*wordBytes)
	// On a shared bus only the goal is moved.
	shared := setup{pes: 2, policy: "static", net: "bus"}
	difference(t, "a shared list of twice the length", cost(t, src, goal(10), shared), cost(t, src, goal(20), shared), 0, 0)
	// The rest of a list beyond a chunk is not fetched here.
	difference(t, "a list beyond a chunk", cost(t, src, goal(chunkWords/2), far), cost(t, src, goal(chunkWords), far), 0, 0)
}

func TestCostOfOneHopMore(t *testing.T) {
	near := setup{pes: 8, policy: "static", net: "ring"}
	src := func(node string) string { return "go(Y) :- p(Y)@node(" + node + ").\np(Y) :- Y = 1.\n" }
	one, two := cost(t, src("1"), "go(Y)", near), cost(t, src("2"), "go(Y)", near)
	// The goal and the binding are two messages, each one hop longer.
	difference(t, "one hop more", one, two, 2*latency, 0)
	if one.sim.Messages != 2 || two.sim.Messages != 2 {
		t.Errorf("%d and %d messages, expected 2: the goal and its binding", one.sim.Messages, two.sim.Messages)
	}
	const goal, told = goalBytes + wordBytes, headerBytes + 2*wordBytes
	if one.sim.Bytes != goal+told {
		t.Errorf("%d bytes, expected %d", one.sim.Bytes, goal+told)
	}
}

func TestMessagesOfARemoteRead(t *testing.T) {
	r := cost(t, "go(L, Y) :- first(L, Y)@node(1).\nfirst([X|_], Y) :- Y = X.\n", "go([7,8],Y)", setup{pes: 2, policy: "static", net: "all"})
	var got []string
	names := func(e tracer.Event) string { return r.trace.Dict().Code(e.Code).Name }
	must.Do(t, r.trace.Scan(tracer.Kinds(tracer.Send, tracer.Recv), func(es []tracer.Event) error {
		for _, e := range es {
			got = append(got, strings.Join([]string{e.Kind.String(), names(e), strings.Repeat("*", int(e.Value/8))}, " "))
		}
		return nil
	}))
	want := []string{
		"Send work *****", "Recv work *****", // 24 bytes and two arguments
		"Send fetch ***", "Recv fetch ***", // header and the name of the term
		"Send value *******", "Recv value *******", // header, the name, and two cells of two words
		"Send tell ****", "Recv tell ****", // header, the name, and the value
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("messages (a * for 8 bytes):\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestCostOfBuiltins(t *testing.T) {
	c := DefaultCosts()
	vector := func(n int, goals string) result {
		return cost(t, fmt.Sprintf("p(V, E) :- new_vector(V, %d)%s.\n", n, goals), "p(V,E)", setup{})
	}
	difference(t, "a vector of ten elements more", vector(10, ""), vector(20, ""), 10*c.Build*instruction, 0)
	replace := ", set_vector_element(V, 3, a, E)"
	for _, n := range []int{10, 1000} { // for any length
		difference(t, "an element replaced", vector(n, ""), vector(n, replace), (c.Test+5*c.Build+2*c.Unify)*instruction, 0)
	}
	// A result is unified with its argument, unless that is a new variable.
	read := func(goals string) result {
		return cost(t, "p(E) :- new_vector(V, 9)"+goals+".\n", "p(E)", setup{})
	}
	difference(t, "an element read", read(""), read(", vector_element(V, 3, _)"), (c.Test+c.Unify)*instruction, 0)
	old := ", set_vector_element(V, 0, a, W), set_vector_element(W, 1, a, X)"
	difference(t, "an element of the version before that before", read(old+", vector_element(X, 3, _)"), read(old+", vector_element(V, 3, _)"), 2*c.Load*instruction, 0)

	compare := func(n int) result {
		list := "[" + strings.Repeat("1,", n) + "2]"
		return cost(t, "p(X, Y, R) :- X @< Y | R = 1.\n", "p("+list+",["+strings.Repeat("1,", n)+"3],R)", setup{})
	}
	difference(t, "a comparison of a list of ten elements more", compare(10), compare(20), 10*5*c.Load*instruction, 0)
}
