package workspace

import "whorl/visual/scene"

// A Tile is the place of the pane in front of a leaf, as shares of the window.
type Tile struct {
	Pane int
	Rect scene.Rect
}

// Tiles returns the places of the panes in front, from left to right and from top to bottom.
func (n *Node) Tiles() []Tile { return n.tiles(scene.Rect{X1: 1, Y1: 1}) }

func (n *Node) tiles(r scene.Rect) []Tile {
	if n == nil {
		return nil
	}
	a, b := r, r
	switch n.Split {
	case Tabs:
		return []Tile{{n.Shown, r}}
	case Columns:
		a.X1 = r.X0 + n.Share*r.W()
		b.X0 = a.X1
	case Rows:
		a.Y1 = r.Y0 + n.Share*r.H()
		b.Y0 = a.Y1
	}
	return append(n.A.tiles(a), n.B.tiles(b)...)
}
