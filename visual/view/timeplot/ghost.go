package timeplot

import (
	"math"

	"whorl/tracer/derive/activity"
	"whorl/visual/scene"
)

// ghostColour returns the colour of outlines of another run.
func (p *Plot) ghostColour() scene.Color { return p.Style.Ink.Alpha(190) }

func (p *Plot) ghostWidth() float32 { return float32(max(math.Round(p.Em/9), 1)) }

// GhostTops draws the tops of the columns of another run, in pixels above y, as lines from the left side of the data. Columns without height have none.
func (p *Plot) GhostTops(out *scene.List, y float64, tops []int) {
	w, c := p.ghostWidth(), p.ghostColour()
	for k := 0; k < len(tops); {
		from := k
		for k++; k < len(tops) && tops[k] == tops[from]; k++ {
		}
		if top := float32(y) - float32(tops[from]); tops[from] > 0 {
			out.Rect(float32(p.In.X0)+float32(from), top, float32(p.In.X0)+float32(k), top+w, c)
		}
	}
}

// GhostStrip fills the columns between y0 and y1 where another run was busy for most of the time.
func (p *Plot) GhostStrip(out *scene.List, y0, y1 float64, shares []activity.Share) {
	c := p.ghostColour()
	busy := func(k int) bool { return 2*shares[k].Busy > shares[k].Busy+shares[k].Over+shares[k].Idle }
	for k := 0; k < len(shares); {
		from := k
		for k++; k < len(shares) && busy(k) == busy(from); k++ {
		}
		if busy(from) {
			out.Rect(float32(p.In.X0)+float32(from), float32(y0), float32(p.In.X0)+float32(k), float32(y1), c)
		}
	}
}

// GhostEnd draws a line where another run ends, with a label on a ground that keeps clear of a rectangle. Without one, over is empty.
func (p *Plot) GhostEnd(out *scene.List, end int64, over scene.Rect) {
	if float64(end) < p.From || float64(end) > p.To {
		return
	}
	w, c := p.ghostWidth(), p.ghostColour()
	x := min(float32(math.Round(p.X(end))), float32(p.In.X1)-w)
	for y := float32(p.In.Y0); y < float32(p.In.Y1); y += 6 * w {
		out.Rect(x, y, x+w, min(y+4*w, float32(p.In.Y1)), c)
	}
	label, em := "recorded", float32(p.Em)*0.85
	room := p.Text.Width(label, em, scene.Regular)
	left := x - 2*w - room
	if left < float32(p.In.X0) {
		left = x + 3*w
	}
	y := float32(p.In.Y0) + em
	ground := func() scene.Rect {
		return scene.Rect{X0: float64(left - w), Y0: float64(y - em), X1: float64(left + room + w), Y1: float64(y + 0.35*em)}
	}
	if ground().Meets(over) {
		y = float32(over.Y1) + 1.1*em
	}
	out.Fill(ground(), p.Style.Ground.Alpha(225))
	out.Text(left, y, label, scene.TextStyle{Size: em, Color: c})
}
