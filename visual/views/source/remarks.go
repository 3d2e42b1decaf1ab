package source

import (
	"math"

	"whorl/dts/remark"
	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// drawRemarks draws the marks of a row behind its number: a square for calls that run in parallel, a diamond for calls that whorl dts
// left sequential. A line with both has a small one of each.
func (l *layout) drawRemarks(r *row, y float64, out *scene.List) {
	parallel, serial := count(r.remarks)
	size, at := 0.55*l.em, []float64{y + l.line/2}
	if parallel > 0 && serial > 0 {
		size, at = 0.45*l.em, []float64{y + 0.27*l.line, y + 0.73*l.line}
	}
	x := float32(l.number + math.Round(0.45*l.em))
	if parallel > 0 {
		out.Mark(scene.Square, float32(size), x, float32(at[0]), remarkColor(l.f.Style, true))
	}
	if serial > 0 {
		out.Mark(scene.Diamond, float32(size), x, float32(at[len(at)-1]), remarkColor(l.f.Style, false))
	}
}

// remarkColor returns the colour of marks.
func remarkColor(s view.Style, parallel bool) scene.Color {
	switch {
	case !parallel:
		return s.Warn
	case s.Dark:
		return scene.Hex(0x57c785)
	}
	return scene.Hex(0x1a7f37)
}

// count returns the numbers of remarks about parallel and sequential code.
func count(all []remark.Remark) (parallel, serial int64) {
	for _, r := range all {
		if r.Parallel {
			parallel++
		} else {
			serial++
		}
	}
	return parallel, serial
}

// remarkBlock returns the legend of the marks, and false for a listing without remarks.
func (g *Geometry) remarkBlock(s view.Style) (view.Block, bool) {
	var parallel, serial int64
	for i := range g.rows {
		p, n := count(g.rows[i].remarks)
		parallel, serial = parallel+p, serial+n
	}
	block := view.Block{Title: "Report of whorl dts", Columns: []string{"notes"}}
	if parallel > 0 {
		block.Swatches = append(block.Swatches, view.Swatch{
			Colors: []scene.Color{remarkColor(s, true)}, Label: "parallel", Values: []string{figures.Count(parallel)},
			Sign: &view.Sign{Shape: scene.Square, Size: 0.7},
		})
	}
	if serial > 0 {
		block.Swatches = append(block.Swatches, view.Swatch{
			Colors: []scene.Color{remarkColor(s, false)}, Label: "left sequential", Values: []string{figures.Count(serial)},
			Sign: &view.Sign{Shape: scene.Diamond, Size: 0.8},
		})
	}
	return block, parallel+serial > 0
}

// remarkTip describes the remarks about a row.
func (g *Geometry) remarkTip(f *view.Frame, row int32) (lines []string) {
	width := tipEms * f.Style.Font
	for _, x := range g.rows[row].remarks {
		word := "Sequential: "
		if x.Parallel {
			word = "Parallel: "
		}
		lines = append(lines, view.Wrap(f.Text, view.Printable(word+x.Text, maxColumns), width, f.Style.Font, scene.Regular)...)
	}
	return lines
}

const tipEms = 32 // width of the text of remarks
