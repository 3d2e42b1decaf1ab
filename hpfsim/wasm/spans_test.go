package wasm

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// TestSpans checks that spans are zeros, do not overlap, and join again when they are free.
func TestSpans(t *testing.T) {
	rapid.Check(t, func(draw *rapid.T) {
		s := newSpans(make([]byte, 1<<12))
		var taken [][]byte
		for k := range rapid.IntRange(1, 60).Draw(draw, "steps") {
			if len(taken) > 0 && rapid.Bool().Draw(draw, "free") {
				i := rapid.IntRange(0, len(taken)-1).Draw(draw, "which")
				s.free(taken[i])
				taken = append(taken[:i], taken[i+1:]...)
				continue
			}
			b := s.allocate(rapid.IntRange(0, 700).Draw(draw, "bytes"))
			if b == nil {
				continue
			}
			if !bytes.Equal(b, make([]byte, len(b))) {
				draw.Fatal("bytes that are taken are not 0")
			}
			for i := range b {
				b[i] = byte(k + 1)
			}
			for _, other := range taken {
				if len(other) > 0 && len(b) > 0 && !bytes.Equal(other, bytes.Repeat(other[:1], len(other))) {
					draw.Fatal("two spans overlap")
				}
			}
			taken = append(taken, b)
		}
		for _, b := range taken {
			s.free(b)
		}
		free := 0
		for k, x := range s.spare {
			free += x.to - x.from
			if k > 0 && s.spare[k-1].to == x.from && s.spare[k-1].clean == x.clean {
				draw.Fatal("adjacent spans do not join")
			}
		}
		if want := 1<<12 - alignment; free != want {
			draw.Fatalf("%d bytes are free at the end, want %d", free, want)
		}
	})
}
