package conformance_test

import (
	"fmt"
	"strings"
)

// clauses returns clauses that exclude each other.
func (g *generator) clauses(i int) []*scope {
	s := func() *scope { return g.scope(i) }
	k := g.int(0, g.procs[i].in-1)
	var out []*scope
	add := func(c *scope) *scope { out = append(out, c); return c }
	switch g.procs[i].kind {
	case "list":
		add(s().with(0, "[]"))
		add(s().with(0, "[H|T]", "H", "T")).smaller = "T"
	case "count":
		c := add(s())
		c.test("A0 =< 0")
		c.numbers = []string{"A0"}
		c = add(s())
		c.test("A0 > 0")
		c.test("A0 < 5")
		if g.often(80) {
			c.test("M := A0 - 1")
			c.smaller = "M"
			c.read("M")
		}
		c.numbers = []string{"A0"}
	case "shape":
		for _, p := range g.shuffled([]string{"[]", "a", "b", "1", "2", "-1", `"s"`, "[H|T]", "f(H)", "f(H,T)", "{H}", "{H,T}", "r(R)"})[:g.int(1, 7)] {
			c := add(s()).with(k, p)
			for _, v := range []string{"H", "T"} {
				if strings.Contains(p, v) {
					c.read(v)
				}
			}
			if p == "r(R)" {
				c.replies = []string{"R"}
			}
		}
	case "nested":
		for _, p := range g.shuffled([]string{"[a|T]", "[b|T]", "[1,H|T]", "[2]", "[2,_|T]", "[f(H)|T]", "f([H|_])", "f(a)", "f(f(H))", "f({H,1})", "f({H,2})"})[:g.int(1, 6)] {
			c := add(s()).with(k, p)
			for _, v := range []string{"H", "T"} {
				if strings.Contains(p, v) {
					c.read(v)
				}
			}
		}
	case "order":
		l, r := g.one("A0", "A0 + 1", "A0 * A1", "3", "A0 mod 3"), g.one("A1", "A1 - 1", "2 * A0", "4 / A1")
		for _, rels := range [][]string{{"<", ">="}, {"=<", ">"}, {"=:=", "=\\="}, {"<", "=:=", ">"}}[g.int(0, 3)] {
			c := add(s())
			c.test("%s %s %s", l, rels, r)
		}
	case "kind":
		for _, kind := range g.shuffled([]string{"integer", "atom", "list"})[:g.int(1, 3)] {
			c := add(s())
			c.test("%s(A%d)", kind, k)
			if kind == "integer" {
				c.numbers = []string{fmt.Sprintf("A%d", k)}
			}
		}
	case "parts": // of vectors and structures
		a := fmt.Sprintf("A%d", k)
		for _, p := range g.shuffled([]string{"vector(%s, 0)", "vector(%s, N), N > 1", "vector(%s, 1), vector_element(%[1]s, 0, H)", "functor(%s, f, N)", "functor(%s, f, 1), arg(1, %[1]s, H)", "functor(%s, '.', 2), arg(1, %[1]s, H)"})[:g.int(1, 5)] {
			if strings.Contains(p, "f, N") && strings.Contains(strings.Join(tests(out), " "), "f, 1") || strings.Contains(p, "f, 1") && strings.Contains(strings.Join(tests(out), " "), "f, N") {
				continue // both could commit
			}
			c := add(s())
			c.test(p, a)
			if strings.Contains(p, "N") {
				c.numbers = []string{"N"}
				c.read("N")
			}
			if strings.Contains(p, "H") {
				c.read("H")
			}
		}
	case "standard":
		if g.often(50) {
			for _, rel := range [][]string{{"@<", "@>="}, {"@=<", "@>"}}[g.int(0, 1)] {
				add(s()).test("A0 %s A1", rel)
			}
		} else {
			for _, rel := range []string{"<", "=:=", ">"} {
				c := add(s())
				c.test("compare(A0, A1, D)")
				c.test("D %s 0", rel)
				c.numbers = []string{"D"}
				c.read("D")
			}
		}
	case "floats":
		a := fmt.Sprintf("A%d", k)
		for _, rel := range []string{"$<", "$>="} {
			c := add(s())
			c.test("%s %s %s", a, rel, g.one("1.0", a+" * 2.0 - 0.5", "float(2 + 1)"))
		}
		if c := out[len(out)-1]; strings.Contains(c.guard[0], "1.0") != strings.Contains(out[len(out)-2].guard[0], "1.0") || c.guard[0][strings.Index(c.guard[0], "=")+1:] != out[len(out)-2].guard[0][strings.Index(out[len(out)-2].guard[0], "<")+1:] {
			out = out[:len(out)-1] // only a comparison distinguishes them
		}
		c := add(s())
		c.test("integer(%s)", a)
		c.numbers = []string{a}
	case "text":
		for _, p := range g.shuffled([]string{"string_less_than(A0, A1)", "string_not_less_than(A0, A1)"})[:g.int(1, 2)] {
			c := add(s())
			c.test("%s", p)
			if g.often(50) {
				c.test("string(A0, N, _)")
				c.numbers = []string{"N"}
				c.read("N")
			}
		}
		c := add(s())
		c.test("atomic(A0)")
	case "same":
		if c := add(s()); g.often(50) {
			c.with(1, "A0")
		} else {
			c.test("A0 = A1")
		}
		add(s()).test(`A0 \= A1`)
	default:
		c := add(s())
		switch g.int(0, 5) {
		case 0:
			c.test("wait(A%d)", k)
		case 1:
			c.test("M := A%d + 1", k)
			c.read("M")
			c.numbers = []string{"M", fmt.Sprintf("A%d", k)}
		case 2:
			c.test("A%d = {H,T}", k)
			c.read("H", "T")
		}
	}
	return out
}

