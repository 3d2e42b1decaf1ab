package bodies

import (
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// lopsided returns a run on a network in which PE heavy is busy almost alone and sends to all others in turn.
func lopsided(t testing.TB, network string, pes, heavy int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(on(t, network, pes).Meta())
	s := m.Stream(tracer.StreamInfo{Name: "sim", Clock: tracer.Virtual})
	*s.Slot() = tracer.Event{Kind: tracer.Busy, PE: int32(heavy), Peer: -1}
	for i := range 2 * pes {
		if to := i % pes; to != heavy {
			*s.Slot() = tracer.Event{Time: int64(i) * 1000, Kind: tracer.Send, PE: int32(heavy), Peer: int32(to), Ref: uint64(i + 1), Value: 100}
		}
	}
	*s.Slot() = tracer.Event{Time: int64(2*pes) * 1000, Kind: tracer.Idle, PE: int32(heavy), Peer: -1}
	must.Do(t, m.Close())
	return m
}

// TestNothingIsClipped draws runs on each network in pictures of many sizes, at many times. Each body is in the room, also one that has almost
// all the load and is therefore large.
func TestNothingIsClipped(t *testing.T) {
	for i, network := range []string{"all", "ring", "mesh2d", "mesh3d", "torus2d", "torus3d", "hypercube", "fattree"} {
		for k, n := range []int{8, 40, 130} {
			if i%3 != k && !testenv.Soak() {
				continue
			}
			src := lopsided(t, network, n, n/3)
			g, f := shown(t, src, 700, 500)
			from, to := src.Span()
			rapid.Check(t, func(t *rapid.T) {
				f.Area = scene.Rect{X1: rapid.Float64Range(120, 1500).Draw(t, "width"), Y1: rapid.Float64Range(120, 1500).Draw(t, "height")}
				f.Clip = f.Area
				until := rapid.Int64Range(from, to).Draw(t, "until")
				f.Until = &until
				f.Camera = view.Fit(g.BoundsAt(f.Until), f.Area, 6)
				f.Camera.Turn, f.Camera.Tilt = rapid.Float64Range(-180, 180).Draw(t, "turn"), rapid.Float64Range(-60, 60).Draw(t, "tilt")
				s := setStage(f, g)
				room := s.room()
				for i, b := range s.balls {
					if !b.seen || b.x-b.r < room.X0 || b.y-b.r < room.Y0 || b.x+b.r > room.X1 || b.y+b.r > room.Y1 {
						t.Fatalf("%s of %d: body %d at %g, %g with radius %g is not in %v", network, n, i, b.x, b.y, b.r, room)
					}
				}
			})
		}
	}
}
