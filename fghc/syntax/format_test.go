package syntax

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// parseTerm parses a text that consists of one term.
func parseTerm(src string) (Term, Errors) {
	p, errs := newParser("test", src)
	if p == nil {
		return nil, errs
	}
	t, _ := p.term(1200, "a term")
	if t != nil && p.tok.kind != tokEOF {
		p.unexpected("the end")
	}
	return t, p.errs
}

// equal compares terms without their positions.
func equal(a, b Term) bool {
	for {
		la, ok := a.(*List)
		lb, okB := b.(*List)
		if !ok || !okB {
			break
		}
		if !equal(la.Head, lb.Head) {
			return false
		}
		a, b = la.Tail, lb.Tail
	}
	switch a := a.(type) {
	case *Var:
		b, ok := b.(*Var)
		return ok && a.Name == b.Name
	case *Int:
		b, ok := b.(*Int)
		return ok && a.Value == b.Value && a.Big == b.Big
	case *Float:
		b, ok := b.(*Float)
		return ok && math.Float64bits(a.Value) == math.Float64bits(b.Value)
	case *Atom:
		b, ok := b.(*Atom)
		return ok && a.Name == b.Name
	case *Str:
		b, ok := b.(*Str)
		return ok && a.Value == b.Value
	case *Compound:
		b, ok := b.(*Compound)
		return ok && a.Name == b.Name && slices.EqualFunc(a.Args, b.Args, equal)
	case *Vector:
		b, ok := b.(*Vector)
		return ok && slices.EqualFunc(a.Args, b.Args, equal)
	}
	return false
}

// terms generates arbitrary terms, with names and operators in awkward positions.
func terms() *rapid.Generator[Term] {
	names := []string{
		"a", "foo_Bar1", "größe", "積", "[]", "{}", "", " ", "A", "_a", "1", "a b", "it's", `\`, "\n", "\x00", ".", "a.", "-.", "/*", "+/*", "|", ",", "!", ";", "(", "&", "=..", "%",
		"true", "otherwise", "module", "?-", "\ufffd", "\u0301a", "\u00a0",
	}
	for _, op := range Operators {
		names = append(names, op.Name)
	}
	name := rapid.OneOf(rapid.SampledFrom(names), rapid.String())
	leaf := rapid.OneOf(
		rapid.Map(name, func(n string) Term { return &Atom{Name: strings.ToValidUTF8(n, "?")} }),
		rapid.Map(rapid.SampledFrom([]string{"X", "_", "_x", "Ärger", "X_1"}), func(n string) Term { return &Var{Name: n} }),
		rapid.Map(rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{0, 1, -1, math.MaxInt64, math.MinInt64})), func(n int64) Term { return &Int{Value: n} }),
		rapid.Map(rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64), func(v float64) Term { return &Float{Value: v} }),
		rapid.Map(rapid.StringMatching(`-?[1-9][0-9]{19,40}`), func(n string) Term { return &Int{Big: n} }),
		rapid.Map(rapid.String(), func(s string) Term { return &Str{Value: strings.ToValidUTF8(s, "?")} }),
	)
	var term *rapid.Generator[Term]
	inner := rapid.Deferred(func() *rapid.Generator[Term] { return term })
	args := func(least int) *rapid.Generator[[]Term] { return rapid.SliceOfN(inner, least, 3) }
	term = rapid.OneOf(leaf, leaf,
		rapid.Custom(func(t *rapid.T) Term {
			c := &Compound{Name: strings.ToValidUTF8(name.Draw(t, "name"), "?"), Args: args(1).Draw(t, "args")}
			if c.Name == "." && len(c.Args) == 2 {
				c.Name = ".." // '.'(H,T) is a list
			}
			return c
		}),
		rapid.Custom(func(t *rapid.T) Term {
			op := rapid.SampledFrom(Operators).Draw(t, "operator")
			n := 2
			if op.Prefix || op.Postfix {
				n = 1
			}
			return &Compound{Name: op.Name, Args: rapid.SliceOfN(inner, n, n).Draw(t, "operands")}
		}),
		rapid.Custom(func(t *rapid.T) Term { return &List{Head: inner.Draw(t, "head"), Tail: inner.Draw(t, "tail")} }),
		rapid.Custom(func(t *rapid.T) Term {
			var l Term = &Atom{Name: "[]"}
			for _, e := range args(0).Draw(t, "elements") {
				l = &List{Head: e, Tail: l}
			}
			return l
		}),
		rapid.Custom(func(t *rapid.T) Term { return &Vector{Args: args(0).Draw(t, "elements")} }),
	)
	return term
}

func checkRoundTrip(t interface {
	Helper()
	Fatalf(string, ...any)
}, term Term,
) {
	t.Helper()
	text := Format(term)
	again, errs := parseTerm(text)
	if len(errs) > 0 {
		t.Fatalf("%s does not parse: %v", text, errs)
	}
	if !equal(term, again) {
		t.Fatalf("%s parses as %s", text, Format(again))
	}
	// As an argument and as a goal before a full stop.
	file, errs := Parse("test", "p(a, "+Format(&Vector{Args: []Term{term}})+").\nq :- r = "+Format(&Compound{Name: "f", Args: []Term{term}})+".")
	if len(errs) > 0 || len(file.Clauses) != 2 {
		t.Fatalf("%s does not parse within a program: %v", text, errs)
	}
	if got := file.Clauses[0].Head.Term.(*Compound).Args[1].(*Vector).Args[0]; !equal(term, got) {
		t.Fatalf("%s parses as %s in a head", text, Format(got))
	}
}

// TestFormatPrefixOfOperator checks that a prefix operator is not written before a term that begins with an operator.
func TestFormatPrefixOfOperator(t *testing.T) {
	three := []Term{&Atom{Name: "a"}, &Atom{Name: "b"}, &Atom{Name: "c"}}
	for _, prefix := range []string{"module", "-"} {
		for _, name := range []string{"+", "-", "mod", "module"} {
			checkRoundTrip(t, &Compound{Name: prefix, Args: []Term{&Compound{Name: name, Args: three}}})
		}
	}
}

func TestFormatRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkRoundTrip(t, terms().Draw(t, "term")) })
}

// FuzzFormat formats terms generated from the fuzzer's bytes.
func FuzzFormat(f *testing.F) {
	f.Add([]byte("a seed"))
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { checkRoundTrip(t, terms().Draw(t, "term")) }))
}
