package compile

import (
	"flag"
	"os"
	"strings"
	"testing"

	"whorl/fghc/arith"
	"whorl/fghc/builtin"
	"whorl/fghc/syntax"
	"whorl/fghc/term"
	"whorl/testdata/must"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

func compiled(t *testing.T, src string) *Program {
	t.Helper()
	f, errs := syntax.Parse("test.fghc", src)
	must.Do(t, errs.Err())
	p, errs := Compile(f)
	must.Do(t, errs.Err())
	must.Do(t, p.Verify())
	return p
}

func listing(t *testing.T, src string) string {
	t.Helper()
	var b strings.Builder
	compiled(t, src).list(&b)
	return b.String()
}

func TestListing(t *testing.T) {
	src := must.Get(os.ReadFile("testdata/qsort.fghc"))(t)
	got := listing(t, string(src))
	if *update {
		must.Do(t, os.WriteFile("testdata/qsort.listing", []byte(got), 0o644))
	}
	want := must.Get(os.ReadFile("testdata/qsort.listing"))(t)
	if got != string(want) {
		t.Errorf("code differs from testdata/qsort.listing (-update rewrites it):\n%s", got)
	}
}

// count returns the number of instructions with an operation.
func count(p *Program, op Op) (n int) {
	for _, in := range p.Code {
		if in.Op == op {
			n++
		}
	}
	return n
}

func TestTreeTestsOnce(t *testing.T) {
	for _, c := range []struct {
		name, src        string
		switches, guards int
	}{
		{"two clauses test the same argument", "p([], Y) :- Y = a.\np([_|_], Y) :- Y = b.\n", 1, 0},
		{"one argument after the other", "p(a, b).\np(a, c).\np(b, c).\n", 3, 0},
		{"opposite guards", "p(X, Y) :- X < 3 | Y = a.\np(X, Y) :- X >= 3 | Y = b.\n", 0, 2}, // a second test for the case that the first blocks
		{"opposite guards with swapped operands", "p(X, Y) :- X < Y | true.\np(X, Y) :- Y =< X | true.\n", 0, 2},
		{"guards that are not opposite", "p(X, Y) :- X < 3 | Y = a.\np(X, Y) :- X > 3 | Y = b.\n", 0, 2},
	} {
		p := compiled(t, c.src)
		if s, g := count(p, Switch), count(p, Compare); s != c.switches || g != c.guards {
			t.Errorf("%s: %d switches and %d comparisons, expected %d and %d", c.name, s, g, c.switches, c.guards)
		}
	}
}

// TestOppositeGuard checks where the first comparison goes when it fails: straight to the body of the other clause, or
// to its test.
func TestOppositeGuard(t *testing.T) {
	target := func(src string) Op {
		p := compiled(t, src)
		for _, in := range p.Code {
			if in.Op == Compare {
				return p.Code[in.Fail].Op
			}
		}
		return Invalid
	}
	if op := target("p(X, Y) :- X < 3 | Y = a.\np(X, Y) :- X >= 3 | Y = b.\n"); op != Commit {
		t.Errorf("X >= 3 after X < 3 failed continues with %v, expected commit", op)
	}
	if op := target("p(X, Y) :- X < 3 | Y = a.\np(X, Y) :- X >= 4 | Y = b.\n"); op == Commit {
		t.Errorf("X >= 4 after X < 3 failed commits without a test")
	}
	if op := target("p(X, Y) :- X < 3 | Y = a.\np(X, Y) :- X < 3 | Y = b.\n"); op != Suspend {
		t.Errorf("X < 3 after X < 3 failed continues with %v, expected suspend", op)
	}
}

func TestLongTable(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		b.WriteString("p(")
		b.WriteString(strings.Repeat("s", i%20+1))
		b.WriteString(string(rune('a' + i/20)))
		b.WriteString(", X) :- X = 1.\n")
	}
	p := compiled(t, b.String())
	if len(p.Tables) != 1 || len(p.Tables[0].Index) != 300 {
		t.Errorf("%d tables, expected one with 300 entries", len(p.Tables))
	}
}

