package view

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/scene"
	"whorl/visual/sound"
)

// A Data is what is computed of a trace for all who look at it: what two views need in the same way is there once. One goroutine uses a
// Data, and the views of it, at a time.
type Data struct {
	src    tracer.Source
	beside any
	graph  *flow.Graph
}

// NewData prepares a trace for views of it.
func NewData(src tracer.Source) *Data {
	g, err := flow.New(Trace, Beside)
	if err != nil {
		panic(err) // its sources have names
	}
	d := &Data{graph: g}
	d.SetTrace(src)
	d.set(nil)
	return d
}

// SetTrace gives all views another source, or what the same one is after it has grown; stages may take over what still holds.
func (d *Data) SetTrace(src tracer.Source) {
	d.src = src
	if err := d.graph.Set(Trace, src); err != nil {
		panic(err) // there is such a source
	}
}

// SetBeside gives all views what they may compare the trace with, nil for nothing; what it is already is no change.
func (d *Data) SetBeside(value any) {
	if value != d.beside {
		d.set(value)
	}
}

func (d *Data) set(beside any) {
	d.beside = beside
	if err := d.graph.Set(Beside, beside); err != nil {
		panic(err) // there is such a source
	}
}

// Runs is how often stages of a name have run.
func (d *Data) Runs(stage string) int { return d.graph.Runs(stage) }

// Close stops what still runs and waits for its end: nobody reads the trace any more.
func (d *Data) Close() { d.graph.Close() }

// An Opened is a trace in a view, with the values of the view's parameters.
type Opened struct {
	Kind *Kind

	data   *Data
	reader *flow.Reader
	params flow.Params
	text   scene.Measurer
	shot   *Frame // of the last picture, nil for none
	shown  any    // and its geometry

	counted string // the value of Counted
}

// Open prepares a trace for a view alone. The error says which events are missing where the view cannot show it.
func Open(k *Kind, src tracer.Source, text scene.Measurer) (*Opened, error) {
	return NewData(src).Open(k, text)
}

// Open opens a view of the trace beside others. The error says which events are missing where it cannot show the trace.
func (d *Data) Open(k *Kind, text scene.Measurer) (*Opened, error) {
	if err := k.CanOpen(d.src); err != nil {
		return nil, err
	}
	r, err := d.graph.Reader(k.Stages...)
	if err != nil {
		return nil, fmt.Errorf("view %s: %w", k.Name, err)
	}
	o := &Opened{Kind: k, data: d, reader: r, params: k.Defaults(), text: text}
	for name, v := range o.params {
		if err := r.SetParam(name, v); err != nil {
			return nil, fmt.Errorf("view %s: %w", k.Name, err)
		}
	}
	return o, nil
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
	return o.reader.SetParam(name, v)
}

// SetTrace is that of the Data.
func (o *Opened) SetTrace(src tracer.Source) { o.data.SetTrace(src) }

// SetBeside is that of the Data.
func (o *Opened) SetBeside(value any) { o.data.SetBeside(value) }

// Geometry brings what the view draws up to date, for a picture whose smaller side has that many pixels. budget is that of flow.Get.
func (o *Opened) Geometry(ctx context.Context, budget time.Duration, window int) (flow.Result, error) {
	if err := o.reader.SetParam(Window, int64(window)); err != nil {
		return flow.Result{}, err
	}
	return o.reader.Get(ctx, budget, o.Kind.Geometry)
}

// Counts says whether the geometry is of a time, nil for all, or does not depend on any.
func (o *Opened) Counts(time *Span) bool {
	depends := func(s flow.Stage) bool { return slices.Contains(s.Params, Counted) }
	return FormatCounted(time) == o.counted || !slices.ContainsFunc(o.Kind.Stages, depends)
}

// SetCounted says of which time anything is counted; false where nothing depends on it, or it is the one that it was.
func (o *Opened) SetCounted(time *Span) bool {
	if o.Counts(time) {
		return false
	}
	o.counted = FormatCounted(time)
	if err := o.reader.SetParam(Counted, o.counted); err != nil {
		panic(err) // any text will do
	}
	return true
}

