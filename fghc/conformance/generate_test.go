package conformance_test

import (
	"fmt"
	"slices"
	"strings"
)

// A generator writes random programs whose outcome does not depend on the schedule: the clauses of a procedure exclude
// each other, or follow an otherwise. The programs end, because a procedure calls only later ones, and itself with a
// smaller input. A variable is bound by one goal among those before its readers, in an order that is shuffled
// afterwards, so that no cyclic term arises; occasionally it is bound by none or by two. Otherwise the programs may do
// anything: wait forever, fail, or evaluate arithmetic without a value.
type generator struct {
	int   func(from, to int) int // a number in the range
	procs []proc
	out   strings.Builder
}

// A proc is a procedure with inputs and outputs, and clauses of one kind.
type proc struct {
	name    string
	in, out int
	kind    string
}

// A scope is a clause being written.
type scope struct {
	*generator
	proc    int
	head    []string // patterns of the inputs
	guard   []string
	known   []string // variables that may be read
	numbers []string // of those, the integers if the clause commits
	replies []string // variables whose binding a sender awaits
	smaller string   // the first input of a recursive call, "" for none
	next    int      // number of the next variable
}

func (g *generator) often(percent int) bool  { return g.int(0, 99) < percent }
func (g *generator) one(of ...string) string { return of[g.int(0, len(of)-1)] }

func (g *generator) shuffled(goals []string) []string {
	out := slices.Clone(goals)
	for i := range out {
		k := g.int(i, len(out)-1)
		out[i], out[k] = out[k], out[i]
	}
	return out
}

func (s *scope) fresh() string     { s.next++; return fmt.Sprintf("V%d", s.next) }
func (s *scope) read(vs ...string) { s.known = append(s.known, vs...) }
func (s *scope) test(format string, args ...any) {
	s.guard = append(s.guard, fmt.Sprintf(format, args...))
}

var kinds = []string{
	"list", "list", "count", "count", "shape", "shape", "nested", "order", "kind", "same", "single", "parts", "standard", "floats", "text",
}

// program returns a program and a query, determined by choose.
func program(choose func(from, to int) int) (src, query string) {
	g := &generator{int: choose}
	for i := range g.int(1, 7) {
		p := proc{name: fmt.Sprintf("p%d", i), in: g.int(1, 3), out: g.int(1, 2), kind: g.one(kinds...)}
		if i == 0 && g.often(50) {
			p.kind = g.one("list", "count")
		}
		if p.kind == "order" || p.kind == "same" || p.kind == "standard" || p.kind == "text" {
			p.in = max(p.in, 2)
		}
		g.procs = append(g.procs, p)
	}
	for i := range g.procs {
		g.procedure(i)
	}
	return g.out.String(), g.query()
}

// query calls some procedures. Some inputs are unbound, bound late, or outputs of another call.
func (g *generator) query() string {
	var goals, made []string
	for c := range g.int(1, 4) {
		p := g.procs[g.int(0, (len(g.procs)-1)/2)]
		args := make([]string, 0, p.in+p.out)
		for i := range p.in {
			a := g.suitable(p, i)
			switch {
			case g.often(2):
				a = fmt.Sprintf("Z%d", i)
			case g.often(20):
				v := fmt.Sprintf("L%d_%d", c, i)
				goals = append(goals, v+" = "+a)
				a = v
			case len(made) > 0 && g.often(40):
				a = g.one(made...)
			}
			args = append(args, a)
		}
		for i := range p.out {
			args = append(args, fmt.Sprintf("X%d_%d", c, i))
		}
		made = append(made, args[p.in:]...)
		goals = append(goals, p.name+"("+strings.Join(args, ", ")+")")
	}
	return strings.Join(g.shuffled(goals), ", ")
}

// procedure writes the clauses of procedure i.
func (g *generator) procedure(i int) {
	clauses := g.clauses(i)
	if n := len(clauses); n > 1 && g.often(8) {
		clauses = clauses[:n-1] // the procedure fails for some inputs
	}
	for i := range clauses {
		k := g.int(i, len(clauses)-1)
		clauses[i], clauses[k] = clauses[k], clauses[i]
		g.clause(clauses[i])
	}
	if g.procs[i].kind != "single" && g.often(93) {
		g.out.WriteString("otherwise.\n")
		g.clause(g.scope(i))
	}
}

