// Package selector translates between selections of a trace and expressions (tracer/query).
//
// An expression becomes a Selection part by part: those that "and" joins. A part about PEs alone becomes a list of PEs; one about procedures,
// clauses or files a list of codes; one about lines a list of lines; an interval of times the time; tasks and subtrees the list of tasks. If
// any other part is there, such as "time > 2ms", the whole expression is evaluated for each task of the trace (spawntree), and the tasks
// that fulfil it are listed.
//
// The text of a Selection has a part for each of its lists. Select reads the same Selection back.
package selector

import (
	"fmt"
	"math"
	"slices"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/tracer/query"
	"whorl/visual/view"
)

// A Selector translates the expressions of one trace. It is used by one goroutine at a time.
type Selector struct {
	name   string
	source tracer.Source
	tree   func() (*spawntree.Tree, error)

	schema query.Schema[*row]
	lines  []view.Lines // the places of the table of lines, by index
	nodes  *spawntree.Tree
}

// New returns the selector of a trace, with its name in selections. It calls tree, which returns the tree of its tasks, once, for the first
// expression that needs it; nil derives it from the trace.
func New(name string, src tracer.Source, tree func() (*spawntree.Tree, error)) *Selector {
	if tree == nil {
		tree = func() (*spawntree.Tree, error) { return spawntree.Grow(src, nil, nil) }
	}
	s := &Selector{name: name, source: src, tree: tree}
	s.schema = s.fields()
	return s
}

// Most is the largest number of ranges of a list that an expression selects.
const Most = 10_000

// Select returns the selection of an expression. Errors in the expression are of type *fault.Error; that of an expression that nothing
// fulfils is a view.NotNow. The empty text selects nothing.
func (s *Selector) Select(text string) (out view.Selection, err error) {
	if text == "" {
		return out, nil
	}
	e, err := query.Parse(text)
	if err != nil {
		return out, err
	}
	if _, err = query.Where(s.schema, e); err != nil {
		return out, err
	}
	parts := s.divide(e)
	out = view.Selection{Trace: s.name, Expr: text}
	for _, list := range []struct {
		parts []*query.Expr
		add   func([]*query.Expr, *view.Selection) error
	}{{parts.pes, s.addPEs}, {parts.codes, s.addCodes}, {parts.lines, s.addLines}, {parts.times, s.addTimes}, {parts.contexts, s.addContexts}, {parts.tasks, s.addTasks}} {
		if len(list.parts) == 0 {
			continue
		}
		if err := list.add(list.parts, &out); err != nil {
			return view.Selection{}, err
		}
	}
	if parts.rest != nil {
		if out.Tasks, err = s.evaluate(e, parts.rest); err != nil {
			return view.Selection{}, err
		}
	}
	if n := max(len(out.Tasks), len(out.Codes), len(out.Lines), len(out.PEs)); n > Most {
		return view.Selection{}, e.Wrong(fmt.Sprintf("it selects %s separate ranges", figures.Count(int64(n))), fmt.Sprintf("at most %s: another condition narrows it", figures.Count(Most)))
	}
	return out, nil
}

// parts are the parts of an expression by the list of a selection that they become.
type parts struct {
	pes, codes, lines, times, contexts, tasks []*query.Expr

	rest *query.Expr // one that becomes no list
}

func (s *Selector) divide(e *query.Expr) (p parts) {
	for _, part := range e.Conjuncts() {
		uses := query.Uses(s.schema, part)
		only := func(names ...string) bool {
			return !slices.ContainsFunc(uses, func(used string) bool { return !slices.Contains(names, used) })
		}
		_, _, begins := part.Ranges("begin")
		_, _, contexts := part.Ranges("context")
		_, _, tasks := part.Ranges("task")
		switch {
		case only("pe"):
			p.pes = append(p.pes, part)
		case only("line"):
			p.lines = append(p.lines, part)
		case only("procedure", "clause", "file", "code", "line"):
			p.codes = append(p.codes, part)
		case begins:
			p.times = append(p.times, part)
		case contexts:
			p.contexts = append(p.contexts, part)
		case tasks && p.tasks == nil:
			p.tasks = append(p.tasks, part)
		default:
			p.rest = part
		}
	}
	return p
}

// errEmpty is the error of an expression that nothing fulfils.
const errEmpty = view.NotNow("nothing in the trace fulfils the expression")

// where returns the condition that all parts are fulfilled.
func (s *Selector) where(parts []*query.Expr) (func(*row) bool, error) {
	var all []func(*row) bool
	for _, part := range parts {
		match, err := query.Where(s.schema, part)
		if err != nil {
			return nil, err
		}
		all = append(all, match)
	}
	return func(r *row) bool {
		return !slices.ContainsFunc(all, func(match func(*row) bool) bool { return !match(r) })
	}, nil
}

func (s *Selector) addPEs(parts []*query.Expr, out *view.Selection) error {
	match, err := s.where(parts)
	if err != nil {
		return err
	}
	for pe := range int64(max(s.source.Meta().PEs, 1)) {
		switch n := len(out.PEs); {
		case !match(&row{pe: pe}):
		case n > 0 && out.PEs[n-1].Last == pe-1:
			out.PEs[n-1].Last = pe
		default:
			out.PEs = append(out.PEs, view.Span{First: pe, Last: pe})
		}
	}
	return needed(len(out.PEs))
}

