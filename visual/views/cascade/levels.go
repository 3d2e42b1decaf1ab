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

// A level is a grain of the program that is shown.
type level struct {
	kind, name string
	first, end int                // rows of the program
	sel        view.Selection     // of it
	own        *lineprofile.Row   // of a line or an instruction: what it has; nil for nothing
	pes        []int32            // and on which PEs
	counts     []int64            // and how much
	codes      []uint32           // of a line: its instructions
	table      *lineprofile.Table // of the instructions
	total      int64
	single     bool // a line, or a function of which none is known
	chosen     bool // it holds what is selected, and does not only lead to the hottest spot
}

// levels finds the grains around what is selected, and from there on around the hottest spot in it.
func (g *Geometry) levels(f *view.Frame) []level {
	if g.Column.Rows() == 0 {
		return nil
	}
	sel := view.Selection{}
	if f.State != nil {
		sel = f.State.Shared.Selection
	}
	lit := g.Lit(f.Trace, sel)
	if lit != nil && len(lit.Rows) == 0 {
		lit = nil
	}
	row := g.hottest(f, lit)
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
			kind: lineplot.Capital(g.Word()), name: g.Named(k), first: first, end: end,
			sel: view.Selection{Trace: f.Trace, Codes: []uint32{fn.Code}},
		})
		out = append(out, g.around(k, line, lines)...)
	}
	one := level{kind: "Line", name: strings.TrimSpace(g.text.Line(line)), first: row, end: row + 1, sel: lines(row, row+1)}
	if one.name == "" {
		one.name = strconv.Itoa(int(line.Line))
	}
	if one.single = true; bare {
		one.kind = lineplot.Capital(g.Word())
	}
	g.fill(&one, f)
	out = append(out, one)
	if at, ok := g.instruction(&one, sel); ok {
		out = append(out, at)
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

// holds says whether all that is selected lies in a level: it is on the way there.
func (l *level) holds(lit *lineplot.Lit, sel view.Selection) bool {
	if l.kind == "Instruction" {
		return slices.Equal(l.sel.Codes, sel.Codes)
	}
	return lit.Rows[0][0] >= l.first && lit.Rows[len(lit.Rows)-1][1] <= l.end
}

// around are the loops around a line, from the outermost on, three at most; of a logic program the clause.
func (g *Geometry) around(k int32, line lineprofile.Line, lines func(first, end int) view.Selection) (out []level) {
	of := g.loopsOf(k)
	kind := "Loop"
	if len(g.clauses[k]) > 0 {
		kind = "Clause"
	}
	for i := loops.Around(of, line.Line); i >= 0; i = of[i].Parent {
		first := g.Column.Row(lineprofile.Line{File: line.File, Line: of[i].First})
		end := g.Column.Row(lineprofile.Line{File: line.File, Line: of[i].Last}) + 1
		name := strings.TrimSpace(g.text.Line(lineprofile.Line{File: line.File, Line: of[i].First}))
		out = append(out, level{kind: kind, name: name, first: first, end: end, sel: lines(first, end)})
	}
	slices.Reverse(out)
	const most = 3
	if n := len(out); n > most {
		out = append(out[:1:1], out[n-most+1:]...)
	}
	return out
}

// hottest is the row with most on one PE, of those that are lit if any are.
func (g *Geometry) hottest(f *view.Frame, lit *lineplot.Lit) int {
	t := g.Of(f).Lines
	ranges := [][2]int{{0, g.Column.Rows()}}
	if lit != nil {
		ranges = lit.Rows
	}
	row, most := ranges[0][0], int64(-1)
	for _, r := range ranges {
		for x := range g.Rows(t, r[0], r[1]) {
			if x.Max > most {
				most, row = x.Max, g.Column.Row(x.Line)
			}
		}
	}
	return row
}

func (g *Geometry) total(f *view.Frame, first, end int) (n int64) {
	for r := range g.Rows(g.Of(f).Lines, first, end) {
		n += r.Total
	}
	return n
}

// fill adds what a line has, and its instructions.
func (g *Geometry) fill(l *level, f *view.Frame) {
	t := g.Of(f).Lines
	if i, end := g.Range(t, l.first, l.end); i < end {
		l.own = &t.Rows[i]
		l.pes, l.counts = t.Cells(i)
	}
	at := g.Column.Line(l.first)
	if l.codes = g.Profile.Instructions(at.File, at.Line, at.Line); len(l.codes) > 0 {
		l.table = g.byInstruction(f)
	}
}

// instruction is the level of the selected instruction of a line, else of the one with most.
func (g *Geometry) instruction(line *level, sel view.Selection) (level, bool) {
	best, most := -1, int64(0)
	code := uint32(0)
	for _, c := range line.codes {
		i := line.table.Of(c)
		if slices.Contains(sel.Codes, c) {
			best, code = i, c
			break
		}
		if i >= 0 && line.table.Rows[i].Max > most {
			best, most, code = i, line.table.Rows[i].Max, c
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

// within is what a click in a level selects at a row of the program: what the next grain has there.
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
			of := g.loopsOf(k)
			for j := loops.Around(of, line.Line); j >= 0; j = of[j].Parent {
				first := g.Column.Row(lineprofile.Line{File: line.File, Line: of[j].First})
				end := g.Column.Row(lineprofile.Line{File: line.File, Line: of[j].Last}) + 1
				outer := of[j].Parent < 0 || g.Column.Row(lineprofile.Line{File: line.File, Line: of[of[j].Parent].First}) <= levels[i].first
				if inside := first > levels[i].first || first == levels[i].first && end < levels[i].end; inside && outer && end-first < levels[i].end-levels[i].first {
					return view.Selection{Trace: f.Trace, Lines: []view.Lines{g.Column.Lines(first, end)}}, true
				}
			}
		}
	}
	return g.Select(f.Trace, row, row+1), true
}
