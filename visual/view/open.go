package view

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/scene"
	"whorl/visual/sound"
)

// A Data holds the values derived from a trace for all of its views. Values that several views need are computed once. A Data and its views
// must be used by one goroutine at a time.
type Data struct {
	src   tracer.Source
	other tracer.Source
	group any
	graph *flow.Graph
}

// NewData returns a Data for a trace.
func NewData(src tracer.Source) *Data {
	d := &Data{graph: flow.New()}
	d.SetTrace(src)
	Other.Set(d.graph, nil)
	OtherName.Set(d.graph, "")
	Group.Set(d.graph, nil)
	return d
}

// SetTrace replaces the trace of all views, or announces that it has grown. Stages may continue from their previous values.
func (d *Data) SetTrace(src tracer.Source) {
	d.src = src
	Trace.Set(d.graph, src)
	Recorded.Set(d.graph, src)
}

// Supply sets the value of a further source that the stages of some views read.
func Supply[T any](d *Data, s *flow.Source[T], value T) { s.Set(d.graph, value) }

// Source returns the trace of the views.
func (d *Data) Source() tracer.Source { return d.src }

// Compare sets the trace of the run that views compare theirs with, and the name of that run; nil for none. Setting the same trace has no effect.
// No stage reads the trace set before once Compare has returned.
func (d *Data) Compare(name string, other tracer.Source) {
	if other == d.other {
		return
	}
	d.graph.Close()
	d.other = other
	Other.Set(d.graph, other)
	OtherName.Set(d.graph, name)
}

// SetGroup sets the numbers of the runs that are compared with the trace, nil for none. Setting an equal value has no effect.
func (d *Data) SetGroup(value any) {
	if value != d.group {
		d.group = value
		Group.Set(d.graph, value)
	}
}

// Read returns a reader of a stage that is not a picture.
func Read[T any](d *Data, s *flow.Stage[T]) *flow.Reader[T] { return flow.NewReader[T](d.graph, s) }

// Span returns the time of the first and of the last event of the trace, in ns.
func (d *Data) Span() (from, to int64) { return d.src.Span() }

// Runs returns the number of times that stages with a name have run.
func (d *Data) Runs(stage string) int { return d.graph.Runs(stage) }

// Close stops the running stage and waits for it. The trace is not read afterwards.
func (d *Data) Close() { d.graph.Close() }

// An Opened is a trace in a view, with the values of the view's parameters.
type Opened struct {
	Kind *Kind
	Data *Data // the values of its trace
	Text scene.Measurer

	reader *flow.Reader[Picture]
	first  *flow.Reader[Picture] // of the picture of the beginning, nil for none
	params flow.Values

	counted string // value of Counted
}

// Open opens a trace in a single view. If the view cannot show it, the error names the missing events.
func Open(k *Kind, src tracer.Source, text scene.Measurer) (*Opened, error) {
	return NewData(src).Open(k, text)
}

// Open opens a further view of the trace. If the view cannot show the trace, the error names the missing events.
func (d *Data) Open(k *Kind, text scene.Measurer) (*Opened, error) {
	if err := k.CanOpen(d.src); err != nil {
		return nil, err
	}
	o := &Opened{Kind: k, Data: d, reader: k.Picture.reader(d.graph), params: k.Defaults(), Text: text}
	if f := k.First; f != nil && events(d.src.Counts()) >= 2*f.Events {
		o.first = f.Picture.reader(d.graph)
	}
	for name, v := range o.params {
		if err := o.setParam(name, v); err != nil {
			return nil, fmt.Errorf("view %s: %w", k.Name, err)
		}
	}
	return o, nil
}

// setParam sets a parameter of the stages.
func (o *Opened) setParam(name string, v any) error {
	if o.first != nil {
		if err := o.first.SetParam(name, v); err != nil {
			return err
		}
	}
	return o.reader.SetParam(name, v)
}

// Set sets a parameter to a value as users write it.
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
	return o.setParam(name, v)
}

// Setting returns the value of a parameter of type string.
func (o *Opened) Setting(name string) string { return o.params.Text(name) }

// Geometry returns the current picture for an area with a smaller side of window pixels. See flow.Reader.Get for budget.
func (o *Opened) Geometry(ctx context.Context, budget time.Duration, window int) (flow.Result[Picture], error) {
	if err := o.setParam(Window, int64(window)); err != nil {
		return flow.Result[Picture]{}, err
	}
	r, err := o.reader.Get(ctx, budget)
	if r.Done && o.first != nil {
		o.first.Rest()
		o.first = nil
	}
	return r, err
}

