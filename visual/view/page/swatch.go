package page

import (
	"whorl/visual/scene"
	"whorl/visual/view"
)

// fewColors is the largest number of colours that a swatch shows side by side. More are drawn as a gradient.
const fewColors = 6

// gradient fills a rectangle with colours from left to right, as a gradient if run is set and side by side otherwise. The
// outline keeps colours near the background visible.
func (p *page) gradient(out *scene.List, x0, y0, x1, y1 float32, colors []scene.Color, run bool) {
	x0, y0, x1, y1 = scene.Round(x0), scene.Round(y0), scene.Round(x1), scene.Round(y1)
	switch n := float32(len(colors)); {
	case n == 0:
		return
	case n == 1 || !run:
		for i, c := range colors {
			out.Rect(x0+scene.Round(float32(i)*(x1-x0)/n), y0, x0+scene.Round(float32(i+1)*(x1-x0)/n), y1, c)
		}
	default:
		var points []float32
		var corners []scene.Color
		step := (x1 - x0) / float32(len(colors)-1)
		for i := range len(colors) - 1 {
			a, b := x0+float32(i)*step, x0+float32(i+1)*step
			c, d := colors[i], colors[i+1]
			points = append(points, a, y0, b, y0, b, y1, a, y0, b, y1, a, y1)
			corners = append(corners, c, d, d, c, d, c)
		}
		out.Mesh(points, corners)
	}
	line := p.style.Ink.Alpha(56)
	out.Frame(x0+0.5, y0+0.5, x1-0.5, y1-0.5, 1, line)
}

// swatch draws a sign, or colours if sign is nil.
func (p *page) swatch(out *scene.List, x0, y0, x1, y1 float32, colors []scene.Color, sign *view.Sign) {
	if sign == nil || len(colors) == 0 {
		p.gradient(out, x0, y0, x1, y1, colors, len(colors) > fewColors)
		return
	}
	mid := scene.Round((y0 + y1) / 2)
	if !sign.Line {
		out.Mark(sign.Shape, 0.85*sign.Size*(y1-y0), scene.Round((x0+x1)/2), mid, colors[0])
		return
	}
	line := scene.Stroke{Width: max(scene.Round(p.style.Font/9), 1), Color: colors[0]}
	if sign.Dash {
		line.Dash = []float32{0.25 * p.style.Font, 0.25 * p.style.Font}
	}
	out.Polyline([]float32{x0, mid, x1, mid}, line)
}

// ticks writes the texts of a ramp below it: the first flush left, the last flush right, and those between if all fit.
func (p *page) ticks(out *scene.List, x, y, width, base float32, ticks []string, t scene.TextStyle) {
	n := len(ticks)
	if n == 0 {
		return
	}
	gap := 0.6 * t.Size
	if n > 2 {
		end := -gap // right end of the previous text
		for i, s := range ticks {
			w := p.text.Width(s, t.Size, t.Face)
			from := width*float32(i)/float32(n-1) - w*float32(i)/float32(n-1)
			if i > 0 && i < n-1 {
				from = width*float32(i)/float32(n-1) - w/2
			}
			if from < end+gap {
				ticks, n = []string{ticks[0], ticks[n-1]}, 2
				break
			}
			end = from + w
		}
	}
	for i, s := range ticks {
		at := x + width*float32(i)/float32(max(n-1, 1))
		t.Anchor = scene.Middle
		switch i {
		case 0:
			t.Anchor = scene.Start
		case n - 1:
			t.Anchor = scene.End
		}
		room := width
		if n == 2 {
			room = (width - gap) / 2
		}
		out.Text(at, y+base, scene.Elide(p.text, s, room, t.Size, t.Face), t)
	}
}
