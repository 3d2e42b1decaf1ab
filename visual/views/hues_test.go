package views

import (
	"context"
	"math"
	"slices"
	"testing"

	"whorl/tracer"
	"whorl/visual/glyph"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// legendOf returns the legend of a trace in a view.
func legendOf(t *testing.T, k *view.Kind, src tracer.Source, params map[string]string) view.Legend {
	t.Helper()
	o, err := view.Open(k, src, glyph.New())
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	for name, value := range params {
		if err := o.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	r, err := o.Geometry(context.Background(), 0, 400)
	if err != nil {
		t.Fatal(err)
	}
	area := scene.Rect{X1: 400, Y1: 400}
	f := &view.Frame{Area: area, Clip: area, Style: view.NewStyle(false, 12), Text: glyph.New(), Trace: "t"}
	f.Camera = view.Fit(r.Value.Bounds(), area, 6)
	return r.Value.Legend(f)
}

// swatches returns the colours in the legend block of PEs, by label.
func swatches(l view.Legend) map[string]scene.Color {
	m := map[string]scene.Color{}
	for _, b := range l.Blocks {
		if b.Title == "PE" {
			for _, s := range b.Swatches {
				m[s.Label] = s.Colors[len(s.Colors)/2]
			}
		}
	}
	return m
}

// machine returns a run on pes PEs in which every step-th PE reduces once and sends to the next such PE.
func machine(pes, step int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "machine", PEs: pes})
	s := m.Stream(tracer.StreamInfo{})
	for i, pe := uint64(1), 0; pe < pes; i, pe = i+1, pe+step {
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, PE: int32(pe), Peer: -1, Time: int64(i), Task: i, Ref: i / 2, Value: 1}
		*s.Slot() = tracer.Event{Kind: tracer.Send, PE: int32(pe), Peer: int32((pe + step) % pes), Time: int64(i), Ref: i, Value: 1}
	}
	_ = m.Close() // of a trace in memory
	return m
}

// TestOnePEOneColour checks that a PE has the same colour in all views that colour PEs, and that its shades have the same hue.
func TestOnePEOneColour(t *testing.T) {
	hue := func(c scene.Color) float64 {
		l := palette.ToLab(c.NRGBA())
		return math.Atan2(l.B, l.A) * 180 / math.Pi
	}
	for _, m := range []struct{ pes, step, shares int }{{5, 1, 5}, {12, 1, 12}, {12, 5, 12}, {64, 1, 64}, {64, 8, 8}, {97, 1, 11}, {1000, 3, 12}} {
		src := machine(m.pes, m.step)
		for _, scheme := range palette.Names() {
			var first map[string]scene.Color
			seen := 0
			for _, k := range All {
				if p, err := k.Param("color"); err != nil || !slices.Contains(p.Choices, "pe") {
					continue
				}
				got := swatches(legendOf(t, k, src, map[string]string{"color": "pe", "palette": scheme}))
				if seen++; seen == 1 {
					first = got
				}
				if len(got) == 0 || len(got) != len(first) || scheme == "spectrum" && len(got) != m.shares {
					t.Errorf("%s, %d PEs, %s: %d swatches, want %d", k.Name, m.pes, scheme, len(got), len(first))
				}
				for label, c := range got {
					if first[label] != c {
						t.Errorf("%s, %d PEs, %s: %s is %v, in other views %v", k.Name, m.pes, scheme, label, c, first[label])
					}
				}
			}
			if seen < 3 {
				t.Fatalf("only %d views colour PEs", seen)
			}
		}
	}
	src := machine(5, 1)
	for _, k := range All {
		if k.Name != "kaleidoscope" {
			continue
		}
		pe := swatches(legendOf(t, k, src, map[string]string{"color": "pe"}))
		var shades view.Block
		for _, b := range legendOf(t, k, src, map[string]string{"color": "petime"}).Blocks[:1] {
			shades = b
		}
		if len(shades.Swatches) != 5 {
			t.Fatalf("%d PEs have shades, want 5", len(shades.Swatches))
		}
		for i, s := range shades.Swatches {
			near := math.Abs(math.Mod(hue(s.Colors[20])-hue(pe[s.Label])+540, 360) - 180)
			other := shades.Swatches[(i+1)%5]
			far := math.Abs(math.Mod(hue(other.Colors[20])-hue(pe[s.Label])+540, 360) - 180)
			if near > 12 || far < 30 {
				t.Errorf("hue of the shades of %s: %.0f degrees from its colour; of %s: %.0f", s.Label, near, other.Label, far)
			}
		}
	}
}