// scope returns a clause whose inputs are variables.
func (g *generator) scope(i int) *scope {
	s := &scope{generator: g, proc: i}
	for k := range g.procs[i].in {
		v := fmt.Sprintf("A%d", k)
		s.head = append(s.head, v)
		s.read(v)
	}
	return s
}

// with replaces input k by a pattern and makes its variables known.
func (s *scope) with(k int, pattern string, vars ...string) *scope {
	for i, v := range s.known {
		if v == s.head[k] {
			s.known = append(s.known[:i:i], s.known[i+1:]...)
			break
		}
	}
	s.head[k] = pattern
	s.read(vars...)
	return s
}

// ground returns a term without variables.
func (g *generator) ground(depth int) string {
	n := 11
	if depth == 0 {
		n = 5
	}
	sub := func() string { return g.ground(depth - 1) }
	switch g.int(0, n) {
	case 0, 1:
		return fmt.Sprint(g.int(-2, 4))
	case 2:
		return g.one("a", "b", "c")
	case 3:
		return "[]"
	case 4:
		return g.one(`"s"`, `"t"`, "9223372036854775807", "-4000000000000000000", "1152921504606846976", "1.5", "0.25", "-2.0")
	case 5:
		return fmt.Sprint(g.int(1, 3))
	case 6:
		return "f(" + sub() + ")"
	case 7:
		return "f(" + sub() + "," + sub() + ")"
	case 8:
		return "{" + sub() + "}"
	case 9:
		return "{" + sub() + "," + sub() + "}"
	}
	items := make([]string, g.int(1, 3))
	for i := range items {
		items[i] = sub()
	}
	return "[" + strings.Join(items, ",") + "]"
}

// suitable returns a likely input i of a procedure.
func (g *generator) suitable(p proc, i int) string {
	switch {
	case i == 0 && p.kind == "list":
		items := make([]string, g.int(0, 5))
		for i := range items {
			items[i] = g.ground(1)
		}
		return "[" + strings.Join(items, ",") + "]"
	case i == 0 && p.kind == "count", p.kind == "order":
		return fmt.Sprint(g.int(-1, 4))
	case p.kind == "floats" && g.often(70):
		return g.one("0.5", "1.0", "3.0", "-1.5", "2")
	case p.kind == "text" && g.often(80):
		return g.one(`"s"`, `"st"`, `""`, `"t"`)
	case p.kind == "parts" && g.often(60):
		return g.one("{}", "{1,b}", "{[]}", "f(1)", "f(a,2)", "[1]")
	}
	return g.ground(2)
}

// term returns a term over the known variables.
func (s *scope) term(depth int) string {
	if len(s.known) == 0 {
		return s.ground(depth)
	}
	v := s.one(s.known...)
	switch s.int(0, 9) {
	case 0:
		return "[" + v + "|" + s.one(s.known...) + "]"
	case 1:
		return "f(" + v + ")"
	case 2:
		return "{" + v + "," + s.ground(0) + "}"
	case 3:
		return "[" + v + "," + s.one(s.known...) + "]"
	case 4, 5:
		return s.ground(depth)
	}
	return v
}

