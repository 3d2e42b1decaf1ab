package selector

import (
	"path"
	"slices"
	"strings"

	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/tracer/query"
	"whorl/visual/view"
)

// A row is a task of the trace, or a PE or a code alone.
type row struct {
	pe, code, task, parent, begin, time, depth, below int64
}

// fill makes r the row of a node of the tree of tasks.
func (s *Selector) fill(r *row, t *spawntree.Tree, node int) {
	*r = row{
		pe: int64(t.PE.At(node)), code: int64(t.Code.At(node)), task: int64(t.Task.At(node)), begin: t.Time.At(node), time: t.Cost.At(node),
		depth: int64(t.Level.At(node)), below: int64(t.Size[node]) - 1,
	}
	if p := t.Parent[node]; p >= 0 {
		r.parent = int64(t.Task.At(int(p)))
	}
}

// fields returns the schema of the rows, with the tables of the trace.
func (s *Selector) fields() query.Schema[*row] {
	code := func(r *row) int64 { return r.code }
	schema := query.Schema[*row]{Rows: "selections", Fields: []query.Field[*row]{
		{Name: "pe", Doc: "PE of the task", Int: func(r *row) int64 { return r.pe }},
		{Name: "begin", Doc: "time of the reduction or the start of the thread", Type: query.Time, Int: func(r *row) int64 { return r.begin }},
		{Name: "code", Doc: "number of an entry of the code table", Int: code},
		{Name: "context", Doc: "number of a calling context", Int: func(*row) int64 { return -1 }},
	}}
	for _, f := range query.CodeFields(s.source.Dict(), code) {
		switch f.Name {
		case "line":
			schema.Fields = append(schema.Fields, clauseField(f, s.source.Dict().Codes()))
			s.addSource(&f)
			schema.Fields = append(schema.Fields, f)
		case "procedure", "file":
			schema.Fields = append(schema.Fields, f)
		}
	}
	if s.hasTasks() {
		schema.Fields = append(schema.Fields,
			query.Field[*row]{Name: "task", Doc: "number of the task", Int: func(r *row) int64 { return r.task }, Subtree: s.below},
			query.Field[*row]{Name: "parent", Doc: "task that created it, 0 for none", Int: func(r *row) int64 { return r.parent }},
			query.Field[*row]{Name: "time", Doc: "cost of the reduction, or run time of the thread", Type: query.Time, Int: func(r *row) int64 { return r.time }},
			query.Field[*row]{Name: "depth", Doc: "level in the tree, 0 for a root", Int: func(r *row) int64 { return r.depth }},
			query.Field[*row]{Name: "descendants", Doc: "number of tasks below it in the tree", Int: func(r *row) int64 { return r.below }},
		)
	}
	return schema
}

// clauseField returns the field of the places of clauses alone, made from that of lines.
func clauseField(line query.Field[*row], codes []tracer.Code) query.Field[*row] {
	line.Name, line.Doc = "clause", `clause that begins in a line: "pascal.fghc":12`
	line.Lines = slices.Clone(line.Lines)
	for i := range line.Lines {
		if codes[i].Type != tracer.Clause {
			line.Lines[i] = 0
		}
	}
	return line
}

// addSource adds the lines of the program that no code names to the table of lines, ordered by file and line, and notes the place of each.
func (s *Selector) addSource(f *query.Field[*row]) {
	f.Texts, f.Lines = slices.Clone(f.Texts), slices.Clone(f.Lines)
	codes := len(f.Lines)
	s.lines = make([]view.Lines, codes)
	names := map[string]bool{}
	for _, file := range s.source.Meta().Source {
		names[path.Base(file.Name)] = true
		for n := range 1 + strings.Count(file.Text, "\n") {
			f.Texts, f.Lines = append(f.Texts, file.Name), append(f.Lines, int32(n+1))
			s.lines = append(s.lines, view.Lines{File: file.Name, First: int32(n + 1)})
		}
	}
	var others []view.Lines // of files without a text
	for i := range codes {
		if l := (view.Lines{File: f.Texts[i], First: f.Lines[i]}); l.First > 0 && !names[path.Base(l.File)] {
			others = append(others, l)
		}
	}
	slices.SortFunc(others, func(a, b view.Lines) int {
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		return int(a.First - b.First)
	})
	for _, l := range slices.Compact(others) {
		f.Texts, f.Lines = append(f.Texts, l.File), append(f.Lines, l.First)
		s.lines = append(s.lines, l)
	}
}

// below returns the function that reports whether a task is in the subtree of root, nil if the tree has no such task.
func (s *Selector) below(root int64) func(task int64) bool {
	t, err := s.spawned()
	if err != nil {
		return nil
	}
	index := t.Index()
	node := index.Node(uint64(root))
	if node < 0 {
		return nil
	}
	return func(task int64) bool {
		n := index.Node(uint64(task))
		return n >= node && n < node+t.Size[node]
	}
}
