package cascade

import (
	"slices"
	"strconv"
	"strings"

	"whorl/tracer/derive/lineprofile"
	"whorl/tracer/derive/loops"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// A level is a part of the program: all of it, a file, a procedure, a loop, a line or an instruction.
type level struct {
	kind, name string
	first, end int                    // rows of the program
	sel        view.Selection         // selects the level
	own        *lineprofile.Row       // counts of a line or an instruction; nil if it has none
	pes        []int32                // PEs with counts in own
	counts     []int64                // their counts
	codes      []uint32               // instructions of a line
	table      *lineplot.Instructions // counts of instructions
	total      int64
	single     bool // a line, or a function without known lines
	chosen     bool // contains the whole selection; other levels lead to the hottest spot
}

// levels returns the levels around the selection, and below it those around its hottest spot.
func (g *Geometry) levels(f *view.Frame) []level {
	if g.Column.Rows() == 0 {
		return nil
	}
	sel := f.Selected()
	lit := g.Highlight(f.Trace, sel)
	if lit != nil && len(lit.Rows) == 0 {
		lit = nil
	}
	var selected [][2]int
	if lit != nil {
		selected = lit.Rows
	}
	row, _ := g.Hottest(g.Counted(f).Lines, selected...)
	line := g.Column.Line(row)
	lines := func(first, end int) view.Selection {
		return g.Select(f.Trace, first, end)
	}
	out := []level{{kind: "Program", name: g.Run.Program(), end: g.Column.Rows(), chosen: true}}
	if low, high := g.Column.FileOf(row); high-low < g.Column.Rows() {
		name := g.Profile.Files[line.File].Name
		out = append(out, level{kind: "File", name: name[strings.LastIndexByte(name, '/')+1:], first: low, end: high, sel: lines(low, high)})
	}
	bare := g.Profile.Files[line.File].Bare
	if k := g.Profile.FunctionAt(line); k >= 0 && !bare {
		first, end, _ := g.FunctionRows(k)
		fn := &g.Profile.Functions[k]
		out = append(out, level{
			kind: view.Capital(g.Word()), name: g.Named(k), first: first, end: end,
			sel: view.Selection{Trace: f.Trace, Codes: []uint32{fn.Code}},
		})
		out = append(out, g.around(k, line, lines)...)
	}
	one := level{kind: "Line", name: strings.TrimSpace(g.text.Line(line)), first: row, end: row + 1, sel: lines(row, row+1)}
	if one.name == "" {
		one.name = strconv.Itoa(int(line.Line))
	}
	if one.single = true; bare {
		one.kind = view.Capital(g.Word())
	}
	g.fill(&one, f)
	out = append(out, one)
	if l, ok := g.instruction(&one, sel); ok {
		out = append(out, l)
	}
	for i := range out {
		l := &out[i]
		if l.own == nil {
			l.total = g.total(f, l.first, l.end)
		} else {
			l.total = l.own.Total
		}
		l.sel.Trace = f.Trace
		l.chosen = i == 0 || lit != nil && out[i-1].chosen && l.holds(lit, sel)
	}
	return out
}

// holds reports whether a level contains the whole selection.
func (l *level) holds(lit *lineplot.Highlight, sel view.Selection) bool {
	if l.kind == "Instruction" {
		return slices.Equal(l.sel.Codes, sel.Codes)
	}
	return lit.Rows[0][0] >= l.first && lit.Rows[len(lit.Rows)-1][1] <= l.end
}

// around returns the loops around a line, outermost first and at most three, or in a logic program the clause.
func (g *Geometry) around(k int32, line lineprofile.Line, lines func(first, end int) view.Selection) (out []level) {
	all := g.loopsOf(k)
	kind := "Loop"
	if len(g.clauses[k]) > 0 {
		kind = "Clause"
	}
	for i := loops.Around(all, line.Line); i >= 0; i = all[i].Parent {
		first := g.Column.Row(lineprofile.Line{File: line.File, Line: all[i].First})
		end := g.Column.Row(lineprofile.Line{File: line.File, Line: all[i].Last}) + 1
		name := strings.TrimSpace(g.text.Line(lineprofile.Line{File: line.File, Line: all[i].First}))
		out = append(out, level{kind: kind, name: name, first: first, end: end, sel: lines(first, end)})
	}
	slices.Reverse(out)
	const most = 3
	if n := len(out); n > most {
		out = append(out[:1:1], out[n-most+1:]...)
	}
	return out
}

// total returns the sum of the counts of the rows from first to end-1.
func (g *Geometry) total(f *view.Frame, first, end int) (n int64) {
	for r := range g.Rows(g.Counted(f).Lines, first, end) {
		n += r.Total
	}
	return n
}

// fill sets the counts and the instructions of a line.
func (g *Geometry) fill(l *level, f *view.Frame) {
	t := g.Counted(f).Lines
	if i, end := g.Range(t, l.first, l.end); i < end {
		l.own = &t.Rows[i]
		l.pes, l.counts = t.Cells(i)
	}
	line := g.Column.Line(l.first)
	if l.codes = g.Profile.Instructions(line.File, line.Line, line.Line); len(l.codes) > 0 {
		l.table = g.Instructions(f.Counted())
	}
}

// instruction returns the level of the selected instruction of a line, or else of the hottest one. It reports false if there is neither.
func (g *Geometry) instruction(line *level, sel view.Selection) (level, bool) {
	best, most := -1, int64(0)
	code := uint32(0)
	for _, c := range line.codes {
		i := line.table.RowOf(c)
		if slices.Contains(sel.Codes, c) {
			best, code = i, c
			break
		}
		if i < 0 {
			continue
		}
		if n := line.table.Rows[i].Extreme(); max(n, -n) > most {
			best, most, code = i, max(n, -n), c
		}
	}
	if code == 0 {
		return level{}, false
	}
	l := level{kind: "Instruction", name: g.Run.Codes[code].Name, first: line.first, end: line.end, sel: view.Selection{Codes: []uint32{code}}}
	if best >= 0 {
		l.own = &line.table.Rows[best]
		l.pes, l.counts = line.table.Cells(best)
	}
	return l, true
}

// within returns the selection of a click on a row of the program in level i: the part that the next level would show.
func (g *Geometry) within(f *view.Frame, levels []level, i, row int) (view.Selection, bool) {
	line := g.Column.Line(row)
	switch kind := levels[i].kind; {
	case kind == "Program" && i+1 < len(levels) && levels[i+1].kind == "File":
		low, high := g.Column.FileOf(row)
		return view.Selection{Trace: f.Trace, Lines: []view.Lines{g.Column.Lines(low, high)}}, true
	case kind == "Program" || kind == "File":
		if k := g.Profile.FunctionAt(line); k >= 0 {
			return view.Selection{Trace: f.Trace, Codes: []uint32{g.Profile.Functions[k].Code}}, true
		}
	case !levels[i].single && kind != "Instruction":
		if k := g.Profile.FunctionAt(line); k >= 0 {
			all := g.loopsOf(k)
			for j := loops.Around(all, line.Line); j >= 0; j = all[j].Parent {
				first := g.Column.Row(lineprofile.Line{File: line.File, Line: all[j].First})
				end := g.Column.Row(lineprofile.Line{File: line.File, Line: all[j].Last}) + 1
				outer := all[j].Parent < 0 || g.Column.Row(lineprofile.Line{File: line.File, Line: all[all[j].Parent].First}) <= levels[i].first
				if inside := first > levels[i].first || first == levels[i].first && end < levels[i].end; inside && outer && end-first < levels[i].end-levels[i].first {
					return view.Selection{Trace: f.Trace, Lines: []view.Lines{g.Column.Lines(first, end)}}, true
				}
			}
		}
	}
	return g.Select(f.Trace, row, row+1), true
}
