package lineplot

import (
	"slices"

	"whorl/internal/ranges"
	"whorl/tracer"
	"whorl/tracer/derive/lineprofile"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A Highlight holds the lines and procedures of a selection, for highlighting.
type Highlight struct {
	Rows      [][2]int // ranges of rows of the column, without the end; ascending and disjoint
	Functions []int32  // indices into Profile.Functions, ascending
}

// Highlight finds the lines and procedures of a selection: those that it names or, if it has tasks, PEs or a time, those at which
// something of it happened. Highlight caches the last answers. It returns nil for an empty selection and for one of another trace.
func (p *Plot) Highlight(trace string, s view.Selection) *Highlight {
	if s.Empty() || s.Trace != trace || s.Unknown() {
		return nil
	}
	return p.highlights.Get(s, view.Selection.Equal, func() *Highlight { return p.find(s) })
}

// LightRows draws the selected rows of a table on yellow with a bar at their left, and the hovered ones in a pale accent colour.
func LightRows(table view.Linked, f *view.Frame, out *scene.List) {
	bar := max(0.25*f.Style.Font, 2)
	for _, r := range table.Locate(f, f.State.Shared.Selection) {
		out.Fill(r, Yellow.Alpha(48))
		out.Rect(float32(r.X0), float32(r.Y0), float32(r.X0)+bar, float32(r.Y1), Yellow.Mix(scene.Hex(0x000000), 0.15))
	}
	if h := f.State.Personal.Hover; !h.Equal(f.State.Shared.Selection) {
		for _, r := range table.Locate(f, h) {
			out.Fill(r, f.Style.Accent.Alpha(16))
		}
	}
}

// Select returns the selection of the rows from first to end-1. It names a function without known lines by its code,
// so that views without lines find it too.
func (p *Plot) Select(trace string, first, end int) view.Selection {
	l := p.Column.Line(first)
	if f := p.Profile.FunctionAt(l); f >= 0 && end == first+1 && p.Profile.Files[l.File].Bare {
		return view.Selection{Trace: trace, Codes: []uint32{p.Profile.Functions[f].Code}}
	}
	return view.Selection{Trace: trace, Lines: []view.Lines{p.Column.Lines(first, end)}}
}

func (p *Plot) find(s view.Selection) *Highlight {
	l := &Highlight{}
	named := p.named(s)
	functions := map[int32]bool{}
	switch {
	case len(s.Tasks) > 0:
		l.Rows = p.ofTasks(s, named, functions)
	case len(s.PEs) > 0 || s.Time != nil:
		l.Rows = p.counted(s, named, functions)
	default:
		l.Rows = named
		for _, c := range s.Codes {
			if f := p.Profile.Function(c); f >= 0 {
				functions[f] = true
			}
		}
		for _, n := range s.Lines {
			if first, end, ok := p.Column.RowsOf(n); ok {
				p.functionsOf(first, end, functions)
			}
		}
	}
	for f := range functions {
		l.Functions = append(l.Functions, f)
	}
	slices.Sort(l.Functions)
	return l
}

// named returns the rows that a selection names by codes and lines, or all rows if it names none.
func (p *Plot) named(s view.Selection) [][2]int {
	rows := [][2]int{{0, p.Column.Rows()}}
	if len(s.Codes) > 0 {
		var chosen [][2]int
		for _, c := range s.Codes {
			if int(c) >= len(p.Run.Codes) {
				continue
			}
			t := p.Run.Codes[c].Type
			if first, end, ok := p.FunctionRows(p.Profile.Function(c)); ok && (t == tracer.Function || t == tracer.Procedure) {
				chosen = append(chosen, [2]int{first, end})
			} else if line, ok := p.Profile.LineOf(c); ok {
				row := p.Column.Row(line)
				chosen = append(chosen, [2]int{row, row + 1})
			}
		}
		rows = ranges.Join(chosen)
	}
	if len(s.Lines) > 0 {
		var chosen [][2]int
		for _, n := range s.Lines {
			if first, end, ok := p.Column.RowsOf(n); ok {
				chosen = append(chosen, [2]int{first, end})
			}
		}
		rows = intersection(rows, ranges.Join(chosen))
	}
	return rows
}

// functionsOf adds the procedure of the first row and the procedures with a count in the rows from first to end-1.
func (p *Plot) functionsOf(first, end int, to map[int32]bool) {
	if f := p.Profile.FunctionAt(p.Column.Line(first)); f >= 0 {
		to[f] = true
	}
	t := p.All().Lines
	for i := p.tableRow(t, first); i < len(t.Rows) && p.Column.Row(t.Rows[i].Line) < end; i++ {
		if f := t.Rows[i].Function; f >= 0 {
			to[f] = true
		}
	}
}

// tableRow returns the index of the first row of a table by line that lies at or after a row of the column.
func (p *Plot) tableRow(t *lineprofile.Table, row int) int {
	i, _ := slices.BinarySearchFunc(t.Rows, row, func(r lineprofile.Row, row int) int { return p.Column.Row(r.Line) - row })
	return i
}

// counted returns the rows among some ranges at which the selected PEs have a count in the selected time.
func (p *Plot) counted(s view.Selection, among [][2]int, functions map[int32]bool) (rows [][2]int) {
	t, on := p.In(s.Time).Lines, view.Joined(s.PEs)
	for _, r := range among {
		for i := p.tableRow(t, r[0]); i < len(t.Rows); i++ {
			row := p.Column.Row(t.Rows[i].Line)
			if row >= r[1] {
				break
			}
			pes, counts := t.Cells(i)
			found := false
			for k, pe := range pes {
				found = found || counts[k] > 0 && (len(s.PEs) == 0 || on.Contains(int64(pe)))
			}
			if found {
				rows = append(rows, [2]int{row, row + 1})
				if f := t.Rows[i].Function; f >= 0 {
					functions[f] = true
				}
			}
		}
	}
	return ranges.Join(rows)
}

// ofTasks returns the rows among some ranges of the codes that the selected tasks ran.
func (p *Plot) ofTasks(s view.Selection, among [][2]int, functions map[int32]bool) (rows [][2]int) {
	ran := make([]bool, len(p.Run.Codes))
	t, on := p.tree, view.Joined(s.PEs)
	one := func(i int32) {
		if c := t.Code.At(int(i)); int(c) < len(ran) && (s.Time == nil || s.Time.Contains(t.Time.At(int(i)))) && (len(s.PEs) == 0 || on.Contains(int64(t.PE.At(int(i))))) {
			ran[c] = true
		}
	}
	for _, n := range s.Tasks {
		if !n.Subtree {
			p.index().Each(n.First, max(n.First, n.Last), one)
		} else if i := p.index().Node(n.First); i >= 0 {
			for k := i; k < i+t.Size[i]; k++ {
				one(k)
			}
		}
	}
	for c, is := range ran {
		if line, ok := p.Profile.LineOf(uint32(c)); is && ok {
			row := p.Column.Row(line)
			if here := intersection(among, [][2]int{{row, row + 1}}); len(here) > 0 {
				rows = append(rows, here...)
				if f := p.Profile.Function(uint32(c)); f >= 0 {
					functions[f] = true
				}
			}
		}
	}
	return ranges.Join(rows)
}

// intersection returns the rows in both a and b. The ranges of each are ascending and disjoint.
func intersection(a, b [][2]int) (out [][2]int) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if from, end := max(a[i][0], b[j][0]), min(a[i][1], b[j][1]); from < end {
			out = append(out, [2]int{from, end})
		}
		if a[i][1] < b[j][1] {
			i++
		} else {
			j++
		}
	}
	return out
}
