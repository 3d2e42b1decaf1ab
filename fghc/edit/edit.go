// Package edit changes the placement of goals in the text of a program: it sets or removes the pragma @node(N) of a goal, so that a user who
// sees in a picture where a goal ran can place it elsewhere. The idea is from E. Tick and D.-Y. Park, "Kaleidescope Visualization of
// Fine-Grain Parallel Programs" (1991), section 4.
//
// Only the pragma of that goal changes; layout and comments stay. The result is parsed and compared with the original before it is returned.
package edit

import (
	"fmt"
	"slices"
	"strings"

	"whorl/fghc/syntax"
)

// A Goal is a goal of a body in the text.
type Goal struct {
	Pos   syntax.Pos
	Text  string // without its pragmas
	Node  string // N of its @node(N), or ""
	Calls syntax.Procedure
	Own   bool // the program defines that procedure, so that the goal is reduced
	piece
}

// ClauseAt returns the number, from 1, of the last clause that begins at or before a line, or 0.
func ClauseAt(f *syntax.File, line int32) int {
	number := 0
	for _, c := range f.Clauses {
		if c.Pos.Line <= line {
			number = c.Number
		}
	}
	return number
}

// Goals returns the goals of the body of a clause in source order, without `true`. If the program has errors the error is a syntax.Errors.
func Goals(name, src string, clause int) ([]Goal, error) {
	f, errs := syntax.Parse(name, src)
	if len(errs) > 0 {
		return nil, errs
	}
	return goals(f, clause)
}

func goals(f *syntax.File, clause int) ([]Goal, error) {
	i := slices.IndexFunc(f.Clauses, func(c *syntax.Clause) bool { return c.Number == clause })
	if i < 0 {
		return nil, fmt.Errorf("%s has no clause %d of %d", f.Name, clause, len(f.Clauses))
	}
	c := f.Clauses[i]
	pieces := body(f.Source, offset(f.Source, c.Pos))
	if len(pieces) != len(c.Body) {
		return nil, fmt.Errorf("%v: cannot find the goals of this clause in its text", c.Pos)
	}
	own := map[syntax.Procedure]bool{}
	for _, c := range f.Clauses {
		own[c.Head.Calls()] = true
	}
	list := make([]Goal, len(pieces))
	for k, p := range pieces {
		g := Goal{Pos: c.Body[k].Term.Position(), Calls: c.Body[k].Calls(), piece: p, Text: f.Source[p.from:p.to]}
		g.Own = own[g.Calls] || p.cases // cases become a procedure
		if n := c.Body[k].Node; n != nil {
			g.Node = syntax.Format(n)
		}
		list[k] = g
	}
	return list, nil
}

// Child returns the index of the goal that became child k, from 0, of a reduction: the k-th goal that calls a procedure of the program. It
// returns false if there are fewer.
func Child(goals []Goal, k int) (int, bool) {
	for i, g := range goals {
		if g.Own {
			if k == 0 {
				return i, true
			}
			k--
		}
	}
	return 0, false
}

// Place returns the program with @node(node) at one goal of a clause, replacing an existing @node; an empty node removes it. goal is an index
// into the result of Goals; node is a number or an expression.
func Place(name, src string, clause, goal int, node string) (string, error) {
	f, errs := syntax.Parse(name, src)
	if len(errs) > 0 {
		return "", errs
	}
	list, err := goals(f, clause)
	if err != nil {
		return "", err
	}
	if goal < 0 || goal >= len(list) {
		return "", fmt.Errorf("clause %d of %s has no goal %d of %d", clause, name, goal+1, len(list))
	}
	var want syntax.Term
	if node != "" {
		term, errs := syntax.ParseGoals("node", node)
		if len(errs) > 0 || len(term) != 1 || term[0].Node != nil || term[0].Module != "" {
			return "", fmt.Errorf("@node(%s): %q is not a number or an expression", node, node)
		}
		want = term[0].Term
		node = "@node(" + node + ")"
	}
	g := list[goal]
	for _, text := range []string{g.Text, "(" + g.Text + ")"} { // operators may bind less tightly than @
		changed := src[:g.from] + text + node + g.others + src[g.end:]
		if onlyNodeChanged(f, changed, clause, goal, want) {
			return changed, nil
		}
	}
	return "", fmt.Errorf("%v: this goal cannot have a pragma", g.Pos)
}

// onlyNodeChanged reports whether a changed text has the clauses of f, except for the node of one goal.
func onlyNodeChanged(f *syntax.File, changed string, clause, goal int, node syntax.Term) bool {
	h, errs := syntax.Parse(f.Name, changed)
	if len(errs) > 0 || len(h.Clauses) != len(f.Clauses) {
		return false
	}
	for i, c := range f.Clauses {
		d := h.Clauses[i]
		if c.Module != d.Module || c.Group != d.Group || c.Rank != d.Rank || !equal(c.Head, d.Head) || !slices.EqualFunc(c.Guard, d.Guard, equal) || len(c.Body) != len(d.Body) {
			return false
		}
		for k, g := range c.Body {
			if c.Number == clause && k == goal {
				g.Node = node
			}
			if !equal(g, d.Body[k]) {
				return false
			}
		}
	}
	return true
}

func equal(a, b syntax.Goal) bool {
	if a.Module != b.Module || a.Lower != b.Lower || syntax.Format(a.Term) != syntax.Format(b.Term) {
		return false
	}
	same := func(a, b syntax.Term) bool {
		if a == nil || b == nil {
			return a == b
		}
		return syntax.Format(a) == syntax.Format(b)
	}
	return same(a.Node, b.Node) && same(a.Priority, b.Priority)
}

// offset returns the byte offset of a position. Columns count characters and exclude a byte order mark.
func offset(src string, pos syntax.Pos) int {
	i := 0
	for line := int32(1); line < pos.Line; line++ {
		i += strings.IndexByte(src[i:], '\n') + 1
	}
	if i == 0 && strings.HasPrefix(src, "\ufeff") {
		i = 3
	}
	for column := int32(1); column < pos.Column && i < len(src); column++ {
		for i++; i < len(src) && src[i]&0xC0 == 0x80; i++ {
		}
	}
	return i
}
