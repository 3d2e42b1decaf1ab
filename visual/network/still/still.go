// Package still draws the pictures of a network without a window.
package still

import (
	"context"
	"errors"
	"fmt"
	"math"

	"whorl/visual/glyph"
	"whorl/visual/network"
	"whorl/visual/network/modules"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// A Network is a network with the values of its sources.
type Network struct {
	Plan *network.Plan
	Data *view.Data
	Text *glyph.Set
}

// Result returns the last display or page that is not on a page, whose picture is that of the network, or nil.
func (n *Network) Result() *network.Output {
	var result *network.Output
	read := map[string]bool{}
	for _, o := range n.Plan.Outputs {
		for _, in := range o.In["pictures"] {
			read[in.Use.Name] = true
		}
	}
	for _, o := range n.Plan.Outputs {
		if o.Module.Out == network.Picture && !read[o.Use.Name] {
			result = o
		}
	}
	return result
}

// Exports returns the uses of the exports.
func (n *Network) Exports() (exports []*network.Output) {
	for _, o := range n.Plan.Outputs {
		if o.Module.Class == network.Export {
			exports = append(exports, o)
		}
	}
	return exports
}

// Input returns what an export reads.
func Input(export *network.Output) *network.Output { return export.In[export.Module.In[0].Name][0] }

// Picture draws a display or a page in w by h pixels. A font of 0 pixels follows from the size.
func (n *Network) Picture(ctx context.Context, o *network.Output, w, h int, shot page.Shot) (*scene.List, error) {
	if o.Kind() != nil {
		opened, err := n.open(o)
		if err != nil {
			return nil, err
		}
		defer opened.Rest()
		still, err := page.Shoot(ctx, opened, w, h, shot)
		if err != nil {
			return nil, named(o, err)
		}
		return still.List, named(o, still.Wrong())
	}
	if w < page.MinSide || h < page.MinSide || w > page.MaxSide || h > page.MaxSide {
		return nil, fmt.Errorf("size %dx%d: expected each side from %d to %d pixels", w, h, page.MinSide, page.MaxSide)
	}
	font := shot.Font
	if font == 0 {
		font = float32(max(math.Round(10*math.Pow(float64(min(w, h))/600, 0.6)), 9))
	}
	out := scene.New(float32(w), float32(h))
	return out, n.page(ctx, o, scene.Rect{X1: float64(w), Y1: float64(h)}, font, out)
}

// open opens a display.
func (n *Network) open(o *network.Output) (*view.Opened, error) {
	opened, err := n.Data.Open(o.Kind(), n.Text)
	return opened, named(o, err)
}

// named adds the name of a use to an error.
func named(o *network.Output, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", o.Use.Name, err)
}

// page draws a display, a row or a column into a rectangle.
func (n *Network) page(ctx context.Context, o *network.Output, r scene.Rect, font float32, out *scene.List) error {
	if o.Kind() != nil {
		opened, err := n.open(o)
		if err != nil {
			return err
		}
		defer opened.Rest()
		if r.W() < 4*float64(font) || r.H() < 6*float64(font) {
			return named(o, errors.New("the picture has no room on its page: choose a larger size or other shares"))
		}
		still, err := page.Paste(ctx, opened, r, font, out)
		if err == nil {
			err = still.Wrong()
		}
		return named(o, err)
	}
	parts := o.In["pictures"]
	shares, err := modules.Shares(o.Values, len(parts))
	if err != nil {
		return named(o, err)
	}
	at := 0.0
	for i, part := range parts {
		inner := r
		if o.Module.Name == modules.RowName {
			inner.X0, inner.X1 = math.Round(r.X0+at*r.W()), math.Round(r.X0+(at+shares[i])*r.W())
		} else {
			inner.Y0, inner.Y1 = math.Round(r.Y0+at*r.H()), math.Round(r.Y0+(at+shares[i])*r.H())
		}
		at += shares[i]
		if err := n.page(ctx, part, inner, font, out); err != nil {
			return err
		}
	}
	return nil
}
