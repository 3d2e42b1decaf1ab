package bodies

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/sim"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/visual/layout/nbody"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// unevenly returns a run of 40 ns, and so of as many intervals, on a network in which some PEs are busy and send to
// others in turn.
func unevenly(t testing.TB, network string, pes, senders, apart int) *tracer.Memory {
	t.Helper()
	m := tracer.NewMemory()
	m.SetMeta(sim.Config{Network: must.Get(sim.NetworkNamed(network, pes))(t)}.Meta())
	s := m.Stream(tracer.StreamInfo{Name: "sim", Clock: tracer.Virtual})
	for pe := range senders {
		*s.Slot() = tracer.Event{Kind: tracer.Busy, PE: int32(pe), Peer: -1}
	}
	for i := range 4000 {
		pe := i * 7919 % senders
		*s.Slot() = tracer.Event{Time: int64(i / 100), Kind: tracer.Send, PE: int32(pe), Peer: int32((pe + 1 + i*apart%(pes-1)) % pes), Ref: uint64(i + 1), Value: 100}
	}
	for pe := range senders {
		*s.Slot() = tracer.Event{Time: 40, Kind: tracer.Idle, PE: int32(pe), Peer: -1}
	}
	must.Do(t, m.Close())
	return m
}

// TestManyInFrame checks runs of 1,000, 5,000 and 10,000 PEs on each network, with traffic of few and of all PEs, between
// neighbours and across. From every direction each body is in the room at any time, the bodies fill a good part of it, and there is space
// between them.
func TestManyInFrame(t *testing.T) {
	rounds := 4
	if testenv.Soak() {
		rounds = 100
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i, network := range networks {
		for k, n := range []int{1000, 5000, 10_000} {
			senders := []int{3, 40, n}[(i+k)%3]
			g, f := shown(t, unevenly(t, network, n, senders, (i+k)%2*131), 700, 500)
			for range rounds {
				f.Area = scene.Rect{X1: 300 + 1200*random.Float64(), Y1: 300 + 1200*random.Float64()}
				f.Clip = f.Area
				until := g.run.From + random.Int64N(g.run.To-g.run.From+1)
				f.Until = &until
				f.Camera = view.Fit(g.BoundsAt(f.Until), f.Area, 6)
				f.Camera.Turn, f.Camera.Tilt = 360*random.Float64(), 120*random.Float64()-60
				name := fmt.Sprintf("%s of %d, %d senders, at %d, %+v", network, n, senders, until, f.Camera)
				s := setStage(f, g)
				room := s.room()
				places := g.Places(s.moves)
				var far []float64
				for i, b := range s.balls {
					if !b.seen || b.x-b.r < room.X0 || b.y-b.r < room.Y0 || b.x+b.r > room.X1 || b.y+b.r > room.Y1 {
						t.Fatalf("%s: body %d at %g, %g with radius %g is not in %v", name, i, b.x, b.y, b.r, room)
					}
					far = append(far, distance(places[i], s.eye.crowd.centre)*s.eye.scale)
				}
				slices.Sort(far)
				if most, side := far[len(far)*97/100], min(room.W(), room.H()); most < 0.25*side {
					t.Errorf("%s: all but 3 %% of the bodies are within %.3g pixels of a room of %.3g", name, most, side)
				}
				wide, apart := 2*g.sizes(&s.eye.crowd, s.last)[n/2], 2*s.eye.crowd.inner/math.Cbrt(float64(n))
				if wide > apart {
					t.Errorf("%s: a body is %.3g wide, and there is one to each cube with a side of %.3g", name, wide, apart)
				}
			}
		}
	}
}

// TestOutliers moves a hundredth of the bodies of a lattice to any places. The others stay where they are in the
// picture, nearly to scale, and the outliers are drawn around them, in the order of their distances.
func TestOutliers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := nbody.Lattice(rapid.IntRange(nbody.Exact+1, 6000).Draw(t, "bodies"), 1)
		before := crowdOf(x)
		for i := range len(x) / 100 {
			for k := range 3 {
				x[i*97%len(x)][k] += rapid.Float64Range(-1e4, 1e4).Draw(t, "by")
			}
		}
		after := crowdOf(x)
		if r := after.inner / before.inner; r < 0.9 || r > 1.15 || distance(after.centre, before.centre) > 0.1*before.inner {
			t.Fatalf("the outliers turn %+v into %+v", before, after)
		}
		slices.SortFunc(x, func(a, b nbody.Vec) int {
			if distance(a, after.centre) < distance(b, after.centre) {
				return -1
			}
			return 1
		})
		last := 0.0
		for _, p := range x {
			q := after.seen(p)
			d := math.Sqrt(dot(q, q))
			if d < last-1e-9 || d > after.inner*(1+nearer)+1e-9 || d > after.outer+1e-9 {
				t.Fatalf("a body at %v is drawn at %g, the one before it at %g, of %+v", p, d, last, after)
			}
			last = d
		}
		if n := after.outliers(x); n > len(x)/100 {
			t.Fatalf("%d of %d bodies are outliers", n, len(x))
		}
	})
}

// TestManyGrow checks that many bodies and their links grow and shrink with their crowd, and few keep their sizes.
func TestManyGrow(t *testing.T) {
	for _, c := range []struct {
		n    int
		want float64
	}{{nbody.Exact, 1}, {nbody.Exact + 1, 0.5}} {
		g, _ := shown(t, unevenly(t, "mesh2d", c.n, 3, 1), 700, 500)
		x := slices.Clone(g.Start)
		for i := range x {
			for k := range x[i] {
				x[i][k] /= 2
			}
		}
		half := crowdOf(x)
		if got := g.sizes(&half, 0)[0] / g.sizes(&g.begin, 0)[0]; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%d bodies in half their space are %g times as large, want %g", c.n, got, c.want)
		}
	}
}

// TestConspicuous checks that few bodies with most of the load or traffic are dots on a cloud, which the legend
// explains, and that many are not.
func TestConspicuous(t *testing.T) {
	for _, c := range []struct {
		senders, want int
		by            string
	}{{3, 3, "load"}, {3, 3, "traffic"}, {3, 0, "pe"}, {2500, 0, "load"}} {
		g, f := shown(t, unevenly(t, "mesh2d", 2500, c.senders, 1), 700, 500)
		g.by = c.by
		s := setStage(f, g)
		out := scene.New(800, 600)
		s.cloud(out)
		dots := 0
		for i := range out.Len() {
			if o := out.Op(i); o.Kind == scene.OpCircle {
				dots++
			}
		}
		said := false
		for _, b := range g.Legend(f).Blocks {
			said = said || slices.ContainsFunc(b.Notes, func(s string) bool { return s == "Dots are bodies that stand out by their "+c.by+"." })
		}
		if dots != c.want || said != (c.want > 0) {
			t.Errorf("%d senders, colours of %s: %d dots, want %d; the legend explains them: %v", c.senders, c.by, dots, c.want, said)
		}
	}
}
