package page

import (
	"context"
	"strings"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// pasteLines is the largest number of lines of the legend below a pasted picture.
const pasteLines = 2

// Paste draws a view into a part of a larger picture: its title, the picture, and below it the colours of the legend in few lines.
func Paste(ctx context.Context, o *view.Opened, r scene.Rect, font float32, out *scene.List) (*Still, error) {
	style := view.NewStyle(dark(o), font)
	em := float64(font)
	area := scene.Rect{X0: r.X0 + 0.5*em, Y0: r.Y0 + 2.4*em, X1: r.X1 - 0.5*em, Y1: r.Y1 - 0.5*em}
	o.SetCounted(nil)
	legendH := 0.0
	var p view.Picture
	var f *view.Frame
	for {
		v, err := o.Geometry(ctx, 0, int(max(min(area.W(), area.H()), 1)))
		if err != nil {
			return nil, err
		}
		p = v.Value
		f = &view.Frame{Area: area, Clip: area, Style: style, Text: o.Text, State: &view.State{}, Still: true}
		f.Until = stillTime(p, nil)
		if h := StripHeight(p.Legend(f), r.W(), pasteLines, style, o.Text); h != legendH && legendH == 0 {
			legendH = h
			area.Y1 -= h
			continue
		}
		break
	}
	f.Camera = view.Fit(view.BoundsAt(p, f.Until), area, em/2)
	out.ClipTo(r)
	out.Fill(r, style.Ground)
	l := p.Legend(f)
	title := o.Kind.Title
	if own := o.Setting("title"); own != "" {
		title = own
	} else if strings.HasPrefix(l.Subtitle, title) {
		title = l.Subtitle
	} else if l.Subtitle != "" {
		title += ": " + l.Subtitle
	}
	title = scene.Elide(o.Text, title, float32(area.W()), font*1.15, scene.Bold)
	out.Text(float32(area.X0), float32(r.Y0+1.6*em), title, scene.TextStyle{Size: font * 1.15, Color: style.Ink, Face: scene.Bold})
	view.Draw(p, f, out)
	view.Overlay(p, f, out)
	if legendH > 0 {
		DrawStrip(l, scene.Rect{X0: r.X0, Y0: r.Y1 - legendH, X1: r.X1, Y1: r.Y1}, pasteLines, style, o.Text, out)
	}
	out.Pop()
	return &Still{List: out, picture: p, frame: f}, nil
}
