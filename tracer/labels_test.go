package tracer

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestLabels checks that labels in a dictionary are those that were added, shared among samples, and none for other events.
func TestLabels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &Dict{}
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab: 1")), 0, 5, -1)
		want := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) LabelValue {
			v := LabelValue{Key: text.Draw(t, "key")}
			if v.Numeric = rapid.Bool().Draw(t, "numeric"); v.Numeric {
				v.Number, v.Unit = rapid.Int64().Draw(t, "number"), text.Draw(t, "unit")
			} else {
				v.Text = text.Draw(t, "text")
			}
			return v
		}), 1, 5).Draw(t, "labels")
		var codes []uint32
		for _, v := range want {
			codes = append(codes, d.AddLabel(v))
		}
		set, _ := d.AddPath(0, codes, 100)
		e := Event{Kind: Sample, Peer: int32(set)}
		if got := d.Labels(&e); !slices.Equal(got, codes) {
			t.Fatalf("%v, want %v", got, codes)
		}
		for i, code := range codes {
			if got, ok := d.LabelValue(code); got != want[i] || !ok {
				t.Fatalf("%+v, want %+v", got, want[i])
			}
			if _, ok := d.LabelValue(d.Code(code).Parent); ok {
				t.Fatal("a key is a label")
			}
		}
		for _, e := range []Event{{Kind: Sample, Peer: None}, {Kind: Sample}, {Kind: Send, Peer: int32(set)}, {Kind: Sample, Peer: int32(set) + 9}} {
			if got := d.Labels(&e); got != nil {
				t.Fatalf("%+v has labels %v", e, got)
			}
		}
	})
}
