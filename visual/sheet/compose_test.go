package sheet

import (
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// TestCompose draws two tiles beside each other: each has the rest of its place below its title. A tile without room is named.
func TestCompose(t *testing.T) {
	var sizes [][2]int
	tile := func(title string, x0, x1 float64) Tile {
		return Tile{title, scene.Rect{X0: x0, X1: x1, Y1: 1}, func(w, h int) (*scene.List, error) {
			sizes = append(sizes, [2]int{w, h})
			l := scene.New(float32(w), float32(h))
			l.Text(3, 30, "in "+title, scene.TextStyle{Size: 10})
			return l, nil
		}}
	}
	style := view.NewStyle(false, 12)
	l := must.Get(Compose(Sheet{W: 400, H: 200}, style, glyph.New(), []Tile{tile("left", 0, 0.25), tile("right", 0.25, 1)}))(t)
	if sizes[0] != [2]int{100, 176} || sizes[1] != [2]int{298, 176} || l.Open() != 0 {
		t.Errorf("the tiles have %v", sizes)
	}
	var texts []string
	for i := range l.Len() {
		if o := l.Op(i); o.Kind == scene.OpText {
			x, y, s, _ := o.Text()
			texts = append(texts, string(s))
			if string(s) == "in right" && (x != 105 || y != 54) {
				t.Errorf("the text of the right tile is at %v, %v", x, y)
			}
		}
	}
	if strings.Join(texts, ", ") != "left, in left, right, in right" {
		t.Errorf("the texts are %q", texts)
	}
	if _, err := Compose(Sheet{W: 200, H: 200}, style, glyph.New(), []Tile{tile("left", 0, 0.25)}); err == nil || !strings.Contains(err.Error(), "left: 50 by 176 pixels") {
		t.Errorf("a tile without room: %v", err)
	}
}
