package app

import (
	"context"
	"slices"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/tracer/store"
	"whorl/visual/view"
)

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
	all := []byte(file.String())
	third := len(all) / 3
	run := &dripping{pieces: [][]byte{all[:third], all[third : 2*third], all[2*third:]}, now: 1}
	d := drive(t, Options{}, 900, 700, 1)
	d.app.Watch(run, r)
	d.until("the run", func() bool { return len(d.app.model.Docs.All()) == 1 })
	name := d.app.model.State.Shared.Traces[0]
	bodies := d.alone("bodies", name)
	d.until("bodies", func() bool { return bodies.Picture() != nil && !bodies.Busy() })
	to := func() int64 { _, to := d.app.model.Docs.Get(name).Source.Span(); return to }
	early := to() / 2
	show := func(at *int64) []byte {
		d.app.actions.Apply(view.Action{Do: view.SetUntil, Until: at})
		d.settle()
		m, area := d.picture(), bodies.Area
		var pixels []byte
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
	for range 2 {
		run.now++
		before := to()
		d.until("more of the trace", func() bool {
			return to() > before && bodies.UpToDate(d.app.model.Docs.Get(name))
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