// needed returns an error for an empty list, which would not narrow a selection.
func needed(n int) error {
	if n == 0 {
		return errEmpty
	}
	return nil
}

// addCodes lists the codes of the program that fulfil all parts: a procedure for all its clauses if it does so itself.
func (s *Selector) addCodes(parts []*query.Expr, out *view.Selection) error {
	match, err := s.where(parts)
	if err != nil {
		return err
	}
	codes := s.source.Dict().Codes()
	selects := make([]bool, len(codes))
	for i := range codes {
		selects[i] = codes[i].Type >= tracer.Procedure && codes[i].Type <= tracer.Instruction && match(&row{code: int64(i)})
		if owner := tracer.Owner(codes, uint32(i)); selects[i] && (owner == uint32(i) || !selects[owner]) { // owners precede what they own
			out.Codes = append(out.Codes, uint32(i))
		}
	}
	return needed(len(out.Codes))
}

func (s *Selector) addLines(parts []*query.Expr, out *view.Selection) error {
	match, err := s.where(parts)
	if err != nil {
		return err
	}
	for i, l := range s.lines {
		switch n := len(out.Lines); {
		case l.First == 0 || !match(&row{code: int64(i)}):
		case n > 0 && out.Lines[n-1].File == l.File && out.Lines[n-1].End() == l.First-1:
			out.Lines[n-1].Last = l.First
		default:
			out.Lines = append(out.Lines, view.Lines{File: l.File, First: l.First})
		}
	}
	return needed(len(out.Lines))
}

// addTimes sets the time to the part of the trace that all intervals have in common.
func (s *Selector) addTimes(parts []*query.Expr, out *view.Selection) error {
	from, to := s.source.Span()
	out.Time = &view.Span{First: from, Last: to}
	for _, part := range parts {
		ranges, _, _ := part.Ranges("begin")
		if len(ranges) != 1 {
			return part.Wrong("a selection has one range of times", "begin in A..B, begin > A or begin < B")
		}
		out.Time.First, out.Time.Last = max(out.Time.First, ranges[0].First), min(out.Time.Last, ranges[0].Last)
	}
	if out.Time.Last < out.Time.First {
		return errEmpty
	}
	return nil
}

func (s *Selector) addContexts(parts []*query.Expr, out *view.Selection) error {
	for _, part := range parts {
		ranges, _, _ := part.Ranges("context")
		for _, r := range ranges {
			if r.First != r.Last {
				return part.Wrong("a range of contexts", "context = N or context in {N, M}: their numbers have no order")
			}
			out.Contexts = append(out.Contexts, uint64(r.First))
		}
	}
	return needed(len(out.Contexts))
}

func (s *Selector) addTasks(parts []*query.Expr, out *view.Selection) error {
	ranges, roots, _ := parts[0].Ranges("task")
	for _, root := range roots {
		out.Tasks = append(out.Tasks, view.Tasks{First: uint64(root), Subtree: true})
	}
	for _, r := range ranges {
		t := view.Tasks{First: uint64(max(r.First, 0)), Last: uint64(max(r.Last, 0))}
		if t.First == t.Last {
			t.Last = 0
		}
		out.Tasks = append(out.Tasks, t)
	}
	return needed(len(out.Tasks))
}

// evaluate returns the tasks that fulfil an expression. rest is the part that needs them.
func (s *Selector) evaluate(e, rest *query.Expr) (tasks []view.Tasks, err error) {
	uses := query.Uses(s.schema, rest)
	if slices.Contains(uses, "context") {
		return nil, rest.Wrong("context stands in a part of its own", "context = N or context in {N, M}, joined to other parts by and")
	}
	if !s.hasTasks() {
		return nil, rest.Wrong("the trace has no tasks, so each part of the expression names only PEs, only procedures and files, only lines, or one range of begin",
			"parts such as pe in 3..7 and procedure ~ /^big/")
	}
	match, err := query.Where(s.schema, e)
	if err != nil {
		return nil, err
	}
	t, err := s.spawned()
	if err != nil {
		return nil, err
	}
	index := t.Index()
	var r row
	index.Each(0, math.MaxUint64, func(node int32) {
		s.fill(&r, t, int(node))
		if !match(&r) {
			return
		}
		task := uint64(r.task)
		if n := len(tasks); n > 0 && max(tasks[n-1].First, tasks[n-1].Last) == task-1 {
			tasks[n-1].Last = task
		} else {
			tasks = append(tasks, view.Tasks{First: task})
		}
	})
	return tasks, needed(len(tasks))
}

func (s *Selector) spawned() (*spawntree.Tree, error) {
	if s.nodes == nil {
		t, err := s.tree()
		if err != nil {
			return nil, err
		}
		s.nodes = t
	}
	return s.nodes, nil
}

// hasTasks reports whether the trace has a tree of tasks.
func (s *Selector) hasTasks() bool {
	counts := s.source.Counts()
	return counts[tracer.Reduce]+counts[tracer.Fork]+counts[tracer.Start] > 0
}
