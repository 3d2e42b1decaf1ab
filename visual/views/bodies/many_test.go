package bodies

import (
	"math"
	"slices"
	"testing"

	"whorl/sim"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/traffic"
	"whorl/visual/layout/nbody"
	"whorl/visual/scene"
	"whorl/visual/view"
)

var networks = []string{"all", "ring", "mesh2d", "mesh3d", "torus2d", "torus3d", "hypercube", "fattree"}

// few returns a run on a network in which only the first three PEs send, to two others far away.
func few(t testing.TB, network string, pes int) *tracer.Memory {
	t.Helper()
	m := tracer.NewMemory()
	m.SetMeta(sim.Config{Network: must.Get(sim.NetworkNamed(network, pes))(t)}.Meta())
	s := m.Stream(tracer.StreamInfo{Name: "sim", Clock: tracer.Virtual})
	for i := range 2000 {
		*s.Slot() = tracer.Event{Time: int64(i) * 1000, Kind: tracer.Send, PE: int32(i % 3), Peer: int32(pes/2 + i%2), Ref: uint64(i + 1), Value: 100}
	}
	must.Do(t, m.Close())
	return m
}

// TestManyStart checks for 1,000 and 10,000 PEs of each network that no two bodies overlap at the start: none is nearer to
// another than the diameter of a body.
func TestManyStart(t *testing.T) {
	for _, network := range networks {
		for _, n := range []int{1000, 10_000} {
			src := few(t, network, n)
			meta := src.Meta()
			m := Mesh()
			x, _ := m.arrange(&meta, must.Get(traffic.Grow(src, traffic.Options{}, nil, nil))(t))
			if len(x) != n {
				t.Fatalf("%s of %d: %d bodies", network, n, len(x))
			}
			if d := nearest(x, m.Length); d < 2*radius*m.Length {
				t.Errorf("%s of %d: two bodies are %.3g apart at the start, and a body is %.3g wide", network, n, d, 2*radius*m.Length)
			}
		}
	}
}

// nearest returns the least distance between two points, or side if all are further apart.
func nearest(x []nbody.Vec, side float64) float64 {
	type square [3]int
	of := func(v nbody.Vec) (s square) {
		for k := range v {
			s[k] = int(math.Floor(v[k] / side))
		}
		return s
	}
	within := map[square][]nbody.Vec{}
	least := side
	for _, v := range x {
		s := of(v)
		for i := range 27 {
			for _, w := range within[square{s[0] + i%3 - 1, s[1] + i/3%3 - 1, s[2] + i/9 - 1}] {
				least = min(least, distance(v, w))
			}
		}
		within[s] = append(within[s], v)
	}
	return least
}

// TestFewSenders checks that pulls in a network of 1,000 PEs are bounded, and that it keeps its size and stays in the frame
// while only three of its PEs send. Pulls in small networks have no bound.
func TestFewSenders(t *testing.T) {
	if g, _ := shown(t, few(t, "mesh2d", 64), 700, 500); g.MaxPull != 0 {
		t.Errorf("pulls between 64 PEs are bounded by %g times the mean", g.MaxPull)
	}
	for _, network := range []string{"mesh2d", "torus2d"} {
		t.Run(network, func(t *testing.T) {
			src := few(t, network, 1000)
			g, f := shown(t, src, 700, 500)
			from, to := src.Span()
			if g.MaxPull != mostPull {
				t.Errorf("pulls are bounded by %g times the mean, want %d", g.MaxPull, mostPull)
			}
			size := outermost(g.Start)
			for part := range 3 {
				until := from + (to-from)*int64(part)/2
				f.Until = &until
				f.Camera = view.Fit(g.BoundsAt(f.Until), f.Area, 6)
				s := setStage(f, g)
				room, outside := s.room(), 0
				for _, b := range s.balls {
					if ball := (scene.Rect{X0: b.x - b.r, Y0: b.y - b.r, X1: b.x + b.r, Y1: b.y + b.r}); ball.X0 < room.X0 || ball.Y0 < room.Y0 || ball.X1 > room.X1 || ball.Y1 > room.Y1 {
						outside++
					}
				}
				if outside > 0 {
					t.Errorf("part %d: %d bodies are outside the room", part, outside)
				}
				far := 0.0
				for _, v := range g.Places(s.moves) {
					far = max(far, distance(v, s.eye.crowd.centre))
				}
				if far > 1.5*size {
					t.Errorf("part %d: the network reaches %.3g, at the start %.3g", part, far, size)
				}
			}
		})
	}
}

// TestFaintLinks checks that links fill the gaps between bodies of a cloud, except where there are too many.
func TestFaintLinks(t *testing.T) {
	g, f := shown(t, few(t, "torus3d", mostBalls+1), 700, 500)
	f.Until = &g.run.From
	cover := func(links []nbody.Link) (n int) {
		g.Links = links
		out := scene.New(800, 600)
		setStage(f, g).cloud(out)
		for i := range out.Len() {
			o := out.Op(i)
			n += len(o.Mesh())
		}
		return n
	}
	links := g.Links
	if none, with, many := cover(nil), cover(links), cover(slices.Repeat(links, 4)); with <= none || many != none {
		t.Errorf("the cloud has %d numbers without links, %d with its links, %d with four times as many", none, with, many)
	}
}

// TestManyWiresAreFaint checks that many wires are fainter than few.
func TestManyWiresAreFaint(t *testing.T) {
	g, f := shown(t, few(t, "ring", 1000), 700, 500)
	strongest := func(links []nbody.Link) (a int) {
		g.Links = links
		out := scene.New(800, 600)
		setStage(f, g).drawWires(out)
		for i := range out.Len() {
			o := out.Op(i)
			a = max(a, int(o.Color.A))
		}
		return a
	}
	links := g.Links
	if few, many := strongest(links), strongest(slices.Repeat(links, 6)); many == 0 || many > few*3/4 {
		t.Errorf("%d wires have an alpha of up to %d, six times as many of up to %d", len(links), few, many)
	}
}
