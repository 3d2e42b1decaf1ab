package film

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"io"
	"math/rand/v2"
	"testing"

	"whorl/testdata/must"
)

// TestAnimation decodes an animation of random pictures and compares what is shown after each with the picture.
func TestAnimation(t *testing.T) {
	const width, height, pictures = 37, 23, 12
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 100, 256} {
		var colors color.Palette
		for i := range n {
			colors = append(colors, color.RGBA{R: uint8(i), G: uint8(255 - i), B: uint8(7 * i), A: 255})
		}
		var b bytes.Buffer
		a := newAnimation(&b, width, height, colors)
		var all []*image.Paletted
		for i := range pictures {
			p := image.NewPaletted(image.Rect(0, 0, width, height), colors)
			if i > 0 {
				copy(p.Pix, all[i-1].Pix)
			}
			for range random.IntN(3) * random.IntN(300) {
				p.Pix[random.IntN(len(p.Pix))] = uint8(random.IntN(n))
			}
			all = append(all, p)
			must.Do(t, a.add(p, i+1))
		}
		must.Do(t, a.close())
		g := must.Get(gif.DecodeAll(&b))(t)
		if len(g.Image) != pictures || g.LoopCount != 0 || g.Config.Width != width || g.Config.Height != height {
			t.Fatalf("%d pictures of %d x %d, loop count %d", len(g.Image), g.Config.Width, g.Config.Height, g.LoopCount)
		}
		shown := image.NewRGBA(image.Rect(0, 0, width, height))
		for i, m := range g.Image {
			draw.Draw(shown, m.Rect, m, m.Rect.Min, draw.Over)
			for y := range height {
				for x := range width {
					if got, want := color.RGBAModel.Convert(shown.At(x, y)), color.RGBAModel.Convert(all[i].At(x, y)); got != want {
						t.Fatalf("%d colours, picture %d at %d, %d: %v, expected %v", n, i, x, y, got, want)
					}
				}
			}
			if g.Delay[i] != i+1 || g.Disposal[i] != gif.DisposalNone {
				t.Errorf("picture %d lasts %d, then %d", i, g.Delay[i], g.Disposal[i])
			}
		}
	}
}

// failing fails after some bytes.
type failing struct{ left int }

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// TestAnimationFails expects the error of the file at the next picture or at the end.
func TestAnimationFails(t *testing.T) {
	colors := color.Palette{color.Black, color.White}
	for _, left := range []int{0, 100, 5000} {
		a := newAnimation(&failing{left: left}, 200, 200, colors)
		var err error
		for i := 0; i < 100 && err == nil; i++ {
			p := image.NewPaletted(image.Rect(0, 0, 200, 200), colors)
			for k := range p.Pix {
				p.Pix[k] = uint8((k * (i + 3) / 7) & 1)
			}
			err = a.add(p, 4)
		}
		if err == nil {
			err = a.close()
		}
		if err == nil {
			t.Errorf("no error after %d bytes", left)
		}
	}
}
