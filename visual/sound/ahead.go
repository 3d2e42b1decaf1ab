//go:build js || window

package sound

import "slices"

// Ahead mixes the rest of all tones and passes it to f as Mix does. The mixer does not advance.
func (m *Mixer) Ahead(f func(piece []float32) error) error {
	next := *m
	next.voices = slices.Clone(m.voices)
	buf := make([]float32, 2*4096)
	for !next.Silent() {
		end := int64(0)
		for i := range next.voices {
			end = max(end, next.voices[i].from+next.voices[i].frames-next.mixed)
		}
		piece := buf[:min(2*end, int64(len(buf)))]
		next.Mix(piece)
		if err := f(piece); err != nil {
			return err
		}
	}
	return nil
}