func TestUnboundGuardVariables(t *testing.T) {
	for _, src := range []string{"p(X) :- wait(Y) | q(X, Y).\nq(_, _).\n", "p :- X = Y | q(X, Y).\nq(_, _).\n", "p(X) :- X < Y | q(Y).\nq(_).\n"} {
		f, errs := syntax.Parse("test.fghc", src)
		must.Do(t, errs.Err())
		if _, errs := Compile(f); len(errs) == 0 {
			t.Errorf("%q compiles", src)
		}
	}
}

func TestVerifyFindsDamage(t *testing.T) {
	const src = "p([X|Xs], Y, Z) :- X > Y | Z := X + Y, p(Xs, Y, Z).\n"
	for _, c := range []struct {
		op     Op
		damage func(*Ins)
	}{
		{Switch, func(in *Ins) { in.K = 99 }},
		{Compare, func(in *Ins) { in.Type = 0 }},
		{Commit, func(in *Ins) { in.Target = 0 }},
		{Goal, func(in *Ins) { in.N++ }},
		{Delay, func(in *Ins) { in.Proc = -1 }},
		{Jump, func(in *Ins) { in.Target = 1 << 20 }},
		{Unify, func(in *Ins) { in.Site = 0 }},
		{Arith, func(in *Ins) { in.K = int64(arith.NumOps) }},
		{LoadList, func(in *Ins) { in.Op = Invalid }},
		{Done, func(in *Ins) { in.Op = Move }},
	} {
		p := compiled(t, src)
		found := false
		for i := range p.Code {
			if p.Code[i].Op == c.op {
				c.damage(&p.Code[i])
				found = true
			}
		}
		if err := p.Verify(); err == nil {
			t.Errorf("damaged %v (%t) passes", c.op, found)
		}
	}
}

// A words is a Context that can only build boxes.
type words struct {
	builtin.Context
	m []term.Word
}

func (w *words) Alloc(n int) int             { w.m = append(w.m, make([]term.Word, n)...); return len(w.m) - n }
func (w *words) Store(i int, v term.Word)    { w.m[i] = v }
func (w *words) Raw(i int) term.Word         { return w.m[i] }
func (w *words) Deref(v term.Word) term.Word { return v }

// Constants that do not fit a word are built as boxes, and type tests tell them from other values.
func TestConstants(t *testing.T) {
	p := compiled(t, `p(X) :- X = f("text", 1.5, 123456789012345678901234567890, 4611686018427387904).`)
	c := new(words)
	kinds := map[int]bool{}
	for i := range p.Constants {
		w := p.Constants[i].Build(c)
		kind := c.m[w.Index()].BoxKind()
		kinds[kind] = true
		number := kind == term.KindInt || kind == term.KindBig
		for _, test := range []struct {
			op   Op
			want bool
		}{{IsBound, true}, {IsInt, number}, {IsAtom, false}, {IsList, false}, {IsAtomic, number}} {
			if got := test.op.Accepts(c, w); got != test.want {
				t.Errorf("%v accepts a box of kind %d: %t", test.op, kind, got)
			}
		}
	}
	for _, kind := range []int{term.KindString, term.KindFloat, term.KindInt, term.KindBig} {
		if !kinds[kind] {
			t.Errorf("no constant of kind %d", kind)
		}
	}
	for _, test := range []struct {
		op Op
		w  term.Word
	}{{IsInt, term.MakeInt(1)}, {IsAtom, term.Nil}, {IsList, term.MakeList(1)}, {IsAtomic, term.Nil}} {
		for _, other := range []term.Word{term.MakeInt(1), term.Nil, term.MakeList(1), term.MakeStr(1)} {
			want := other == test.w || test.op == IsAtomic && other == term.MakeInt(1)
			if got := test.op.Accepts(c, other); got != want {
				t.Errorf("%v accepts %#x: %t", test.op, uint64(other), got)
			}
		}
	}
}
