package kaleidoscope

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// polygons returns the polygons of a frame, with points relative to the centre in circles.
func polygons(g *Geometry, f *view.Frame) (all [][]float64) {
	l := scene.New(float32(f.Area.W()), float32(f.Area.H()))
	view.Draw(g, f, l)
	for i := range l.Len() {
		if o := l.Op(i); o.Kind == scene.OpPolygon {
			points, _ := o.Polygon()
			var p []float64
			for k := 0; k < len(points); k += 2 {
				x, y := f.ToWorld(float64(points[k]), float64(points[k+1]))
				p = append(p, x, y)
			}
			all = append(all, p)
		}
	}
	return all
}

func TestSides(t *testing.T) {
	// The family of qsort on level 1 has four corners. The straight sides of the paper twist it into a bow.
	g, f := shown(t, quickSortTrace(), 600, "sides", straight)
	want := polygons(g, f)[0]
	if len(want) != 8 {
		t.Fatalf("the straight polygon has %d corners, want 4", len(want)/2)
	}
	for i, task := range []uint64{2, 3, 4, 5} {
		sin, cos := math.Sincos(angleOf[task].angle * math.Pi / 180)
		r := float64(angleOf[task].level)
		if math.Hypot(want[2*i]-r*cos, want[2*i+1]-r*sin) > 0.01 {
			t.Errorf("corner %d is at %.3f,%.3f, not at task %d", i, want[2*i], want[2*i+1], task)
		}
	}
	if math.Hypot((want[4]+want[6])/2, (want[5]+want[7])/2) > 0.9 {
		t.Error("the straight side between the halves stays outside circle 1")
	}
	// Curved sides pass through the same corners and stay between circle 1 and circle 2.
	g, f = shown(t, quickSortTrace(), 600)
	got := polygons(g, f)[0]
	for i := 0; i < len(want); i += 2 {
		if !slices.ContainsFunc(pairs(got), func(p [2]float64) bool { return math.Hypot(p[0]-want[i], p[1]-want[i+1]) < 0.01 }) {
			t.Errorf("the curved polygon misses the corner %.3f,%.3f", want[i], want[i+1])
		}
	}
	g, f = shown(t, snail(20, 5, false), 900)
	for k, p := range polygons(g, f) {
		least, most := math.Inf(1), 0.0
		for _, q := range pairs(p) {
			r := math.Hypot(q[0], q[1])
			least, most = min(least, r), max(most, r)
		}
		inner := math.Round(most) - 1
		if least < inner-0.02 || most > inner+1.02 {
			t.Errorf("polygon %d reaches from %.3f to %.3f circles from the centre", k, least, most)
		}
	}
}

func pairs(p []float64) (all [][2]float64) {
	for i := 0; i < len(p); i += 2 {
		all = append(all, [2]float64{p[i], p[i+1]})
	}
	return all
}

// TestBudget computes a picture in pieces of a millisecond and compares it with one computed at once.
func TestBudget(t *testing.T) {
	src := synthetic{bushy(100, 16, false), 200_000}
	o := open(t, src)
	for {
		r, err := o.Geometry(context.Background(), time.Millisecond, 500)
		if err != nil {
			t.Fatal(err)
		}
		if r.Done {
			break
		}
		if r.Value != nil || r.Stage == "" {
			t.Fatalf("paused as %+v", r)
		}
	}
	if o.Data.Runs("spawntree") != 1 {
		t.Errorf("the tree was derived %d times", o.Data.Runs("spawntree"))
	}
	a, errA := page.Shoot(context.Background(), o, 640, 480, page.Shot{})
	b, errB := page.Shoot(context.Background(), open(t, src), 640, 480, page.Shot{})
	if err := errors.Join(errA, errB); err != nil {
		t.Fatal(err)
	}
	if d := viewtest.Diff(a.List, b.List); d != "" {
		t.Errorf("in pieces: %s", d)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := page.Shoot(ctx, open(t, quickSortTrace()), 400, 300, page.Shot{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	time.AfterFunc(5*time.Millisecond, cancel)
	o := open(t, synthetic{bushy(100, 16, false), 1 << 30})
	if _, err := page.Shoot(ctx, o, 400, 300, page.Shot{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