// FormatCounted writes a time as the value of Counted; nil is "".
func FormatCounted(time *Span) string {
	if time == nil {
		return ""
	}
	return strconv.FormatInt(time.First, 10) + " " + strconv.FormatInt(time.Last, 10)
}

// ParseCounted reads what FormatCounted writes, nil for anything else.
func ParseCounted(text string) *Span {
	first, last, _ := strings.Cut(text, " ")
	a, err := strconv.ParseInt(first, 10, 64)
	b, err2 := strconv.ParseInt(last, 10, 64)
	if err != nil || err2 != nil {
		return nil
	}
	return &Span{First: a, Last: b}
}

// Runs is that of the Data.
func (o *Opened) Runs(stage string) int { return o.data.Runs(stage) }

// Rest gives back what only this view needs, until Geometry is asked for again.
func (o *Opened) Rest() { o.reader.Rest() }

// Close ends the use of a view that was opened alone.
func (o *Opened) Close() {
	o.Rest()
	o.data.Close()
}

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
	f := &Frame{Area: p.picture, Clip: p.picture, Style: p.style, Text: o.text, Trace: s.Trace, Until: s.Shared.Until, Span: s.Span, Detail: s.Shared.Detail, State: &State{Shared: s.Shared}}
	if o.Kind.Windowed {
		f.Window = s.Shared.Window
	}
	o.SetCounted(f.Counted())
	r, err := o.Geometry(ctx, 0, int(min(p.picture.W(), p.picture.H())))
	if err != nil {
		return nil, err
	}
	if f.Camera = s.Camera.scaled(s.Area, p.picture); s.Camera == (Camera{}) {
		f.Camera = Fit(o.Kind.View.Bounds(r.Value), p.picture, float64(p.style.Font)/2)
	}
	o.shot, o.shown = f, r.Value
	out := scene.New(float32(w), float32(h))
	out.Rect(0, 0, float32(w), float32(h), p.style.Ground)
	o.Kind.View.Base(f, r.Value, out)
	o.Kind.View.Overlay(f, r.Value, out)
	p.draw(out, o.Kind.View.Legend(f, r.Value))
	return out, nil
}

// Wrong is what is wrong with what the parameters of the last picture ask for, nil where nothing is.
func (o *Opened) Wrong() error {
	if d, ok := o.Kind.View.(Doubter); ok && o.shown != nil {
		return d.Wrong(o.shown)
	}
	return nil
}

// A Viewpoint is from where a run is heard: turned and tilted by degrees from where the view is seen at first, and so many times nearer.
type Viewpoint struct{ Turn, Tilt, Zoom float64 }

// Listen is what is heard of a run of which all plays in some time. The error says why that is nothing.
func (o *Opened) Listen(ctx context.Context, p Viewpoint, lasts time.Duration) (sound.Score, error) {
	v, ok := o.Kind.View.(Sounder)
	if !ok {
		return sound.Score{}, fmt.Errorf("the %s view makes no sound", o.Kind.Name)
	}
	const side = 1000
	r, err := o.Geometry(ctx, 0, side)
	if err != nil {
		return sound.Score{}, err
	}
	if why := v.Mute(r.Value); why != "" {
		return sound.Score{}, fmt.Errorf("nothing can be heard: %s", why)
	}
	area := Rect{X1: side, Y1: side}
	f := &Frame{Area: area, Clip: area, Style: NewStyle(false, side/75), Text: o.text}
	f.Camera = Fit(v.Bounds(r.Value), area, 0)
	f.Camera.Scale *= p.Zoom
	f.Camera.Turn, f.Camera.Tilt = p.Turn, p.Tilt
	from, to := o.data.src.Span()
	return sound.Score{
		Tones: v.Sounds(f, r.Value, from-1, to, lasts), Ears: []sound.Hearing{{Ear: v.Ear(f, r.Value)}}, Length: lasts,
	}, nil
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
