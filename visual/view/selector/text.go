package selector

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whorl/tracer"
	"whorl/tracer/query"
	"whorl/visual/view"
)

// Text returns the expression of a selection of the trace: the one that it was made from, or else one that Select turns into the same
// selection. It is "" for the empty selection.
func (s *Selector) Text(sel view.Selection) string {
	if sel.Expr != "" {
		return sel.Expr
	}
	var parts []string
	add := func(field string, members []string) {
		if len(members) > 0 {
			parts = append(parts, isIn(field, members))
		}
	}
	add("pe", spans(sel.PEs))
	if len(sel.Codes) > 0 {
		parts = append(parts, s.codeText(sel.Codes))
	}
	add("line", lines(sel.Lines))
	if sel.Time != nil {
		parts = append(parts, "begin in "+query.FormatTime(sel.Time.First)+".."+query.FormatTime(sel.Time.Last))
	}
	var contexts, tasks []string
	for _, c := range sel.Contexts {
		contexts = append(contexts, fmt.Sprintf("0x%x", c))
	}
	add("context", contexts)
	for _, t := range sel.Tasks {
		switch {
		case t.Subtree:
			tasks = append(tasks, fmt.Sprintf("subtree(%d)", t.First))
		case t.Last > t.First:
			tasks = append(tasks, fmt.Sprintf("%d..%d", t.First, t.Last))
		default:
			tasks = append(tasks, strconv.FormatUint(t.First, 10))
		}
	}
	add("task", tasks)
	return strings.Join(parts, " and ")
}

// isIn returns the condition that a field has one of some values.
func isIn(field string, members []string) string {
	switch {
	case len(members) > 1:
		return field + " in {" + strings.Join(members, ", ") + "}"
	case strings.Contains(members[0], "..") || strings.HasPrefix(members[0], "subtree("):
		return field + " in " + members[0]
	}
	return field + " = " + members[0]
}

func spans(list []view.Span) (members []string) {
	for _, s := range list {
		if s.First == s.Last {
			members = append(members, strconv.FormatInt(s.First, 10))
		} else {
			members = append(members, fmt.Sprintf("%d..%d", s.First, s.Last))
		}
	}
	return members
}

func lines(list []view.Lines) (members []string) {
	for _, l := range list {
		text := strconv.Quote(l.File) + ":" + strconv.Itoa(int(l.First))
		if l.End() > l.First {
			text += ".." + strconv.Itoa(int(l.End()))
		}
		members = append(members, text)
	}
	return members
}

// codeText returns the condition for some codes: by the names of procedures and the lines of clauses, or by their numbers where other
// codes have the same.
func (s *Selector) codeText(codes []uint32) string {
	dict := s.source.Dict()
	var procedures, clauses, numbers []string
	named := 0 // codes that have a name or a line
	for _, c := range codes {
		code := dict.Code(c)
		numbers = append(numbers, strconv.FormatUint(uint64(c), 10))
		switch code.Type {
		case tracer.Procedure, tracer.Function:
			procedures = append(procedures, strconv.Quote(code.Name))
			named++
		case tracer.Clause:
			clauses = append(clauses, strconv.Quote(code.File)+":"+strconv.Itoa(int(code.Line)))
			named++
		}
	}
	procedures, clauses = each(procedures), each(clauses)
	var parts []string
	if len(procedures) > 0 {
		parts = append(parts, isIn("procedure", procedures))
	}
	if len(clauses) > 0 {
		parts = append(parts, isIn("clause", clauses))
	}
	if text := strings.Join(parts, " or "); named == len(codes) {
		if len(parts) > 1 {
			text = "(" + text + ")"
		}
		again, err := s.Select(text)
		if want := slices.Sorted(slices.Values(codes)); err == nil && slices.Equal(again.Codes, want) {
			return text
		}
	}
	return isIn("code", numbers)
}

// each returns the texts of a list in their order, each once.
func each(list []string) (out []string) {
	for _, text := range list {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
