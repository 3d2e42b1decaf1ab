package flow

import (
	"context"
	"testing"
)

// TestStages reads a chain of two stages and looks at what the reader tells about it.
func TestStages(t *testing.T) {
	source := NewSource[int]("source")
	double := Derive("double", "twice the number", In(source), nil, func(c *Call[int]) (int, error) { return 2 * source.In(c), nil })
	sum := Derive("sum", "both", In(source, double), nil, func(c *Call[int]) (int, error) { return source.In(c) + double.In(c), nil })
	g := New()
	source.Set(g, 7)
	r := NewReader[int](g, sum)
	if got := r.Stages(); got != nil {
		t.Errorf("before the first Get there are %v", got)
	}
	if _, err := r.Get(context.Background(), 0); err != nil {
		t.Fatal(err)
	}
	infos := r.Stages()
	if len(infos) != 3 {
		t.Fatalf("%d stages, expected 3: %v", len(infos), infos)
	}
	for i, want := range []struct {
		name  string
		value int
		in    int
		is    Input
	}{{"source", 7, 0, source}, {"double", 14, 1, double}, {"sum", 21, 2, sum}} {
		if got := infos[i]; got.Name != want.name || got.Value != want.value || len(got.In) != want.in || !got.Is(want.is) || got.Revision == 0 || got.Running {
			t.Errorf("stage %d is %+v, expected %+v", i, got, want)
		}
	}
	if infos[0].Is(sum) || infos[2].In[0] != 0 || infos[2].In[1] != 1 {
		t.Errorf("the inputs of sum are %v", infos[2].In)
	}
}
