package app

import (
	"context"
	"slices"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/tracer/store"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// A fedRun is a run whose trace a test passes on piece by piece.
type fedRun struct {
	bytes []byte // all of the trace
	taken int
	upTo  int // that may be taken
}

func (f *fedRun) Take() []byte {
	b := f.bytes[f.taken:f.upTo]
	f.taken = f.upTo
	return b
}

func (f *fedRun) Status() session.Status {
	if f.upTo == len(f.bytes) {
		return session.Status{State: session.Finished}
	}
	return session.Status{State: session.Running}
}

func (f *fedRun) Do(session.Command) {}
func (f *fedRun) Close()             {}

// TestBodiesFollow: the bodies of a run follow its growing trace. The picture of an earlier time stays the same to the pixel when the trace
// is longer, and when it has ended.
func TestBodiesFollow(t *testing.T) {
	r := experiment.Defaults("fghc/fibonacci")
	r.Args, r.PEs, r.Network, r.Policy = []string{"16"}, 8, "all", "random"
	p, err := r.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	var file strings.Builder
	w := store.New(&file)
	if _, err := p.Run(context.Background(), w, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	run := &fedRun{bytes: []byte(file.String())}
	run.upTo = len(run.bytes) / 3
	d := drive(t, Options{}, 900, 700, 1)
	d.app.Watch(run, r)
	d.until("the run", func() bool { return len(d.app.model.docs.All()) == 1 })
	name := d.app.model.State.Shared.Traces[0]
	d.app.actions.edit(func(w *workspace.Workspace) error {
		id, err := w.Open("bodies", name)
		w.Root = workspace.Leaf(id)
		return err
	})
	bodies := func() *pane { return d.paneOf("bodies") }
	d.until("bodies", func() bool { return bodies() != nil && bodies().result.Value != nil && !bodies().working })
	to := func() int64 { _, to := d.app.model.docs.Get(name).Source.Span(); return to }
	early := to() / 2
	show := func(at *int64) []byte {
		d.app.actions.apply(view.Action{Do: view.SetUntil, Until: at})
		d.settle()
		b := bodies()
		m := d.picture()
		var pixels []byte
		area := b.area
		for y := int(area.Y0) + 1; y < int(area.Y0+0.7*area.H()); y++ {
			row := m.Pix[m.PixOffset(int(area.X0)+1, y):m.PixOffset(int(area.X0+0.6*area.W()), y)]
			pixels = append(pixels, row...)
		}
		return pixels
	}
	first, end := show(&early), show(nil)
	if slices.Equal(first, end) {
		t.Fatal("the bodies do not move")
	}
	for _, share := range []int{2, 1} { // half of the rest, and all
		run.upTo += (len(run.bytes) - run.upTo) / share
		before := to()
		d.until("more of the trace", func() bool {
			return to() > before && bodies().fed == d.app.model.docs.Get(name).Fed.Revision && !bodies().working
		})
		d.settle()
		if again := show(&early); !slices.Equal(first, again) {
			t.Error("the picture of an earlier time has changed")
		}
		if later := show(nil); slices.Equal(later, end) {
			t.Error("the bodies do not follow the trace")
		} else {
			end = later
		}
	}
}

// TestBodiesConstants: invalid constants, as a workspace may have them, are reported and change nothing.
func TestBodiesConstants(t *testing.T) {
	d, p := bodiesOf(t, 900, 700)
	for _, value := range []string{"NaN", "+Inf", "-1", "1e9", "much"} {
		d.app.actions.apply(view.Action{Do: view.SetParam, Pane: d.app.model.Index(p.id), Name: "friction", Value: value})
		d.settle()
		if !d.shows("is not a number from 0 to 1000") {
			t.Errorf("a friction of %s is not reported", value)
		}
		if p.result.Value == nil || p.err != nil {
			t.Errorf("with a friction of %s the pane has no picture: %v", value, p.err)
		}
	}
}
