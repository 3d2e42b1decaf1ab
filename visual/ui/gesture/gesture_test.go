package gesture_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	. "whorl/visual/ui/gesture"
)

// step is what happens at a time in ms: an event of a finger, or only the time.
type step struct {
	time  int
	id    int // 0 for no finger
	phase Phase
	x, y  float64
}

var names = []string{"tap", "hold", "hold end", "start", "drag", "end", "pinch start", "pinch", "pinch end", "release"}

// text writes gestures in short, one after the other.
func text(gestures []Gesture) string {
	var all []string
	for _, g := range gestures {
		s := fmt.Sprintf("%s %.0f,%.0f", names[g.Kind], g.X, g.Y)
		switch g.Kind {
		case DragStart:
			s += fmt.Sprintf(" from %.0f,%.0f", g.FromX, g.FromY)
		case Drag, Pinch, DragEnd:
			s += fmt.Sprintf(" by %.0f,%.0f", g.DX, g.DY)
		}
		if g.Kind == Pinch {
			s += fmt.Sprintf(" zoom %.2f", g.Zoom)
		}
		if g.Held {
			s += " held"
		}
		all = append(all, s)
	}
	return strings.Join(all, "; ")
}

func play(m *Machine, steps []step) (all []Gesture) {
	for _, s := range steps {
		now := time.Duration(s.time) * time.Millisecond
		if s.id == 0 {
			all = append(all, m.Tick(now)...)
			continue
		}
		all = append(all, m.Touch(now, Touch{ID: s.id, Phase: s.phase, X: s.x, Y: s.y})...)
	}
	return all
}

