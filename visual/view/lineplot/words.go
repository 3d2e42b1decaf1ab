package lineplot

import (
	"iter"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer/derive/lineprofile"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Nothing is what pictures say of a trace without counts for lines.
const Nothing = "Nothing happened at a line that is known."

// The colours of rectangles that outline lines: Yellow a procedure, Gold what the detail shows (PerfVisS, section 2.2.1).
var (
	Yellow = scene.Hex(0xffee33)
	Gold   = scene.Hex(0xe0a010)
)

// detailRows is how many lines the detail shows while nobody has said.
const detailRows = 40

// Detail is the rows that the detail shows, from first to end-1: those of some lines, else those around the line with most ticks on one PE.
func (p *Plot) Detail(l *view.Lines) (first, end int) {
	if l != nil {
		if first, end, ok := p.Column.Of(*l); ok {
			return first, end
		}
	}
	if p.Column.Rows() == 0 {
		return 0, 0
	}
	row := p.hottest()
	low, high := p.Column.FileOf(row)
	n := min(detailRows, high-low)
	first = max(min(row-n/2, high-n), low)
	return first, first + n
}

// hottest is the row with most on one PE, 0 where there is none.
func (p *Plot) hottest() int { return max(p.hottestIn([][2]int{{0, p.Column.Rows()}}), 0) }

// hottestIn is that of some rows.
func (p *Plot) hottestIn(rows [][2]int) int {
	row, most := rows[0][0], int64(-1)
	for _, r := range rows {
		for x := range p.Rows(p.All().Lines, r[0], r[1]) {
			if x.Max > most {
				most, row = x.Max, p.Column.Row(x.Line)
			}
		}
	}
	return row
}

// Show is the action that has the detail show n rows from first on, of the file of a row.
func (p *Plot) Show(first, n, of int, more bool) view.Action {
	low, high := p.Column.FileOf(of)
	n = min(max(n, 1), high-low)
	first = max(min(first, high-n), low)
	l := p.Column.Lines(first, first+n)
	return view.Action{Do: view.SetDetail, Lines: &l, More: more}
}

// Page is the action that moves the detail by its length.
func (p *Plot) Page(l *view.Lines, down bool) []view.Action {
	if p.Column.Rows() == 0 {
		return nil
	}
	first, end := p.Detail(l)
	by := end - first
	if !down {
		by = -by
	}
	return []view.Action{p.Show(first+by, end-first, first, false)}
}

// Range are the rows of a table by line that stand from first to end-1 of the column, as a range of its Rows.
func (p *Plot) Range(t *lineprofile.Table, first, end int) (from, to int) {
	return p.tableRow(t, first), p.tableRow(t, end)
}

// Rows are the rows of a table by line that stand from first to end-1 of the column.
func (p *Plot) Rows(t *lineprofile.Table, first, end int) iter.Seq[*lineprofile.Row] {
	return func(yield func(*lineprofile.Row) bool) {
		for i := p.tableRow(t, first); i < len(t.Rows); i++ {
			if p.Column.Row(t.Rows[i].Line) >= end || !yield(&t.Rows[i]) {
				return
			}
		}
	}
}

// Named is the name of a function, of none where k is -1.
func (p *Plot) Named(k int32) string {
	if k < 0 || p.Profile.Functions[k].Name == "" {
		return "no " + p.Word() + " is known"
	}
	return p.Profile.Functions[k].Name
}

// Legend is one that says what was run, and which part of it a frame counts.
func (p *Plot) Legend(f *view.Frame, subtitle string) view.Legend {
	share := ""
	if f.Window != nil {
		share = figures.Percent(p.Of(f).Lines.Total, max(p.All().Lines.Total, 1)) + " of all " + p.Noun()
	}
	return p.Run.LegendOf(f, subtitle, share)
}

// Told is what a row of a table has, in words: all, with its share of what the frame counts, and the PEs with least and most.
func (p *Plot) Told(f *view.Frame, r *lineprofile.Row) []string {
	whole := max(p.Of(f).Lines.Total, 1)
	lines := []string{p.Amount(r.Total) + ", " + figures.Percent(r.Total, whole)}
	if p.Profile.PEs > 1 {
		lines = append(lines, "from "+p.Short(r.Min)+" on PE "+figures.Count(int64(r.MinPE))+" to "+p.Short(r.Max)+" on PE "+figures.Count(int64(r.MaxPE)))
	}
	return lines
}

// Ramp is the block of a legend that explains a scale of heat.
func Ramp(p *Plot, s Scale) view.Block {
	b := view.Block{Title: Capital(p.Noun())}
	r := &view.Ramp{}
	for i := 0; i < len(s.heat); i += 5 {
		r.Colors = append(r.Colors, s.heat[i])
	}
	full := p.Short(s.full)
	r.Ticks = []string{"0", p.Short(s.full / 2), full}
	if s.full < 2 { // nothing lies between
		r.Ticks = []string{"0", full}
	}
	b.Ramp = r
	b.Swatches = []view.Swatch{{Colors: []scene.Color{None}, Label: "none"}}
	return b
}

// LinesWord is what the rows of a file are called.
func LinesWord(p *Plot, file int32) string {
	if p.Profile.Files[file].Bare {
		return Capital(p.Word()) + "s"
	}
	return "Lines"
}

// Notes are sentences of what is not in the picture, and of what would bring it there.
func (p *Plot) Notes() []string {
	notes := Hints(p.Run, p.Profile)
	if rest := p.All().Lines.Rest; rest > 0 {
		notes = append(notes, p.Amount(rest)+" fell at no line that is known.")
	}
	if n := p.Profile.Dropped; n > 0 {
		notes = append(notes, figures.Count(n)+" events are of no known place or PE; they are left out.")
	}
	return notes
}

// Hints say which functions have no lines and which files have no text, and, of a profile of a real program, what brings them.
func Hints(run *view.Run, p *lineprofile.Profile) (notes []string) {
	profiled := run.Meta.Substrate == "pprof" || run.Meta.Substrate == "perf"
	say := func(one, more string, n int64, hint string) {
		s := one
		if n > 1 {
			s = strings.Replace(more, "#", figures.Count(n), 1)
		}
		if profiled {
			s += " " + hint
		}
		notes = append(notes, s)
	}
	textless := int64(0)
	for k, f := range p.Files {
		switch {
		case f.Bare:
			say("Of one function no line is known: it is a row of its own.", "Of # functions no line is known: each is a row of its own.", int64(f.Lines),
				"--binary FILE finds lines in a program that was built with them.")
		case f.Source < 0 && len(p.Known(int32(k))) > 0:
			textless++
		}
	}
	if textless > 0 {
		say("The text of one file is not in the trace: names of functions stand for it.", "The text of # files is not in the trace: names of functions stand for it.", textless,
			"--source FOLDER adds it.")
	}
	return notes
}

// Capital is a word with a large first letter.
func Capital(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-32) + s[1:]
	}
	return s
}