// tests returns the guards of clauses.
func tests(clauses []*scope) (out []string) {
	for _, c := range clauses {
		out = append(out, c.guard...)
	}
	return out
}

// builtin returns goals of builtins that build terms, and goals that read the results. Occasionally the builtins fail.
func (s *scope) builtin() []string {
	v, w, x := s.fresh(), s.fresh(), s.fresh()
	at := fmt.Sprint(s.int(0, 2))
	if s.often(10) && len(s.numbers) > 0 {
		at = s.one(s.numbers...)
	}
	vector := s.one("new_vector("+v+", 3)", fmt.Sprintf("new_vector(%s, [%s, %s, %s])", v, s.term(1), s.term(0), s.term(0)), fmt.Sprintf("%s = {%s,%s,%s}", v, s.term(0), s.term(1), s.term(0)))
	text := s.one("new_string("+v+", 3, 8)", v+` = "abc"`, "new_string("+v+", [97, 98, 99], 8)")
	var goals, made, numbers []string
	switch s.int(0, 9) {
	case 0:
		goals, made = []string{vector, fmt.Sprintf("vector_element(%s, %s, %s)", v, at, w)}, []string{v, w}
	case 1: // reads both versions
		goals = []string{vector, fmt.Sprintf("set_vector_element(%s, %s, %s, %s)", v, at, s.term(1), w), fmt.Sprintf("set_vector_element(%s, 0, %s, %s)", s.one(v, w), s.term(0), x)}
		made = []string{v, w, x}
	case 2:
		goals, made = []string{vector, fmt.Sprintf("set_vector_element(%s, %s, %s, %s, %s)", v, at, x, s.term(1), w)}, []string{v, w, x}
	case 3:
		goals = []string{text, fmt.Sprintf("set_string_element(%s, %s, 120, %s)", v, at, w), fmt.Sprintf("string_element(%s, %s, %s)", s.one(v, w), at, x)}
		made, numbers = []string{v, w, x}, []string{x}
	case 4:
		goals, made, numbers = []string{text, fmt.Sprintf("search_character(%s, 2, 0, 98, %s)", v, w)}, []string{v, w}, []string{w}
	case 5:
		goals, made, numbers = []string{fmt.Sprintf("functor(%s, %s, %s)", s.term(1), v, w)}, []string{v, w}, []string{w}
	case 6:
		goals, made = []string{fmt.Sprintf("%s =.. [f,%s,%s]", v, s.term(0), s.term(0)), fmt.Sprintf("arg(%d, %s, %s)", s.int(1, 2), v, w)}, []string{v, w}
	case 7:
		goals, made = []string{fmt.Sprintf("new_functor(%s, f, 2)", v), fmt.Sprintf("setarg(%d, %s, %s, %s)", s.int(1, 2), v, s.term(1), w)}, []string{v, w}
	case 8:
		goals, made = []string{vector, fmt.Sprintf("generic:split(%s, %s, %s, %s)", v, at, w, x)}, []string{v, w, x}
	default:
		goals, made = []string{v + " $:= " + s.one("1.5 * 2.0", "float(3) / 4.0", "sqrt(2.25) - 1.0", "pow(2.0, 3.0)")}, []string{v}
	}
	s.read(made...)
	s.numbers = append(s.numbers, numbers...)
	return goals
}