func TestGestures(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []step
		want  string
	}{
		{"tap", []step{{0, 1, Down, 10, 20}, {80, 1, Up, 12, 21}}, "tap 12,21"},
		{"a tap that trembles", []step{{0, 1, Down, 10, 20}, {20, 1, Move, 15, 22}, {80, 1, Up, 12, 21}}, "tap 12,21"},
		{"double tap: the second at the place of the first", []step{{0, 1, Down, 10, 20}, {50, 1, Up, 10, 20}, {200, 2, Down, 25, 30}, {250, 2, Up, 25, 30}}, "tap 10,20; tap 10,20"},
		{"two taps far apart", []step{{0, 1, Down, 10, 20}, {50, 1, Up, 10, 20}, {200, 2, Down, 60, 30}, {250, 2, Up, 60, 30}}, "tap 10,20; tap 60,30"},
		{"two slow taps", []step{{0, 1, Down, 10, 20}, {50, 1, Up, 10, 20}, {900, 2, Down, 20, 30}, {950, 2, Up, 20, 30}}, "tap 10,20; tap 20,30"},
		{"hold", []step{{0, 1, Down, 10, 20}, {400, 0, 0, 0, 0}, {500, 0, 0, 0, 0}, {600, 0, 0, 0, 0}, {700, 1, Up, 10, 20}}, "hold 10,20; hold end 10,20 held"},
		{"hold without a tick", []step{{0, 1, Down, 10, 20}, {700, 1, Up, 10, 20}}, "hold 10,20; hold end 10,20 held"},
		{
			"drag",
			[]step{{0, 1, Down, 10, 20}, {20, 1, Move, 14, 20}, {40, 1, Move, 30, 20}, {60, 1, Move, 40, 25}, {300, 1, Up, 40, 25}},
			"start 30,20 from 10,20; drag 30,20 by 20,0; drag 40,25 by 10,5; end 40,25 by 0,0",
		},
		{"flick", []step{{0, 1, Down, 0, 0}, {20, 1, Move, 20, 0}, {40, 1, Move, 40, 0}, {50, 1, Up, 50, 0}}, "start 20,0 from 0,0; drag 20,0 by 20,0; drag 40,0 by 20,0; end 50,0 by 1000,0"},
		{
			"drag after a hold",
			[]step{{0, 1, Down, 10, 20}, {500, 0, 0, 0, 0}, {600, 1, Move, 40, 20}, {900, 1, Up, 40, 20}},
			"hold 10,20; start 40,20 from 10,20 held; drag 40,20 by 30,0 held; end 40,20 by 0,0 held",
		},
		{
			"pinch about its middle",
			[]step{{0, 1, Down, 100, 100}, {10, 2, Down, 200, 100}, {20, 1, Move, 50, 100}, {30, 2, Move, 250, 100}, {40, 1, Up, 50, 100}, {60, 2, Up, 250, 100}},
			"pinch start 150,100; pinch 125,100 by -25,0 zoom 1.50; pinch 150,100 by 25,0 zoom 1.33; pinch end 150,100",
		},
		{
			"two fingers pan",
			[]step{{0, 1, Down, 100, 100}, {10, 2, Down, 200, 100}, {20, 1, Move, 100, 140}, {20, 2, Move, 200, 140}, {40, 2, Up, 200, 140}, {50, 1, Cancel, 0, 0}},
			"pinch start 150,100; pinch 150,120 by 0,20 zoom 1.08; pinch 150,140 by 0,20 zoom 0.93; pinch end 150,140",
		},
		{
			"a drag becomes a pinch, and the finger that is left drags again",
			[]step{
				{0, 1, Down, 100, 100},
				{20, 1, Move, 120, 100},
				{40, 2, Down, 200, 100},
				{60, 2, Move, 280, 100},
				{80, 2, Up, 280, 100},
				{90, 1, Move, 123, 100},
				{100, 1, Move, 140, 100},
				{300, 1, Up, 140, 100},
			},
			"start 120,100 from 100,100; drag 120,100 by 20,0; release 120,100; pinch start 160,100; pinch 200,100 by 40,0 zoom 2.00; pinch end 200,100; " +
				"start 140,100 from 120,100; drag 140,100 by 20,0; end 140,100 by 0,0",
		},
		{
			"a third finger takes the place of one that is gone, without a jump",
			[]step{{0, 1, Down, 0, 0}, {0, 2, Down, 100, 0}, {0, 3, Down, 0, 300}, {10, 3, Move, 0, 400}, {20, 2, Up, 100, 0}, {30, 3, Move, 0, 800}, {40, 3, Up, 0, 800}, {50, 1, Up, 0, 0}},
			"pinch start 50,0; pinch 0,400 by 0,200 zoom 2.00; pinch end 0,400",
		},
		{"fingers at one place", []step{{0, 1, Down, 5, 5}, {0, 2, Down, 5, 5}, {10, 2, Move, 17, 5}, {20, 2, Move, 53, 5}}, "pinch start 5,5; pinch 11,5 by 6,0 zoom 1.00; pinch 29,5 by 18,0 zoom 2.00"},
		{"a cancelled press", []step{{0, 1, Down, 10, 20}, {50, 1, Cancel, 0, 0}}, ""},
		{"a cancelled hold", []step{{0, 1, Down, 10, 20}, {600, 1, Cancel, 0, 0}}, "hold 10,20; release 10,20 held"},
		{"a cancelled drag", []step{{0, 1, Down, 10, 20}, {50, 1, Move, 60, 20}, {60, 1, Cancel, 0, 0}}, "start 60,20 from 10,20; drag 60,20 by 50,0; release 60,20"},
		{"events of no finger", []step{{0, 1, Move, 10, 20}, {10, 1, Up, 10, 20}, {20, 1, Down, 1, 1}, {30, 1, Down, 2, 2}, {40, 1, Move, math.NaN(), 0}, {50, 1, Up, 1, 1}}, "tap 1,1"},
	} {
		if got := text(play(new(Machine), c.steps)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestNext checks when a machine asks for a Tick: only while a finger may become a Hold.
func TestNext(t *testing.T) {
	var m Machine
	check := func(when string, want time.Duration, waits bool) {
		t.Helper()
		if at, ok := m.Next(); ok != waits || ok && at != want {
			t.Errorf("%s: a tick at %v (%v), want %v (%v)", when, at, ok, want, waits)
		}
	}
	check("without fingers", 0, false)
	play(&m, []step{{100, 1, Down, 0, 0}})
	check("pressed", 600*time.Millisecond, true)
	play(&m, []step{{200, 1, Move, 50, 0}})
	check("dragging", 0, false)
	if m.Down() != 1 {
		t.Errorf("%d fingers are down, want 1", m.Down())
	}
}

// TestAnyFingers plays arbitrary fingers: every drag and every pinch that begins ends, one at a time, the parts of a drag add up, and in the end the
// machine is as new.
func TestAnyFingers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m Machine
		open := Kind(0) // of DragStart and PinchStart
		now := 0
		sumX := 0.0
		see := func(all []Gesture) {
			for _, g := range all {
				switch g.Kind {
				case DragStart, PinchStart:
					if open != 0 {
						t.Fatalf("%s begins during another gesture", names[g.Kind])
					}
					open, sumX = g.Kind, g.FromX
				case Drag, DragEnd:
					if open != DragStart {
						t.Fatalf("%s without a start", names[g.Kind])
					}
				case Pinch, PinchEnd:
					if open != PinchStart {
						t.Fatalf("%s without a start", names[g.Kind])
					}
					if g.Kind == Pinch && !(g.Zoom > 0) {
						t.Fatalf("a factor of %v", g.Zoom)
					}
				case Tap, Hold, HoldEnd:
					if open != 0 {
						t.Fatalf("%s during another gesture", names[g.Kind])
					}
				}
				switch g.Kind {
				case Drag:
					if sumX += g.DX; math.Abs(sumX-g.X) > 1e-6 {
						t.Fatalf("a drag is at %v after moves to %v", g.X, sumX)
					}
				case DragEnd, PinchEnd, Release:
					open = 0
				}
			}
		}
		for range rapid.IntRange(0, 40).Draw(t, "events") {
			now += rapid.SampledFrom([]int{0, 10, 200, 600}).Draw(t, "passed")
			see(m.Tick(time.Duration(now) * time.Millisecond))
			see(play(&m, []step{{
				now, rapid.IntRange(1, 4).Draw(t, "finger"), rapid.SampledFrom([]Phase{Down, Move, Move, Up, Cancel}).Draw(t, "phase"),
				float64(rapid.IntRange(0, 300).Draw(t, "x")), float64(rapid.IntRange(0, 300).Draw(t, "y")),
			}}))
		}
		for id := 1; id <= 4; id++ {
			see(play(&m, []step{{now, id, Up, 0, 0}}))
		}
		if _, waits := m.Next(); open != 0 || m.Down() != 0 || waits {
			t.Fatalf("after all fingers: %d down, a gesture open: %v", m.Down(), open != 0)
		}
	})
}
