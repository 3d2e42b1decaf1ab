package page

import (
	"context"
	"reflect"
	"slices"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// A survey holds what all pictures share. It is made before any is drawn.
type survey struct {
	scales []scale // by view and row
	aspect []float32
	blocks []view.Block
}

// survey returns the scales that pictures share and the blocks of the common legend.
func (t *Table) survey(ctx context.Context, cell float32, text scene.Measurer) (survey, error) {
	s := survey{scales: make([]scale, len(t.Views)*len(t.Rows))}
	colours := make([]view.Block, len(t.Views))
	common := make([][]view.Block, len(t.Views)) // further blocks, of the picture with the most
	heading := make([]string, len(t.Views))
	drawn, differ, condensed := make([]int, len(t.Views)), make([]bool, len(t.Views)), false
	all := make([]scale, len(t.Views))
	area := scene.Rect{X1: float64(cell), Y1: float64(cell)}
	toScale := func(int, int) int64 { return 1 }
	err := t.each(ctx, cell, text, toScale, func(k, i int, p view.Picture) {
		f := t.frame(k, i, p)
		b := view.BoundsAt(p, f.Until)
		f.Area, f.Clip, f.Camera, f.Style, f.Text = area, area, view.Fit(b, area, 6), view.NewStyle(t.Dark, 12), text
		blocks := p.Legend(f).Blocks
		t.scale(&s, k, i).add(b)
		all[k].add(b)
		if len(blocks) > 0 {
			if more := commonBlocks(blocks[1:]); len(more) > len(common[k]) {
				common[k] = more
			}
			if c := blocks[0].Common; c != nil {
				blocks[0] = *c
			}
			differ[k] = differ[k] || drawn[k] > 0 && !slices.Equal(blocks[0].Notes, colours[k].Notes)
			if drawn[k] > 0 && blocks[0].Ramp != nil && colours[k].Ramp != nil && !slices.Equal(blocks[0].Ramp.Ticks, colours[k].Ramp.Ticks) {
				ticks := []string{"least of a row", "most of a row"}
				if t.Fill {
					ticks = []string{"least of each run", "most of each run"}
				}
				blocks[0].Ramp = &view.Ramp{Colors: blocks[0].Ramp.Colors, Ticks: ticks}
			}
			if drawn[k] == 0 || !less(&blocks[0], &colours[k]) {
				colours[k], heading[k] = blocks[0], t.Columns[i%len(t.Columns)]
			}
			for _, b := range blocks[1:] {
				condensed = condensed || b.Title != "Reading it" && len(b.Notes) > 0
			}
		}
		drawn[k]++
	})
	if err != nil {
		return survey{}, err
	}
	for k := range t.Views {
		aspect := float32(1)
		if w := all[k].world; stretched(t.Views[k].Kind) {
			aspect = plainAspect
		} else if w.W() > 0 {
			aspect = min(max(float32(w.H()/w.W()), 0.4), 1.5)
		}
		s.aspect = append(s.aspect, aspect)
		if drawn[k] == 0 {
			continue
		}
		c := colours[k]
		c.Columns, c.ValuesNote, c.Swatches = nil, "", slices.Clone(c.Swatches) // the values are of one cell only
		for i := range c.Swatches {
			c.Swatches[i].Values = nil
		}
		if differ[k] {
			c.Notes = append(slices.Clone(c.Notes), "These are the colours of "+heading[k]+"; other columns assign them differently.")
		}
		c.Facts = nil
		if shows := len(c.Swatches)+len(c.Notes) > 0 || c.Ramp != nil; shows && !slices.ContainsFunc(s.blocks, func(b view.Block) bool { return reflect.DeepEqual(b, c) }) {
			s.blocks = append(s.blocks, c)
		}
		s.blocks = append(s.blocks, common[k]...)
	}
	s.blocks = append(s.blocks, view.Block{Title: "All runs", Facts: t.Facts})
	if condensed {
		s.blocks = append(s.blocks, view.Block{Title: "Condensed", Notes: []string{"Parts too thin or too close to distinguish are drawn together."}})
	}
	return s, nil
}

// less reports whether a block explains fewer colours than another. A scale explains more than swatches.
func less(b, other *view.Block) bool {
	if scaled := b.Ramp != nil; scaled != (other.Ramp != nil) {
		return !scaled
	}
	return len(b.Swatches) < len(other.Swatches)
}

// commonBlocks returns the forms of blocks that hold for all runs.
func commonBlocks(blocks []view.Block) (common []view.Block) {
	for i := range blocks {
		if c := blocks[i].Common; c != nil {
			common = append(common, *c)
		}
	}
	return common
}
