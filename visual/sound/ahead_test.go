//go:build js || window

package sound

import (
	"testing"
	"time"
)

// TestAhead compares the samples that Ahead predicts with those that Mix returns afterwards.
func TestAhead(t *testing.T) {
	var m Mixer
	m.Hear(looking(20))
	m.Add(from(Place{Vec{-3, 0, -1}, Vec{4, 1, 0}}), Tone{Start: 300 * time.Millisecond, Length: time.Second, Pitch: 300, Volume: 0.2, Timbre: Glass})
	m.Mix(make([]float32, 2*1234))
	var ahead []float32
	if err := m.Ahead(func(piece []float32) error { ahead = append(ahead, piece...); return nil }); err != nil {
		t.Fatal(err)
	}
	if want := 2 * (Rate*13/10 - 1234); len(ahead) != want {
		t.Errorf("Ahead returns %d samples, want %d", len(ahead), want)
	}
	comes := make([]float32, len(ahead)+2)
	m.Mix(comes)
	for i := range ahead {
		if comes[i] != ahead[i] {
			t.Fatalf("sample %d is %v, Ahead says %v", i, comes[i], ahead[i])
		}
	}
	if !m.Silent() {
		t.Error("the mixer is not silent at the end")
	}
	if err := m.Ahead(func([]float32) error { t.Error("a silent mixer has a piece"); return nil }); err != nil {
		t.Error(err)
	}
}
