package modules

import (
	"whorl/visual/network"
	"whorl/visual/view"
)

// strips cuts a long matrix into strips (PerfVisS, section 2.2.1).
func strips() *network.Module {
	return &network.Module{
		Name: "strips", Title: "Strips", Doc: "cut a long matrix into strips, which displays show side by side",
		Class: network.Layout, In: matrixIn, Out: network.Grid,
		Params: []view.Param{{Name: "rows", Label: "Rows of a strip", Doc: "number of rows of each strip", Default: int64(80), Min: 1, Max: 1 << 31}},
		Run: func(c *network.Call) (any, error) {
			out := *c.Matrix("matrix")
			out.Strip = int(c.Params.Int("rows"))
			return &out, nil
		},
	}
}

var picturesIn = []network.Port{{Name: "pictures", Type: network.Picture, Many: true}}

// The names of the layouts of pictures.
const (
	RowName    = "row"
	ColumnName = "column"
)

var shares = view.Param{Name: "shares", Label: "Shares", Doc: "the relative sizes of the pictures, as in 2,1; empty makes them equal", Default: ""}

// row puts pictures beside each other.
func row() *network.Module {
	return &network.Module{
		Name: RowName, Title: "Row", Doc: "pictures beside each other", Class: network.Layout, In: picturesIn, Out: network.Picture,
		Params: []view.Param{shares}, Check: checkShares,
	}
}

// column puts pictures one above the other.
func column() *network.Module {
	return &network.Module{
		Name: ColumnName, Title: "Column", Doc: "pictures one below the other", Class: network.Layout, In: picturesIn, Out: network.Picture,
		Params: []view.Param{shares}, Check: checkShares,
	}
}
