package matrix

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"testing"

	"whorl/experiment"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/visual/backend/raster"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/view"
	"whorl/visual/views"
)

// A still is a picture of bodies at a moment of a run.
type still struct {
	title string
	src   tracer.Source
	part  float64 // elapsed part of the run
}

// TestBodies draws the pictures of docs/bodies.md, after Figures 3 and 4 of the paper on dynamic-system animation.
func TestBodies(t *testing.T) {
	fib := func(policy string) tracer.Source {
		return run(t, func(r *experiment.Run) {
			r.Program, r.Args, r.PEs, r.Machine, r.Policy = "fghc/fibonacci", []string{"22"}, 8, "cenju3", policy
		})
	}
	mesh := func(extra, growth string) tracer.Source {
		return run(t, func(r *experiment.Run) {
			r.Program, r.Args, r.PEs, r.Machine, r.Network = "hpf/mesh", []string{"16", "100", extra, growth}, 27, "cenju3", "mesh3d"
		})
	}
	random, balanced := fib("random"), mesh("0", "1")
	stills(t, "../../docs/pictures/bodies-fibonacci.png", []still{
		{"a  initial state", random, 0}, {"b  random", random, 0.6}, {"c  ring", fib("ring"), 0.6},
	})
	stills(t, "../../docs/pictures/bodies-mesh.png", []still{
		{"a  initial state", balanced, 0}, {"b  balanced", balanced, 0.5}, {"c  imbalanced, light", mesh("4", "1"), 0.5}, {"d  imbalanced, heavy", mesh("4", "40"), 0.5},
	})
}

// stills draws bodies side by side, from the same point of view and in the same scale, and compares the file with the picture.
func stills(t *testing.T, file string, all []still) {
	t.Helper()
	const w, h, caption = 320, 300, 28
	glyphs := glyph.New()
	kind, style := bodiesKind(t), view.NewStyle(false, 13)
	list := scene.New(float32(w*len(all)), h+caption)
	list.Rect(0, 0, float32(w*len(all)), h+caption, style.Ground)
	var frames []*view.Frame
	var geometries []view.Picture
	var reach scene.Rect // of all bodies, from the middle of their panes
	for i, s := range all {
		o := must.Get(view.Open(kind, s.src, glyphs))(t)
		defer o.Close()
		for _, p := range [][2]string{{"measures", "false"}, {"color", "traffic"}} {
			must.Do(t, o.Set(p[0], p[1]))
		}
		r := must.Get(o.Geometry(context.Background(), 0, h))(t)
		from, to := s.src.Span()
		at := from + int64(s.part*float64(to-from))
		area := scene.Rect{X0: float64(w * i), X1: float64(w * (i + 1)), Y1: h}
		f := &view.Frame{Area: area, Clip: area, Camera: view.Camera{Scale: 10}, Style: style, Text: glyphs, Until: &at, Trace: "t"}
		for _, p := range drawtest.Locate(r.Value, f, view.Selection{Trace: "t", PEs: []view.Span{{First: 0, Last: 1 << 20}}}) {
			x, y := area.X0+w/2, float64(h/2)
			reach = scene.Rect{X0: min(reach.X0, p.X0-x), Y0: min(reach.Y0, p.Y0-y), X1: max(reach.X1, p.X1-x), Y1: max(reach.Y1, p.Y1-y)}
		}
		frames, geometries = append(frames, f), append(geometries, r.Value)
	}
	for i, f := range frames {
		by := min((w-40)/reach.W(), (h-60)/reach.H())
		f.Camera = view.Camera{Scale: 10 * by, X: (reach.X0 + reach.X1) / 20, Y: (reach.Y0+reach.Y1)/20 + 10/(10*by)}
		view.Draw(geometries[i], f, list)
		list.Text(float32(f.Area.X0+w/2), h+8, all[i].title, scene.TextStyle{Size: 14, Color: style.Ink, Anchor: scene.Middle})
	}
	drawn := few(raster.New(glyphs).Picture(list, 1))
	if *update {
		var b bytes.Buffer
		must.Do(t, png.Encode(&b, drawn))
		must.Do(t, os.WriteFile(file, b.Bytes(), 0o644))
	}
	data := must.Get(os.ReadFile(file))(t)
	if len(data) > 120_000 {
		t.Errorf("%s has %d bytes", file, len(data))
	}
	kept := must.Get(png.Decode(bytes.NewReader(data)))(t)
	if share := differ(drawn, kept); share > 0.005 {
		t.Errorf("%s differs in %.1f %% of its pixels: go test ./internal/matrix -run Bodies -update", file, 100*share)
	}
}

// differ returns the share of pixels in which two pictures differ visibly.
func differ(a, b image.Image) float64 {
	if a.Bounds() != b.Bounds() {
		return 1
	}
	n := 0
	r := a.Bounds()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			r0, g0, b0, _ := a.At(x, y).RGBA()
			r1, g1, b1, _ := b.At(x, y).RGBA()
			far := func(p, q uint32) uint32 { return max(p, q) - min(p, q) }
			if max(far(r0, r1), far(g0, g1), far(b0, b1)) > 0x1800 {
				n++
			}
		}
	}
	return float64(n) / float64(r.Dx()*r.Dy())
}

func bodiesKind(t *testing.T) *view.Kind {
	t.Helper()
	for _, k := range views.All {
		if k.Name == "bodies" {
			return k
		}
	}
	t.Fatal("there is no view of bodies")
	return nil
}
