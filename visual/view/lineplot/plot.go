package lineplot

import (
	"slices"
	"strconv"
	"sync"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/lineprofile"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/view"
)

// A Plot holds the sums of a metric by line and by procedure.
type Plot struct {
	Run       *view.Run
	Profile   *lineprofile.Profile
	Metric    int // index into Profile.Metrics, which may be empty
	Column    *Column
	Inclusive bool // a line counts the code that it calls, too

	other *other // nil unless the sums are differences
	wrong error  // why the run is not compared with another, or nil

	tree  *spawntree.Tree
	index func() *spawntree.Index

	sums       view.Memo[*view.Span, *Sums] // by time
	highlights view.Memo[view.Selection, *Highlight]
	machine    view.Memo[*view.Span, *Instructions] // by time
}

// NewPlot returns the plot of a metric. tree is the spawn tree of the run.
func NewPlot(run *view.Run, tree *spawntree.Tree, p *lineprofile.Profile, metric int, inclusive bool) *Plot {
	return &Plot{Run: run, Profile: p, Metric: metric, Inclusive: inclusive, Column: NewColumn(p), tree: tree, index: sync.OnceValue(tree.Index)}
}

// Sums holds the sums of a metric in a time, by line and by procedure. They are those of the run, or their differences to another run.
type Sums struct {
	Whole      int64 // sum of all counts of the run, also of a run that is compared
	Lines      *lineprofile.Table
	Functions  *lineprofile.Table
	Ranked     []int // indices of rows of Functions, largest total or difference first
	functionOf map[int32]int
}

// All returns the sums of the whole run.
func (p *Plot) All() *Sums { return p.In(nil) }

// Counted returns the sums of the time that a frame counts.
func (p *Plot) Counted(f *view.Frame) *Sums { return p.In(f.Counted()) }

// In returns the sums of a time; nil means the whole run. It caches the last answers.
func (p *Plot) In(time *view.Span) *Sums {
	return p.sums.Get(time, (*view.Span).Same, func() *Sums { return p.add(time) })
}

// Instructions holds the sums of a metric in a time, by instruction.
type Instructions struct {
	*lineprofile.Table
	row map[uint32]int // index in Rows, by code
}

// RowOf returns the index in Rows of an instruction, or -1 if it has no counts.
func (x *Instructions) RowOf(code uint32) int {
	if i, ok := x.row[code]; ok {
		return i
	}
	return -1
}

// Instructions returns the sums of instructions in a time; nil means the whole run. It caches the last answers.
func (p *Plot) Instructions(time *view.Span) *Instructions {
	return p.machine.Get(time, (*view.Span).Same, func() *Instructions {
		x := &Instructions{p.Sum(lineprofile.ByInstruction, p.Query(time)), map[uint32]int{}}
		for i := range x.Rows {
			x.row[x.Rows[i].Code] = i
		}
		return x
	})
}

// Query returns the query of the plot's metric in a time; nil means the whole run.
func (p *Plot) Query(time *view.Span) lineprofile.Query {
	q := lineprofile.Query{Metric: p.Metric, Inclusive: p.Inclusive}
	if time != nil {
		q.Time = &lineprofile.Span{First: time.First, Last: time.Last}
	}
	return q
}

func (p *Plot) add(time *view.Span) *Sums {
	q := p.Query(time)
	s := &Sums{Lines: p.Sum(lineprofile.ByLine, q), Functions: p.Sum(lineprofile.ByFunction, q), functionOf: map[int32]int{}}
	if s.Whole = s.Lines.Total; p.other != nil {
		s.Whole = p.Profile.Sum(lineprofile.ByLine, q).Total
	}
	for i := range s.Functions.Rows {
		s.Ranked = append(s.Ranked, i)
		s.functionOf[s.Functions.Rows[i].Function] = i
	}
	slices.SortStableFunc(s.Ranked, func(a, b int) int {
		return lineprofile.CompareTotals(&s.Functions.Rows[b], &s.Functions.Rows[a])
	})
	return s
}

// Function returns the row of function k in s.Functions, or -1 if it has no counts.
func (s *Sums) Function(k int32) int {
	if i, ok := s.functionOf[k]; ok {
		return i
	}
	return -1
}

// Noun returns the name of the metric.
func (p *Plot) Noun() string {
	if p.Metric >= len(p.Profile.Metrics) {
		return "ticks"
	}
	return p.Profile.Metrics[p.Metric].Name
}

// Amount formats an amount in the metric's unit. A plain count is followed by the metric's name.
func (p *Plot) Amount(n int64) string {
	if s, ok := p.unit(n); ok {
		return s
	}
	noun := p.Noun()
	if n == 1 && len(noun) > 1 && noun[len(noun)-1] == 's' {
		noun = noun[:len(noun)-1]
	}
	return figures.Count(n) + " " + noun
}

// Short formats an amount like Amount, without the metric's name.
func (p *Plot) Short(n int64) string {
	if s, ok := p.unit(n); ok {
		return s
	}
	return figures.Count(n)
}

// Amounts formats the amounts of a column of a table alike.
func (p *Plot) Amounts(ns []int64) []string {
	if m := p.metric(); m.Unit == "ns" && (m.Scale == 1 || m.Scale == 0) {
		return figures.Durations(ns)
	}
	out := make([]string, len(ns))
	for i, n := range ns {
		out[i] = p.Short(n)
	}
	return out
}

// metric returns the shown metric, the zero value if there is none.
func (p *Plot) metric() (m lineprofile.Metric) {
	if p.Metric < len(p.Profile.Metrics) {
		m = p.Profile.Metrics[p.Metric]
	}
	return m
}

// unit formats an amount of a metric with a unit. It reports false for a plain count.
func (p *Plot) unit(n int64) (string, bool) {
	m := p.metric()
	if m.Scale == 0 {
		m.Scale = 1
	}
	return figures.Measured(float64(n)*m.Scale, m.Unit)
}

// Place formats a line as FILE:LINE.
func (p *Plot) Place(l lineprofile.Line) string {
	return p.Profile.Files[l.File].Name + ":" + strconv.Itoa(int(l.Line))
}

// FunctionRows returns the rows of the lines of function k, from first to end-1. It reports false if they are unknown.
func (p *Plot) FunctionRows(k int32) (first, end int, ok bool) {
	if k < 0 {
		return 0, 0, false
	}
	f := &p.Profile.Functions[k]
	if f.File < 0 || f.First < 1 {
		return 0, 0, false
	}
	return p.Column.Row(lineprofile.Line{File: f.File, Line: f.First}), p.Column.Row(lineprofile.Line{File: f.File, Line: f.Last}) + 1, true
}

// Word returns the word for a procedure in the language of the run: "function" or "procedure".
func (p *Plot) Word() string {
	if fs := p.Profile.Functions; len(fs) > 0 && p.Run.Codes[fs[0].Code].Type == tracer.Function && p.Run.Meta.Substrate != "hpf" {
		return "function"
	}
	return "procedure"
}
