package raster

import (
	"bytes"
	"image/color"
	"math"
	"testing"

	"whorl/visual/scene"
)

func TestBlending(t *testing.T) {
	l := scene.New(2, 1)
	l.Rect(0, 0, 1, 1, scene.RGB(200, 100, 0))
	l.Rect(0, 0, 2, 1, scene.RGB(0, 100, 255).Alpha(51)) // a fifth
	img := newTest().Picture(l, 1)
	if got, want := img.RGBAAt(0, 0), (color.RGBA{160, 100, 51, 255}); got != want {
		t.Errorf("over opaque: %v, want %v", got, want)
	}
	if got, want := img.RGBAAt(1, 0), (color.RGBA{0, 20, 51, 51}); got != want {
		t.Errorf("over nothing: %v, want %v", got, want)
	}
}

// TestDiv255 checks the blending arithmetic against division for all values.
func TestDiv255(t *testing.T) {
	for d := range uint32(256) {
		for a := range uint32(256) {
			px := []byte{byte(d), 0, 255, byte(d)}
			k := newInk(scene.RGB(77, 200, 3))
			k.over(px, a)
			five := bytes.Repeat([]byte{byte(d), 0, 255, byte(d)}, 5)
			k.fill(five, uint8(a))
			mix := func(d, s uint32) byte { return byte((d*(255-a)*2 + s*a*2 + 255) / 510) }
			want := []byte{mix(d, 77), mix(0, 200), mix(255, 3), mix(d, 255)}
			if !bytes.Equal(px, want) {
				t.Fatalf("d %d, a %d: %v, want %v", d, a, px, want)
			}
			if !bytes.Equal(five, bytes.Repeat(want, 5)) {
				t.Fatalf("d %d, a %d, five pixels: %v, want %v", d, a, five, want)
			}
		}
	}
}

func TestSincos(t *testing.T) {
	for i := -4000; i <= 4000; i++ {
		x := float64(i) * 0.0157
		s, c := sincos(x)
		ws, wc := math.Sincos(x)
		if math.Abs(s-ws) > 1e-14 || math.Abs(c-wc) > 1e-14 {
			t.Fatalf("sincos(%g) = %g %g, want %g %g", x, s, c, ws, wc)
		}
	}
}
