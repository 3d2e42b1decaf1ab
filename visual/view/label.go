package view

import "whorl/visual/scene"

// LineEms is the height of a line of text, as a share of the size of its font.
const LineEms = 1.38

// A Tip describes the thing under the pointer. Its first line is the name, each other line a fact.
type Tip struct {
	X, Y  float64 // position of the thing, in pixels
	Lines []string
}

// Label draws lines of text in a box beside a point, inside the frame's area. The first line is bold.
func Label(f *Frame, out *scene.List, x, y float32, lines []string) {
	font := f.Style.Font
	pad, line := scene.Round(0.5*font), scene.Round(font*LineEms)
	face := func(i int) scene.Face {
		if i == 0 {
			return scene.Bold
		}
		return scene.Regular
	}
	room := float32(f.Area.W()) - 2*pad
	w := float32(0)
	shown := make([]string, len(lines))
	for i, s := range lines {
		shown[i] = scene.Elide(f.Text, s, room, font, face(i))
		w = max(w, f.Text.Width(shown[i], font, face(i)))
	}
	w += 2 * pad
	h := line*float32(len(lines)) + pad
	// The box is above and right of the point, or on the other side if there is no room.
	left, top := x+font, y-font-h
	if left+w > float32(f.Area.X1) {
		left = x - font - w
	}
	if top < float32(f.Area.Y0) {
		top = y + font
	}
	left = scene.Round(max(min(left, float32(f.Area.X1)-w), float32(f.Area.X0)))
	top = scene.Round(max(min(top, float32(f.Area.Y1)-h), float32(f.Area.Y0)))
	out.Rect(left, top, left+w, top+h, f.Style.Ground)
	out.Frame(left+0.5, top+0.5, left+w-0.5, top+h-0.5, 1, f.Style.Line)
	for i, s := range shown {
		out.Text(left+pad, top+pad/2+float32(i)*line+scene.Round(font*1.02), s, scene.TextStyle{Size: font, Color: f.Style.Ink, Face: face(i)})
	}
}