// expression returns an expression over presumed integers, occasionally over any variables.
func (s *scope) expression() string {
	operand := func() string {
		if s.often(2) && len(s.known) > 0 {
			return s.one(s.known...)
		}
		if len(s.numbers) > 0 && s.often(70) {
			return s.one(s.numbers...)
		}
		return fmt.Sprint(s.int(-3, 5))
	}
	switch s.int(0, 9) {
	case 0:
		return operand() + " mod " + fmt.Sprint(s.int(1, 4))
	case 1:
		return operand() + " / " + fmt.Sprint(s.int(-1, 5))
	case 2:
		return "(" + operand() + " " + s.one("+", "-", "*", `/\`, `\/`, "xor") + " " + operand() + ") " + s.one("+", "-", "*", "<<", ">>") + " " + fmt.Sprint(s.int(0, 12))
	case 3:
		return s.one("-", "+", `\ `) + "(" + operand() + ")"
	}
	return operand() + " " + s.one("+", "-", "*") + " " + operand()
}

// call writes a call of a later procedure with outputs outs and new ones.
func (s *scope) call(outs []string) (goal string, made []string, ok bool) {
	if s.proc == len(s.procs)-1 {
		return "", nil, false
	}
	p := s.procs[s.int(s.proc+1, len(s.procs)-1)]
	args := make([]string, 0, p.in+p.out)
	for i := range p.in {
		a := s.term(1)
		if s.often(40) {
			a = s.suitable(p, i)
		}
		if s.often(3) { // a question with a variable for its answer
			v := s.fresh()
			a = "r(" + v + ")"
			made = append(made, v)
		}
		args = append(args, a)
	}
	for i := range p.out {
		if i < len(outs) {
			args = append(args, outs[i])
			continue
		}
		v := s.fresh()
		args = append(args, v)
		made = append(made, v)
	}
	goal = p.name + "(" + strings.Join(args, ", ") + ")"
	if s.often(10) {
		goal += fmt.Sprintf("@node(%d)", s.int(0, 5))
	}
	return goal, made, true
}

// clause writes a clause.
func (g *generator) clause(s *scope) {
	p := g.procs[s.proc]
	outs := make([]string, p.out)
	for i := range outs {
		outs[i] = fmt.Sprintf("X%d", i)
	}
	var body []string
	for range s.int(0, 3) {
		if goal, made, ok := s.call(nil); ok && s.often(60) {
			body = append(body, goal)
			s.read(made...)
			continue
		}
		if s.often(30) {
			body = append(body, s.builtin()...)
			continue
		}
		v := s.fresh()
		switch s.int(0, 9) {
		case 0, 1, 2, 3:
			body = append(body, v+" := "+s.expression())
			s.numbers = append(s.numbers, v)
		case 4:
			body = append(body, fmt.Sprintf("bigint(%s, %s)", s.expression(), v))
		case 5:
			if s.often(60) {
				body = append(body, v+" = "+s.term(1))
			}
		default:
			body = append(body, v+" = "+s.term(1))
		}
		s.read(v)
	}
	todo := outs
	if s.smaller != "" && s.often(80) {
		rest := make([]string, p.out)
		args := []string{s.smaller}
		for range p.in - 1 {
			args = append(args, s.term(0))
		}
		for i := range rest {
			rest[i] = s.fresh()
		}
		goal := p.name + "(" + strings.Join(append(args, rest...), ", ") + ")"
		if s.often(60) { // the outputs contain those of the recursive call
			for i, o := range outs {
				body = append(body, fmt.Sprintf("%s = [%s|%s]", o, s.term(0), rest[i]))
			}
			todo = nil
		}
		body = append(body, goal)
		s.read(rest...)
	}
	for len(todo) > 0 {
		if goal, made, ok := s.call(todo); ok && s.often(60) {
			body = append(body, goal)
			s.read(made...)
			todo = todo[len(todo)-s.left(goal, todo):]
			continue
		}
		switch {
		case len(s.numbers) > 0 && s.often(40):
			body = append(body, todo[0]+" := "+s.expression())
		default:
			body = append(body, todo[0]+" = "+s.term(1))
		}
		todo = todo[1:]
	}
	for _, r := range s.replies {
		body = append(body, fmt.Sprintf("%s = %d", r, s.int(1, 2)))
	}
	if s.often(1) {
		body = append(body, outs[0]+" = "+s.ground(0))
	}
	g.out.WriteString(p.name + "(" + strings.Join(append(s.head, outs...), ", ") + ")")
	text := strings.Join(s.shuffled(body), ", ")
	if len(s.guard) > 0 {
		text = strings.Join(s.guard, ", ") + " | " + text
	}
	g.out.WriteString(" :- " + text + ".\n")
}

// left returns the number of outputs that a call did not use.
func (s *scope) left(goal string, outs []string) (n int) {
	for _, o := range outs {
		if !strings.Contains(goal, o+",") && !strings.Contains(goal, o+")") {
			n++
		}
	}
	return n
}
