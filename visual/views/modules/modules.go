// Package modules shows the modules behind the picture of a view: the trace, the stages that the view consists of, and the sizes of their values. In
// the viewer its panes show the network of another pane, which users change there (whorl/visual/network/wiring).
package modules

import (
	"context"
	"errors"
	"strings"
	"sync"

	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/network"
	"whorl/visual/network/modules"
	"whorl/visual/network/wiring"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

var of = view.Param{Name: "of", Label: "View", Doc: "the view whose modules are shown; empty is the first that can show the trace", Default: ""}

// Kind describes the view, which shows the modules of one of some views.
func Kind(views []*view.Kind) *view.Kind {
	catalog := sync.OnceValue(func() network.Catalog { return modules.Catalog(views) })
	stage := flow.Derive("modules", "the modules of a view and the sizes of their values", flow.In(view.Trace, view.RunStage), flow.Params{of.Name},
		func(c *flow.Call[*Geometry]) (*Geometry, error) {
			src := view.Trace.In(c)
			k, err := chosen(views, c.Params.Text(of.Name), src)
			if err != nil {
				return nil, err
			}
			data := view.NewData(src)
			defer data.Close()
			opened, err := data.Open(k, nil)
			if err != nil {
				return nil, err
			}
			if _, err := opened.Geometry(c.Context, 0, side); err != nil {
				return nil, err
			}
			n := catalog().Default(k.Name, nil)
			s := wiring.Scene{Catalog: catalog(), Network: n, Display: catalog().Display(n), Stages: opened.Stages()}
			return &Geometry{view.RunStage.In(c), k.Title, wiring.NewPicture(s)}, nil
		})
	var needs []tracer.KindSet
	for kind := tracer.KindInvalid + 1; kind < tracer.NumKinds; kind++ {
		needs = append(needs, tracer.Kinds(kind))
	}
	return &view.Kind{
		Name: "modules", Title: "Modules", Icon: icon.Fork,
		Doc:   "the modules behind a picture, from the trace to the display, which the viewer changes, connects and adds",
		Needs: needs, Picture: view.Draws(stage), Params: []view.Param{of, view.Background}, Modules: true, Whole: true,
	}
}

// side is the size of the picture whose modules are shown, in pixels.
const side = 800

// chosen returns the view of a name, or the first that can show a trace.
func chosen(views []*view.Kind, name string, src tracer.Source) (*view.Kind, error) {
	var names []string
	for _, k := range views {
		if k.Name == name || name == "" && k.CanOpen(src) == nil {
			return k, nil
		}
		names = append(names, k.Name)
	}
	if name == "" {
		return nil, errors.New("no view can show the trace")
	}
	return nil, &nearest.UnknownError{Kind: "view", Name: name, Known: names, See: "whorl list views"}
}

// Live returns the view k for a pane of the viewer, with a source of the network that the pane shows.
func Live(k *view.Kind) (*view.Kind, *flow.Source[Shown]) {
	shown := flow.NewSource[Shown]("shown modules")
	live := *k
	live.Needs, live.Params = nil, []view.Param{view.Background}
	live.Picture = view.Draws(flow.Derive("shown modules", "the modules of the pane", flow.In(shown, view.RunStage), nil, func(c *flow.Call[*Geometry]) (*Geometry, error) {
		s := shown.In(c)
		return &Geometry{view.RunStage.In(c), s.Title, s.Picture}, nil
	}))
	return &live, shown
}

// Shoot draws the view k of a network in w by h pixels.
func Shoot(ctx context.Context, d *view.Data, k *view.Kind, s Shown, text scene.Measurer, w, h int, shot page.Shot) (*scene.List, error) {
	live, shown := Live(k)
	view.Supply(d, shown, s)
	opened, err := d.Open(live, text)
	if err != nil {
		return nil, err
	}
	defer opened.Rest()
	still, err := page.Shoot(ctx, opened, w, h, shot)
	if err != nil {
		return nil, err
	}
	return still.List, nil
}

// Shown is the content of a pane of the viewer.
type Shown struct {
	Title   string // of the view
	Picture *wiring.Picture
}

// A Geometry is the picture of the view.
type Geometry struct {
	run     *view.Run
	title   string
	picture *wiring.Picture
}

var _ view.Linked = (*Geometry)(nil)

// Bounds returns a rectangle in points.
func (g *Geometry) Bounds() scene.Rect {
	w, h := g.picture.Size()
	return scene.Rect{X1: float64(w), Y1: float64(h)}
}

// canvas returns a canvas for a frame, and the place of the picture's corner on it.
func canvas(f *view.Frame, out *scene.List) (c *ui.Canvas, x, y float32) {
	px, py := f.ToPixel(0, 0)
	r := ui.Rect{X0: float32(f.Clip.X0), Y0: float32(f.Clip.Y0), X1: float32(f.Clip.X1), Y1: float32(f.Clip.Y1)}
	th := ui.NewTheme(f.Style.Dark)
	th.Surface = f.Style.Ground
	return ui.NewCanvas(out, r, float32(f.Camera.Scale), th, f.Text), float32(px), float32(py)
}

// Base draws the boxes and the links.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	c, x, y := canvas(f, out)
	g.picture.Draw(c, x, y)
}

// Legend names the view and the types of the links.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	types := view.Block{Title: "Links"}
	names, colors := wiring.Types(f.Style.Dark)
	for i, name := range names {
		types.Swatches = append(types.Swatches, view.Swatch{Colors: colors[i : i+1], Label: name})
	}
	l := g.run.Legend("modules of " + strings.ToLower(g.title))
	l.Blocks = []view.Block{types}
	return l
}

// Hit finds nothing, since modules are no things of the trace.
func (g *Geometry) Hit(*view.Frame, float64, float64) (view.Selection, bool) {
	return view.Selection{}, false
}

// Locate returns no places.
func (g *Geometry) Locate(*view.Frame, view.Selection) []scene.Rect { return nil }

// Tip describes the box at a pixel.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	c, x0, y0 := canvas(f, new(scene.List))
	lines := g.picture.Tip(c, x0, y0, float32(x), float32(y))
	return view.Tip{X: x, Y: y, Lines: lines}, lines != nil
}
