package bodies

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"whorl/sim"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/visual/layout/nbody"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// on returns a run on a network in which each PE sends to the next and to the one opposite.
func on(t testing.TB, network string, pes int) *tracer.Memory {
	t.Helper()
	m := tracer.NewMemory()
	meta := sim.Config{Network: must.Get(sim.NetworkNamed(network, pes))(t)}.Meta()
	m.SetMeta(meta)
	s := m.Stream(tracer.StreamInfo{Name: "sim", Clock: tracer.Virtual})
	for i := range 4 * pes {
		pe := i * 7 % pes
		for k, to := range []int{(pe + 1) % pes, (pe + pes/2) % pes} {
			*s.Slot() = tracer.Event{Time: int64(i)*1000 + int64(k), Kind: tracer.Send, PE: int32(pe), Peer: int32(to), Ref: uint64(2*i + k + 1), Value: 100}
		}
	}
	must.Do(t, m.Close())
	return m
}

// TestLinksAreTheNetwork checks that bodies are linked exactly where their PEs are neighbours in the network. PEs of a
// fat tree are linked within a leaf switch, and to those that leave the way up at one switch alone.
func TestLinksAreTheNetwork(t *testing.T) {
	for _, c := range []struct {
		network string
		pes     []int
	}{
		{"ring", []int{2, 3, 8, 100}},
		{"mesh2d", []int{8, 12, 13}},
		{"mesh3d", []int{8, 20, 64}},
		{"torus2d", []int{4, 8, 12, 64}},
		{"torus3d", []int{8, 27, 64}},
		{"hypercube", []int{2, 8, 12, 64}},
		{"fattree", []int{4}},
	} {
		for _, n := range c.pes {
			g, _ := shown(t, on(t, c.network, n), 300, 200)
			linked := map[[2]int]bool{}
			for _, l := range g.Links {
				linked[[2]int{min(int(l.A), int(l.B)), max(int(l.A), int(l.B))}] = true
			}
			network := must.Get(sim.NetworkNamed(c.network, n))(t)
			for a := range n {
				for b := a + 1; b < n; b++ {
					if near := network.Distance(a, b) == 1; near != linked[[2]int{a, b}] {
						t.Errorf("%s of %d: PEs %d and %d are linked: %v, and neighbours: %v", c.network, n, a, b, !near, near)
					}
				}
			}
			if len(linked) != len(g.Links) {
				t.Errorf("%s of %d: %d links between %d pairs", c.network, n, len(g.Links), len(linked))
			}
		}
	}
}

// TestInFrame checks for each network and many numbers of PEs that the bodies fill most of the room at any time, and that
// at most a hundredth is outside it. Without the reach of the time shown, a shape that shrinks leaves the room empty.
func TestInFrame(t *testing.T) {
	for _, network := range []string{"all", "ring", "mesh2d", "mesh3d", "torus2d", "torus3d", "hypercube", "fattree"} {
		for _, n := range []int{2, 8, 40} {
			t.Run(fmt.Sprint(network, " ", n), func(t *testing.T) {
				src := on(t, network, n)
				g, f := shown(t, src, 700, 500)
				from, to := src.Span()
				for part := range 5 {
					until := from + (to-from)*int64(part)/4
					f.Until = &until
					f.Camera = view.Fit(g.BoundsAt(f.Until), f.Area, 6)
					s := setStage(f, g)
					room, reach := s.room(), 0.0
					x, y := f.ToPixel(0, 0)
					outside := 0
					for _, b := range s.balls {
						if ball := (scene.Rect{X0: b.x - b.r, Y0: b.y - b.r, X1: b.x + b.r, Y1: b.y + b.r}); ball.X0 < room.X0 || ball.Y0 < room.Y0 || ball.X1 > room.X1 || ball.Y1 > room.Y1 {
							outside++
						}
						reach = max(reach, math.Hypot(b.x-x, b.y-y)+b.r)
					}
					if outside > n/100 {
						t.Errorf("part %d: %d bodies are outside the room", part, outside)
					}
					if reach < 0.5*room.H()/2 {
						t.Errorf("part %d: the bodies reach %g pixels, the room %g", part, reach, room.H()/2)
					}
				}
			})
		}
	}
}

// TestStill checks that a picture without a time shows the middle of the run, one with a time that time.
func TestStill(t *testing.T) {
	src := on(t, "ring", 8)
	picture := func(until *int64) *scene.List {
		l, err := page.Shoot(t.Context(), kindtest.Open(t, Kind(), src), 500, 400, page.Shot{Shared: view.Shared{Until: until}})
		must.Do(t, err)
		return l.List
	}
	from, to := src.Span()
	middle := from + (to-from)/2
	if picture(nil).Sum() != picture(&middle).Sum() {
		t.Error("a still does not show the middle of the run")
	}
	if picture(&from).Sum() == picture(&middle).Sum() || picture(&from).Sum() == picture(&to).Sum() {
		t.Error("the time has no effect")
	}
}

// TestWires checks that the links of a network with many PEs are all drawn, as lines.
func TestWires(t *testing.T) {
	g, f := shown(t, on(t, "torus2d", 900), 900, 700)
	s := setStage(f, g)
	if len(s.wires) != 1800 || slices.ContainsFunc(s.ropes, func(r rope) bool { return r.there+r.back == 0 }) {
		t.Errorf("%d wires, and ropes without traffic", len(s.wires))
	}
	l := scene.New(1000, 800)
	s.drawWires(l)
	if l.Len() != len(s.wires) {
		t.Errorf("%d lines for %d wires", l.Len(), len(s.wires))
	}
	few, f := shown(t, on(t, "torus2d", 100), 900, 700)
	if s := setStage(f, few); len(s.wires) != 0 || len(s.ropes) < 200 {
		t.Errorf("%d wires and %d ropes of 100 PEs", len(s.wires), len(s.ropes))
	}
}

// TestNetworksWithoutCoordinates checks the shapes for traces whose PEs have no place, or one that the network lacks.
func TestNetworksWithoutCoordinates(t *testing.T) {
	for _, c := range []struct {
		network string
		coords  []int32
		want    int // links
	}{
		{"ring", nil, 12}, {"fattree", nil, 12}, {"torus2d", []int32{1 << 30, 0}, 12}, {"torus2d", []int32{-3, -7}, 0}, {"fattree", []int32{1 << 19, 9}, 0},
	} {
		meta := tracer.Meta{PEs: 8, Network: c.network, PEInfo: make([]tracer.PE, 8)}
		for i := range meta.PEInfo {
			meta.PEInfo[i].Coords = c.coords
		}
		m := Mesh()
		x, links := m.arrange(&meta, motion(t, talk(1, 8, 0), Cube()).Traffic)
		if len(x) != 8 || len(links) != c.want || slices.ContainsFunc(x, func(v nbody.Vec) bool { return math.IsNaN(v[0] + v[1] + v[2]) }) {
			t.Errorf("%s at %v: places %v, %d links, want %d", c.network, c.coords, x, len(links), c.want)
		}
	}
}
