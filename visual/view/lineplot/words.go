package lineplot

import (
	"iter"
	"math"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer/derive/lineprofile"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Nothing is the message of a picture without counts by line.
const Nothing = "The trace has no counts at known lines."

// The colours of outlines: Yellow for a procedure, Gold for the lines of the detail (PerfVisS, section 2.2.1).
var (
	Yellow = scene.Hex(0xffee33)
	Gold   = scene.Hex(0xe0a010)
)

// detailRows is the default number of lines of the detail.
const detailRows = 40

// Detail returns the rows of the detail, from first to end-1: those of l or, without l, those around the hottest line.
func (p *Plot) Detail(l *view.Lines) (first, end int) {
	if l != nil {
		if first, end, ok := p.Column.RowsOf(*l); ok {
			return first, end
		}
	}
	if p.Column.Rows() == 0 {
		return 0, 0
	}
	row, _ := p.Hottest(p.All().Lines)
	low, high := p.Column.FileOf(row)
	n := min(detailRows, high-low)
	first = max(min(row-n/2, high-n), low)
	return first, first + n
}

// Hottest returns the row of a table by line with the largest count or difference on one PE, among ranges of rows of the column or, without ranges, all rows.
// If none has a count, it returns the first row of the ranges, and nil.
func (p *Plot) Hottest(t *lineprofile.Table, ranges ...[2]int) (row int, counts *lineprofile.Row) {
	if len(ranges) == 0 {
		ranges = [][2]int{{0, p.Column.Rows()}}
	}
	row = ranges[0][0]
	for _, r := range ranges {
		for x := range p.Rows(t, r[0], r[1]) {
			if counts == nil || math.Abs(float64(x.Extreme())) > math.Abs(float64(counts.Extreme())) {
				row, counts = p.Column.Row(x.Line), x
			}
		}
	}
	return row, counts
}

// Show returns the action that moves the detail to n rows from first on, kept within the file of row.
func (p *Plot) Show(first, n, row int, more bool) view.Action {
	low, high := p.Column.FileOf(row)
	n = min(max(n, 1), high-low)
	first = max(min(first, high-n), low)
	l := p.Column.Lines(first, first+n)
	return view.Action{Do: view.SetDetail, Lines: &l, More: more}
}

// Page returns the action that moves the detail down or up by its length.
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

// Range returns the range of t.Rows whose lines lie in the rows of the column from first to end-1. t is a table by line.
func (p *Plot) Range(t *lineprofile.Table, first, end int) (from, to int) {
	return p.tableRow(t, first), p.tableRow(t, end)
}

// Rows yields the rows of t whose lines lie in the rows of the column from first to end-1. t is a table by line.
func (p *Plot) Rows(t *lineprofile.Table, first, end int) iter.Seq[*lineprofile.Row] {
	return func(yield func(*lineprofile.Row) bool) {
		for i := p.tableRow(t, first); i < len(t.Rows); i++ {
			if p.Column.Row(t.Rows[i].Line) >= end || !yield(&t.Rows[i]) {
				return
			}
		}
	}
}

// Named returns the name of function k, or words for an unknown function; k is -1 for none.
func (p *Plot) Named(k int32) string {
	if k < 0 || p.Profile.Functions[k].Name == "" {
		return "unknown " + p.Word()
	}
	return p.Profile.Functions[k].Name
}

// Legend returns a legend with the program, the run and the part of it that a frame counts.
func (p *Plot) Legend(f *view.Frame, subtitle string) view.Legend {
	share := ""
	if f.Window != nil {
		share = figures.Percent(p.Counted(f).Whole, max(p.All().Whole, 1)) + " of all " + p.Noun()
	}
	if p.other != nil {
		subtitle += ", less those of " + p.other.name
	}
	l := p.Run.LegendOf(f, subtitle, share)
	if p.wrong != nil {
		l.Warning = view.Capital(p.wrong.Error()) + "."
	}
	return l
}

// Summary returns lines for a tip: the total of a row, its share of the frame's total, and the PEs with the least and the most.
func (p *Plot) Summary(f *view.Frame, r *lineprofile.Row) []string {
	whole := max(p.Counted(f).Whole, 1)
	lines := []string{p.Amount(r.Total) + ", " + figures.Percent(r.Total, whole)}
	if p.Profile.PEs > 1 {
		lines = append(lines, "from "+p.Short(r.Min)+" on "+p.Run.PEName(int(r.MinPE), int(r.MinPE))+" to "+p.Short(r.Max)+" on "+p.Run.PEName(int(r.MaxPE), int(r.MaxPE)))
	}
	return lines
}

// Ramp returns the block of a legend that explains a heat scale.
func Ramp(p *Plot, s Scale) view.Block {
	b := view.Block{Title: view.Capital(p.Noun())}
	full := p.Short(s.full)
	if s.differs {
		b.Title = "Difference to " + p.other.name
		b.Ramp = view.Diverging{Dark: s.dark}.Ramp(full)
		return b
	}
	r := &view.Ramp{}
	for i := 0; i < len(s.above); i += 5 {
		r.Colors = append(r.Colors, s.above[i])
	}
	r.Ticks = []string{"0", p.Short(s.full / 2), full}
	if s.full < 100 && s.full%2 != 0 { // the middle is no amount
		r.Ticks = []string{"0", full}
	}
	b.Ramp = r
	b.Swatches = []view.Swatch{{Colors: []scene.Color{s.None}, Label: "none"}}
	return b
}

// LinesWord returns the heading for the rows of a file: lines, or functions if the file is bare.
func LinesWord(p *Plot, file int32) string {
	if p.Profile.Files[file].Bare {
		return view.Capital(p.Word()) + "s"
	}
	return "Lines"
}

// Notes returns sentences for the legend about the times of reductions, and about missing lines, texts and counts, with options that supply them.
func (p *Plot) Notes() (notes []string) {
	if p.Metric < len(p.Profile.Metrics) && p.Profile.Metrics[p.Metric].Costs {
		notes = p.Run.CostNotes()
	}
	notes = append(notes, p.differences()...)
	notes = append(notes, Hints(p.Run, p.Profile)...)
	if rest := p.All().Lines.Rest; rest > 0 && p.other == nil {
		notes = append(notes, p.Amount(rest)+" fell on unknown lines.")
	}
	if n := p.Profile.Dropped; n > 0 {
		notes = append(notes, figures.Count(n)+" events without a known place or PE are left out.")
	}
	return notes
}

// Hints returns sentences about functions without lines and files without text. For a pprof or perf profile they name the option that supplies them.
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
			say("One function has no known lines: it has a row of its own.", "# functions have no known lines: each has a row of its own.", int64(f.Lines),
				"--binary FILE adds the lines of a program built with line tables.")
		case f.Source < 0 && len(p.CodeLines(int32(k))) > 0:
			textless++
		}
	}
	if textless > 0 {
		say("The trace lacks the text of one file: names of functions replace it.", "The trace lacks the text of # files: names of functions replace it.", textless,
			"--source FOLDER adds it.")
	}
	return notes
}
