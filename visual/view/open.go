package view

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/scene"
)

// An Opened is a trace in a view: the graph of its stages with the values of its parameters. One goroutine uses it at a time.
type Opened struct {
	Kind *Kind

	graph  *flow.Graph
	params flow.Params
	text   scene.Measurer
}

// Open prepares a trace for a view. The error says which events are missing where the view cannot show it.
func Open(k *Kind, src tracer.Source, text scene.Measurer) (*Opened, error) {
	if err := k.CanOpen(src); err != nil {
		return nil, err
	}
	g, err := flow.New([]string{Trace}, k.Stages...)
	if err != nil {
		return nil, fmt.Errorf("view %s: %w", k.Name, err)
	}
	o := &Opened{Kind: k, graph: g, params: k.Defaults(), text: text}
	for name, v := range o.params {
		if err := g.SetParam(name, v); err != nil {
			return nil, fmt.Errorf("view %s: %w", k.Name, err)
		}
	}
	return o, g.Set(Trace, src)
}

// Set gives a parameter a value as users write it.
func (o *Opened) Set(name, value string) error {
	p, err := o.Kind.Param(name)
	if err != nil {
		return err
	}
	v, err := p.Parse(value)
	if err != nil {
		return err
	}
	o.params[name] = v
	return o.graph.SetParam(name, v)
}

// SetTrace gives the view another source, or the same one after it has grown; stages may take over what still holds.
func (o *Opened) SetTrace(src tracer.Source) error { return o.graph.Set(Trace, src) }

// Geometry brings what the view draws up to date, for a picture whose smaller side has that many pixels. budget is that of flow.Get.
func (o *Opened) Geometry(ctx context.Context, budget time.Duration, window int) (flow.Result, error) {
	if err := o.graph.SetParam(Window, int64(window)); err != nil {
		return flow.Result{}, err
	}
	return o.graph.Get(ctx, budget, o.Kind.Geometry)
}

// Runs is how often a stage has run.
func (o *Opened) Runs(stage string) int { return o.graph.Runs(stage) }

// Close stops what still runs.
func (o *Opened) Close() { o.graph.Close() }

// Picture sizes that Render accepts, in pixels.
const (
	MinSide = 64
	MaxSide = 32768
)

// A Shot is what a picture shows besides the view's parameters. The zero Shot shows everything and no marks.
type Shot struct {
	Trace  string // its name in Shared
	Camera Camera // the zero Camera shows everything
	Area   Rect   // the area that the camera was for
	Shared Shared // Until, the selection and the annotations are shown
	Span   Span   // as in Frame
}

// Picture draws the whole view with title, legend and numbers, w by h pixels.
func (o *Opened) Picture(ctx context.Context, w, h int) (*scene.List, error) {
	return o.Shoot(ctx, w, h, Shot{})
}

// Shoot draws the view as a user sees it, with title, legend and numbers, w by h pixels.
func (o *Opened) Shoot(ctx context.Context, w, h int, s Shot) (*scene.List, error) {
	if w < MinSide || h < MinSide || w > MaxSide || h > MaxSide {
		return nil, fmt.Errorf("size %dx%d: want each side from %d to %d pixels", w, h, MinSide, MaxSide)
	}
	p := newPage(float32(w), float32(h), o.params.Text(Background.Name) == "dark", o.text)
	r, err := o.Geometry(ctx, 0, int(min(p.picture.W(), p.picture.H())))
	if err != nil {
		return nil, err
	}
	f := &Frame{Area: p.picture, Clip: p.picture, Style: p.style, Text: o.text, Trace: s.Trace, Until: s.Shared.Until, Span: s.Span, State: &State{Shared: s.Shared}}
	if f.Camera = s.Camera.scaled(s.Area, p.picture); s.Camera == (Camera{}) {
		f.Camera = Fit(o.Kind.View.Bounds(r.Value), p.picture, float64(p.style.Font)/2)
	}
	out := scene.New(float32(w), float32(h))
	out.Rect(0, 0, float32(w), float32(h), p.style.Ground)
	o.Kind.View.Base(f, r.Value, out)
	o.Kind.View.Overlay(f, r.Value, out)
	p.draw(out, o.Kind.View.Legend(f, r.Value))
	return out, nil
}

// Render draws a trace in a view: what `whorl render` writes to a file. Parameters are given as users write them; those not given have
// their defaults.
func Render(ctx context.Context, k *Kind, src tracer.Source, params map[string]string, w, h int, text scene.Measurer) (*scene.List, error) {
	o, err := Open(k, src, text)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if err := o.Set(name, params[name]); err != nil {
			return nil, err
		}
	}
	return o.Picture(ctx, w, h)
}
