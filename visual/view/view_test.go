package view_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"whorl/visual/testdata/bars"
	"whorl/visual/view"

	"whorl/tracer"
	"whorl/visual/glyph"
)

// TestElapsedOfRoundedTimes checks that the elapsed time of a record whose times are rounded down is that of the account.
func TestElapsedOfRoundedTimes(t *testing.T) {
	src := bars.Trace(bars.TwoReductions...)
	meta := src.Meta()
	meta.SetResolution(5)
	src.SetMeta(meta)
	r, err := view.ReadRun(src)
	if err != nil || !slices.Contains(r.Facts(), view.Fact{"Elapsed", "10 ns"}) {
		t.Errorf("%v, %v", r.Facts(), err)
	}
}

func TestOpenSaysWhatIsMissing(t *testing.T) {
	k := bars.Kind(view.Legend{})
	for _, c := range []struct {
		events []tracer.Event
		want   string
	}{
		{bars.TwoReductions, ""},
		{[]tracer.Event{{Kind: tracer.Start, Task: 1}, {Kind: tracer.End, Task: 1}}, ""},
		{nil, "the bars view needs Reduce or Start and End events; this trace is empty"},
		{[]tracer.Event{{Kind: tracer.Start, Task: 1}, {Kind: tracer.Idle}, {Kind: tracer.Idle}}, "the bars view needs Reduce or Start and End events; this trace has only Start (1), Idle (2)"},
	} {
		_, err := view.Open(k, bars.Trace(c.events...), glyph.New())
		if got := fmt.Sprint(err); err == nil && c.want != "" || err != nil && got != c.want {
			t.Errorf("%v: %v, want %s", c.events, err, c.want)
		}
	}
}

// TestBeginning checks that a long trace has a picture of its beginning until the whole one is done, with the same parameters, and that one that
// fails or would show half of the trace is left out.
func TestBeginning(t *testing.T) {
	k := bars.Kind(view.Legend{})
	k.First = &view.First{Events: 1, Picture: bars.Kind(view.Legend{Title: "beginning"}).Picture}
	open := func(events ...tracer.Event) *view.Opened {
		o, err := view.Open(k, bars.Trace(events...), glyph.New())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(o.Close)
		return o
	}
	if _, ok := open(bars.TwoReductions[0]).Beginning(context.Background(), 0, 100); ok {
		t.Error("a trace of one event has a picture of its first event")
	}
	for _, scale := range []string{"7", "13"} {
		o := open(bars.TwoReductions...)
		if err := o.Set("scale", scale); err != nil {
			t.Fatal(err)
		}
		r, ok := o.Beginning(context.Background(), 0, 100)
		if ok != (scale == "7") || r.Done {
			t.Errorf("scale %s: %+v, %t", scale, r, ok)
		}
		if b, _ := r.Value.(*bars.Picture); ok && (b == nil || b.Shown.Title != "beginning" || b.Counts[0] != 7) {
			t.Errorf("scale %s: %+v", scale, b)
		}
		if _, err := o.Geometry(context.Background(), 0, 100); (err != nil) != (scale == "13") {
			t.Errorf("scale %s: %v", scale, err)
		}
		if _, ok := o.Beginning(context.Background(), 0, 100); ok {
			t.Errorf("scale %s: there is a picture of the beginning after that of the whole trace", scale)
		}
	}
	o := open(bars.TwoReductions...)
	if _, ok := o.Beginning(context.Background(), 0, 100); !ok || o.Data.Runs("bars") != 1 {
		t.Error("no picture of the beginning")
	}
	if o.Rest(); len(o.Data.Held()) > 0 {
		t.Errorf("at rest the view holds %v", o.Data.Held())
	}
}

func TestBudgetAndMemory(t *testing.T) {
	o, err := view.Open(bars.Kind(view.Legend{}), bars.Trace(bars.TwoReductions...), glyph.New())
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	for range 2 {
		r, err := o.Geometry(context.Background(), time.Minute, 100)
		if err != nil || !r.Done || !slices.Equal(r.Value.(*bars.Picture).Counts, []int{1, 0, 1}) {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	if err := o.Set("scale", "3"); err != nil {
		t.Fatal(err)
	}
	if r, _ := o.Geometry(context.Background(), 0, 100); !slices.Equal(r.Value.(*bars.Picture).Counts, []int{3, 0, 3}) {
		t.Errorf("counts with scale 3: %v", r.Value)
	}
	if o.Data.Runs("run") != 1 || o.Data.Runs("bars") != 2 {
		t.Errorf("run ran %d times and bars %d, want 1 and 2", o.Data.Runs("run"), o.Data.Runs("bars"))
	}
}
