package sheet

import (
	"fmt"
	"math"

	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// A Tile is the picture of a pane in a composed picture.
type Tile struct {
	Title string
	Rect  scene.Rect                          // its place as shares of the whole
	Draw  func(w, h int) (*scene.List, error) // draws the picture without the title
}

// Compose draws tiles with their titles beside and above each other. The ground between them is a line.
func Compose(s Sheet, style view.Style, text scene.Measurer, tiles []Tile) (*scene.List, error) {
	out := scene.New(float32(s.W), float32(s.H))
	em := float64(style.Font)
	gap, head := math.Max(math.Round(em/6), 1), math.Round(2*em)
	out.Rect(0, 0, float32(s.W), float32(s.H), style.Line)
	for _, t := range tiles {
		x0, y0 := math.Round(t.Rect.X0*float64(s.W)), math.Round(t.Rect.Y0*float64(s.H))
		x1, y1 := math.Round(t.Rect.X1*float64(s.W)), math.Round(t.Rect.Y1*float64(s.H))
		if t.Rect.X0 > 0 {
			x0 += gap
		}
		if t.Rect.Y0 > 0 {
			y0 += gap
		}
		w, h := int(x1-x0), int(y1-y0-head)
		if w < page.MinSide || h < page.MinSide {
			return nil, fmt.Errorf("%s: %d by %d pixels of the picture are left for it, at least %d by %d are needed: choose a larger picture or close panes",
				t.Title, w, h, page.MinSide, page.MinSide)
		}
		list, err := t.Draw(w, h)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Title, err)
		}
		out.Rect(float32(x0), float32(y0), float32(x1), float32(y1), style.Ground)
		if title := scene.Elide(text, t.Title, float32(float64(w)-em), style.Font, scene.Bold); title != "" {
			out.Text(float32(x0+em/2), float32(y0+math.Round(1.4*em)), title, scene.TextStyle{Size: style.Font, Color: style.Ink, Face: scene.Bold})
		}
		out.Clip(float32(x0), float32(y0+head), float32(x1), float32(y1))
		out.AppendAt(list, float32(x0), float32(y0+head))
		out.Pop()
	}
	return out, nil
}
