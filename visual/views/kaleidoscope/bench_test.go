package kaleidoscope

import (
	"context"
	"math/rand/v2"
	"testing"

	"whorl/tracer"
	"whorl/visual/backend/raster"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// synthetic is a trace of n reductions generated while it is read. The parent of each goal is a recent goal with less than three children, so
// that the tree has some dozens of levels.
type synthetic struct {
	*tracer.Memory
	n int
}

func (s synthetic) Counts() (c [tracer.NumKinds]int64) {
	c[tracer.Reduce] = int64(s.n)
	return c
}

func (s synthetic) Span() (from, to int64) { return 0, int64(s.n) * 100 }

func (s synthetic) Scan(_ tracer.KindSet, f func([]tracer.Event) error) error {
	r := rand.New(rand.NewPCG(3, 4))
	pes := int32(s.Meta().PEs)
	codes := uint32(len(s.Dict().Codes()) - 1)
	batch := make([]tracer.Event, 0, 4096)
	pe := int32(0)
	for i := range s.n {
		task := uint64(i + 1)
		if r.Uint32()%8 == 0 {
			pe = int32(r.Uint32N(uint32(pes)))
		}
		parent := task / 2
		if parent > 0 && r.Uint32()%4 == 0 {
			parent = parent - r.Uint64N(parent)/8
		}
		batch = append(batch, tracer.Event{
			Kind: tracer.Reduce, Time: int64(i) * 100, Task: task, Ref: parent, PE: pe, Peer: pe, Code: 1 + r.Uint32N(codes), Value: 90,
		})
		if len(batch) == cap(batch) || i == s.n-1 {
			if err := f(batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	return nil
}

const million = 1_000_000

func opened(b *testing.B, src tracer.Source) *view.Opened {
	b.Helper()
	o, err := view.Open(Kind(), src, glyphs)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(o.Close)
	return o
}

func draw(b *testing.B, o *view.Opened) *scene.List {
	b.Helper()
	l, err := page.Shoot(context.Background(), o, 1200, 900, page.Shot{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(l.Len()), "ops")
	return l.List
}

func large(n int) synthetic { return synthetic{bushy(100, 16, false), n} }

// BenchmarkFirstPicture measures the way from events to display list: tree, layout, colours and drawing.
func BenchmarkFirstPicture(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
	}{{"15k", 15_419}, {"1M", million}, {"10M", 10 * million}} {
		b.Run(c.name, func(b *testing.B) {
			src := large(c.n)
			for b.Loop() {
				o := opened(b, src)
				draw(b, o)
			}
			b.ReportMetric(float64(c.n)*float64(b.N)/b.Elapsed().Seconds(), "reductions/s")
		})
	}
}

// BenchmarkRecolour draws the same tree in each colouring, to a display list and to pixels.
func BenchmarkRecolour(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
	}{{"15k", 15_419}, {"1M", million}, {"10M", 10 * million}} {
		b.Run(c.name, func(b *testing.B) {
			o := opened(b, large(c.n))
			draw(b, o)
			r := raster.New(glyphs)
			by := []string{byTime, byProcedure, byPETime, byPE}
			for _, c := range by {
				b.Run(c, func(b *testing.B) {
					i := 0
					for b.Loop() {
						if err := o.Set(view.Palette.Name, view.Palette.Choices[i%2]); err != nil {
							b.Fatal(err)
						}
						if err := o.Set(colorBy.Name, c); err != nil {
							b.Fatal(err)
						}
						i++
						r.Picture(draw(b, o), 1)
					}
				})
			}
			if o.Data.Runs("spawntree") != 1 || o.Data.Runs("sectors") != 1 {
				b.Error("the layout was computed again")
			}
		})
	}
}

// views of a benchmark: the whole tree, a part of it, and a few nodes.
var zooms = []struct {
	name   string
	factor float64
}{{"all", 1}, {"x10", 10}, {"x1000", 1000}}

// BenchmarkFrame pans by a few pixels per frame, from geometry to display list.
func BenchmarkFrame(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
	}{{"1M", million}, {"10M", 10 * million}} {
		b.Run(c.name, func(b *testing.B) {
			g, f := shown(b, large(c.n), 900)
			whole := f.Camera
			for _, zoom := range zooms {
				b.Run(zoom.name, func(b *testing.B) {
					f.Camera = whole
					f.Camera.Scale *= zoom.factor
					x, y := g.layout.Position(int32(g.layout.Len()/3), 1)
					if zoom.factor > 1 {
						f.Camera.X, f.Camera.Y = x, y
					}
					l := scene.New(900, 900)
					for b.Loop() {
						f.Camera.X += 3 / f.Camera.Scale
						if f.Camera.X-x > 100/f.Camera.Scale {
							f.Camera.X = x
						}
						l.Reset(900, 900)
						view.Draw(g, f, l)
					}
					b.ReportMetric(float64(l.Len()), "ops")
					b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "frames/s")
				})
			}
		})
	}
}

// BenchmarkBloom draws frames of the animation, each at another moment.
func BenchmarkBloom(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
	}{{"100k", 100_000}, {"1M", million}, {"10M", 10 * million}} {
		b.Run(c.name, func(b *testing.B) {
			g, f := shown(b, large(c.n), 900)
			l := scene.New(900, 900)
			last := int64(c.n) * 100
			until := int64(0)
			f.Until = &until
			for b.Loop() {
				until = (until + last/97) % last
				l.Reset(900, 900)
				view.Draw(g, f, l)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "frames/s")
		})
	}
}

// BenchmarkHover draws the overlay with a selection while the pointer moves, and the tip.
func BenchmarkHover(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
	}{{"1M", million}, {"10M", 10 * million}} {
		b.Run(c.name, func(b *testing.B) {
			g, f := shown(b, large(c.n), 900)
			l := scene.New(900, 900)
			f.State = &view.State{Shared: view.Shared{Selection: view.Selection{Trace: "t", PEs: []view.Span{{First: 2, Last: 2}}}}}
			g.Overlay(f, l)
			x := 0.0
			for b.Loop() {
				x += 7
				if x > 800 {
					x = 100
				}
				if s, ok := g.Hit(f, x, 450); ok {
					f.State.Personal.Hover = s
				}
				g.Tip(f, x, 450)
				l.Reset(900, 900)
				g.Overlay(f, l)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "frames/s")
		})
	}
}