// Begins reports whether there is a picture of the beginning of the trace, and none of the whole trace yet.
func (o *Opened) Begins() bool { return o.first != nil }

// Beginning returns the picture of the beginning of a long trace like Geometry, to be shown until Geometry has a picture. Its result is never Done. ok
// is false if there is no such picture.
func (o *Opened) Beginning(ctx context.Context, budget time.Duration, window int) (r flow.Result[Picture], ok bool) {
	if o.first == nil {
		return r, false
	}
	err := o.setParam(Window, int64(window))
	if err == nil {
		r, err = o.first.Get(ctx, budget)
	}
	if err != nil { // Geometry has the whole error, if there is one
		o.first.Rest()
		o.first = nil
		return flow.Result[Picture]{}, false
	}
	r.Done = false
	return r, true
}

// Stages describes the stages that the picture is computed by.
func (o *Opened) Stages() []flow.Info { return o.reader.Stages() }

// Counts reports whether the picture counts the events in the given time, nil for all, or does not depend on it.
func (o *Opened) Counts(time *Span) bool {
	return FormatCounted(time) == o.counted || !o.ReadsTime()
}

// ReadsTime reports whether the picture counts the events in a part of the time.
func (o *Opened) ReadsTime() bool { return o.reader.Reads(Counted) }

// SetCounted sets the interval whose events are counted. It returns false if the picture does not depend on it or it has not changed.
func (o *Opened) SetCounted(time *Span) bool {
	if o.Counts(time) {
		return false
	}
	o.counted = FormatCounted(time)
	if err := o.setParam(Counted, o.counted); err != nil {
		panic(err) // Counted accepts any text
	}
	return true
}

// FormatCounted formats a time as a value of Counted, nil as "".
func FormatCounted(time *Span) string {
	if time == nil {
		return ""
	}
	return strconv.FormatInt(time.First, 10) + " " + strconv.FormatInt(time.Last, 10)
}

// ParseCounted is the inverse of FormatCounted. It returns nil for invalid text.
func ParseCounted(text string) *Span {
	first, last, _ := strings.Cut(text, " ")
	a, err := strconv.ParseInt(first, 10, 64)
	b, err2 := strconv.ParseInt(last, 10, 64)
	if err != nil || err2 != nil {
		return nil
	}
	return &Span{First: a, Last: b}
}

// Rest releases the values that only this view needs. Geometry computes them again.
func (o *Opened) Rest() {
	if o.first != nil {
		o.first.Rest()
	}
	o.reader.Rest()
}

// Close closes a view opened by the function Open.
func (o *Opened) Close() {
	o.Rest()
	o.Data.Close()
}

// A Viewpoint is the position of a listener: degrees of turn and tilt from the initial direction, and a zoom factor.
type Viewpoint struct{ Turn, Tilt, Zoom float64 }

// Listen returns the sound of the whole run, played in the duration lasts. If the run is silent, the error says why.
func (o *Opened) Listen(ctx context.Context, from Viewpoint, lasts time.Duration) (sound.Score, error) {
	if !Implements[Sounder](o.Kind) {
		return sound.Score{}, fmt.Errorf("the %s view makes no sound", o.Kind.Name)
	}
	const side = 1000
	r, err := o.Geometry(ctx, 0, side)
	if err != nil {
		return sound.Score{}, err
	}
	p := r.Value.(Sounder)
	if why := p.Mute(); why != "" {
		return sound.Score{}, fmt.Errorf("nothing can be heard: %s", why)
	}
	area := scene.Rect{X1: side, Y1: side}
	f := &Frame{Area: area, Clip: area, Style: NewStyle(false, side/75), Text: o.Text}
	f.Camera = Fit(BoundsAt(p, nil), area, 0)
	f.Camera.Scale *= from.Zoom
	f.Camera.Turn, f.Camera.Tilt = from.Turn, from.Tilt
	first, last := o.Data.Span()
	return sound.Score{
		Tones: p.Sounds(f, first-1, last, lasts), Ears: []sound.Hearing{{Ear: p.Ear(f)}}, Length: lasts,
	}, nil
}
