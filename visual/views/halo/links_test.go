package halo

import (
	"math"
	"strconv"
	"testing"

	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// crossed returns the first node other than start whose halo or name a line crosses, or -1.
func crossed(s *sheet, points []float32, start int32) int32 {
	var boxes []scene.Rect
	var owners []int32
	from, to := s.levels()
	for l := from; l < to; l++ {
		rooms := s.names(l)
		for i, k := range s.seen(l) {
			x, y := s.position(k)
			r := s.radiusOf(k)
			boxes, owners = append(boxes, scene.Rect{X0: x - r, X1: x + r, Y0: y - r, Y1: y + r}), append(owners, k)
			if rooms == nil || k == start {
				continue
			}
			if t := s.below(k, rooms[i]); s.labels == below && t != "" {
				w := float64(s.Text.Width(t, namePart*s.Style.Font, s.face(k))) / 2
				boxes, owners = append(boxes, scene.Rect{X0: x - w, X1: x + w, Y0: y + s.largest, Y1: y + s.largest + 1.05*s.em}), append(owners, k)
			}
		}
	}
	for i := 2; i < len(points); i += 2 {
		x0, y0, x1, y1 := float64(points[i-2]), float64(points[i-1]), float64(points[i]), float64(points[i+1])
		n := math.Ceil(math.Hypot(x1-x0, y1-y0))
		for t := 0.0; t <= n; t++ {
			x, y := x0+(x1-x0)*t/max(n, 1), y0+(y1-y0)*t/max(n, 1)
			for j, b := range boxes {
				if owners[j] != start && b.Contains(x, y) {
					return owners[j]
				}
			}
		}
	}
	return -1
}

// TestLinksGoRound checks that links end at their functions, and that a free link crosses no other halo and no name. Most links are free;
// many straight ones would not be.
func TestLinksGoRound(t *testing.T) {
	links, whole, straight := 0, 0, 0
	for seed := range uint64(6) {
		for _, least := range []string{"0.5", "2", "8"} {
			g, f := shownOf(t, viewtest.Tangle(500, 6, seed), 1500, 900, "least", least, "top", "8")
			if seed%2 == 1 { // zoomed in on some node
				f.Camera = newSheet(f, g).around(int32(len(g.nodes) / 2))
				f.Camera.Scale, f.Camera.ScaleY = 2*f.Camera.Scale+1, 1.5*f.Camera.ScaleY+1
			}
			s := newSheet(f, g)
			for i := range s.shown {
				for _, l := range g.functions[i].links {
					if x, y := s.position(l.to); x < s.In.X0 || x > s.In.X1 || y < s.In.Y0 || y > s.In.Y1-s.largest {
						continue
					}
					links++
					points, free := s.route(l.to, i)
					n := len(points)
					if math.Abs(float64(points[n-2])-s.functionX(i)) > 1e-3 || math.Abs(float64(points[n-1])-s.row+s.functionRadius()) > 1e-3 {
						t.Fatalf("seed %d: a link to function %d ends at %v", seed, i, points[n-2:])
					}
					if free {
						whole++
						if k := crossed(s, points, l.to); k >= 0 {
							t.Errorf("seed %d, least %s: the link from node %d to function %d goes through node %d", seed, least, l.to, i, k)
						}
					}
					x, y := s.position(l.to)
					if crossed(s, s.bend([]float32{float32(x), float32(y + s.foot(l.to))}, x, y+s.foot(l.to), s.functionX(i), s.row-s.functionRadius()), l.to) >= 0 {
						straight++
					}
				}
			}
		}
	}
	if links < 200 || whole*10 < links*8 || straight*4 < links {
		t.Errorf("%d links: %d are free, %d straight ones would not be", links, whole, straight)
	}
}

// TestNoGap checks that a link without a gap nearby is drawn, but fainter.
func TestNoGap(t *testing.T) {
	m := tracer.NewMemory() // main calls 300 large functions and a small one; the first of the 300 calls another small one
	m.SetMeta(tracer.Meta{PEs: 1})
	st := m.Stream(tracer.StreamInfo{})
	call := func(parent uint32, name string, n int64) uint32 {
		c := m.Dict().AddContext(tracer.Context{Parent: parent, Code: m.Dict().Add(tracer.Code{Type: tracer.Function, Name: name})})
		*st.Slot() = tracer.Event{Kind: tracer.Sample, Ref: uint64(c), Value: n, Peer: -1}
		return c
	}
	main := call(0, "main", 1)
	for i := range 300 {
		if c := call(main, "f"+strconv.Itoa(i), 100); i == 0 {
			call(c, "first", 3)
		}
	}
	call(main, "small", 3)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	g, f := shownOf(t, m, 1500, 700, "least", "0.2", "top", "100")
	s := newSheet(f, g)
	faint := 0
	for i := range s.shown {
		for _, l := range g.functions[i].links {
			if points, free := s.route(l.to, i); !free {
				faint++
				if n := len(points); n < 4 || math.Abs(float64(points[n-2])-s.functionX(i)) > 1e-3 {
					t.Errorf("a link ends at %v", points)
				}
			}
		}
	}
	out, wide := scene.New(1600, 800), map[scene.Color]bool{}
	view.Draw(g, f, out)
	for i := range out.Len() {
		if o := out.Op(i); o.Kind == scene.OpPolyline {
			wide[o.Color] = true
		}
	}
	if faint == 0 || !wide[g.scales.link.Alpha(48)] || !wide[g.scales.link.Alpha(120)] {
		t.Errorf("%d links find no gap; colours %v", faint, wide)
	}
}
