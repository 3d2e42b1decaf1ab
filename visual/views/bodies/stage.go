package bodies

import (
	"math"
	"slices"
	"sort"

	"whorl/visual/layout/nbody"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A stage is the bodies as a frame shows them.
type stage struct {
	*view.Frame
	g     *Geometry
	em    float64
	moves int // moves that the bodies have made
	first int // first recent interval: colours and masses average from here
	last  int // last recent interval
	eye   eye
	balls []ball  // by body
	order []int32 // bodies from back to front
	ropes []rope
	wires []nbody.Link // links of the model drawn as thin lines, where there are too many ropes
	load  []float64    // by body: busy share of the recent intervals
	sent  []float64    // by body: recent traffic, as a multiple of the mean over the run
	ramp  []scene.Color
}

// An eye is the viewer of the bodies, in perspective.
type eye struct {
	right, up, out nbody.Vec
	away           float64 // distance from the centre
	crowd          crowd
	x, y, scale    float64 // pixel of the centre, and pixels of a world unit there
}

// Initial direction of the viewer, in degrees.
const (
	turned = -28
	tilted = 20
)

// eyeAway is the distance of the eye from the centre, as a factor of the radius of the space that the bodies use.
const eyeAway = 4

// A ball is a body on the screen.
type ball struct {
	x, y, r float64 // pixels
	round   float64 // the radius in the world
	depth   float64 // towards the eye
	seen    bool
}

// A rope is a link, or traffic between two bodies. Shares are multiples of the mean traffic of a body.
type rope struct {
	a, b   int32
	there  float64 // share sent from a to b
	back   float64 // share sent from b to a
	always bool    // it is a link of the model
}

// Largest numbers of bodies, links, trails and labels that are drawn one by one.
const (
	mostBalls   = 2000
	mostRopes   = 600
	mostTrails  = 128
	mostNumbers = 512
)

// bare returns a stage without bodies, for code that needs only the layout of the frame.
func bare(f *view.Frame, g *Geometry) *stage {
	return &stage{Frame: f, g: g, em: float64(f.Style.Font)}
}

func setStage(f *view.Frame, g *Geometry) *stage {
	s := bare(f, g)
	if g.Motion == nil {
		return s
	}
	s.moves = g.movesUntil(f.Until)
	s.first, s.last = g.recent(s.moves)
	x := g.Places(s.moves)
	s.look(crowdOf(x))
	s.measure()
	sizes := g.sizes(&s.eye.crowd, s.last)
	s.balls, s.order = make([]ball, len(x)), make([]int32, len(x))
	least := s.em / 3 // bodies that fly far apart stay visible
	if len(x) > nbody.Exact {
		least = s.em / 8
	}
	for i := range x {
		b := &s.balls[i]
		b.x, b.y, b.depth, b.seen = s.eye.see(x[i])
		b.round = sizes[i]
		b.r = b.round * s.eye.scale * s.eye.near(b.depth)
		b.r = max(b.r, least)
		s.order[i] = int32(i)
	}
	if s.clouds() { // a cloud shows no depth
		return s
	}
	sort.SliceStable(s.order, func(i, j int) bool { return s.balls[s.order[i]].depth < s.balls[s.order[j]].depth })
	return s
}

// clouds reports whether there are too many bodies to draw one by one.
func (s *stage) clouds() bool { return len(s.balls) > mostBalls }

// look points the eye at the centre of a crowd from the direction of the camera.
func (s *stage) look(c crowd) {
	sin, cos := math.Sincos((turned + s.Camera.Turn) * math.Pi / 180)
	tilt := min(max(tilted+s.Camera.Tilt, -89.9), 89.9)
	high, flat := math.Sincos(tilt * math.Pi / 180)
	e := &s.eye
	e.crowd = c
	e.right = nbody.Vec{cos, 0, -sin}
	e.out = nbody.Vec{sin * flat, high, cos * flat}
	e.up = nbody.Vec{-sin * high, flat, -cos * high}
	e.away = eyeAway * s.g.far
	e.scale = min(s.Camera.Scale, 1e9)
	e.x, e.y = s.ToPixel(0, 0)
}

func dot(a, b nbody.Vec) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

// near returns the magnification at a depth, relative to the centre.
func (e *eye) near(depth float64) float64 { return e.away / max(e.away-depth, 0.05*e.away) }

// see projects a point to the screen. seen is false for points behind the eye or close to it.
func (e *eye) see(p nbody.Vec) (x, y, depth float64, seen bool) {
	p = e.crowd.seen(p)
	depth = dot(p, e.out)
	n := e.near(depth) * e.scale
	return e.x + dot(p, e.right)*n, e.y - dot(p, e.up)*n, depth, depth < 0.9*e.away
}

// measure sums the load and the traffic of the recent intervals.
func (s *stage) measure() {
	t, n := s.g.Traffic, len(s.g.Start)
	s.load, s.sent = make([]float64, n), make([]float64, n)
	long := float64(s.recently())
	for _, l := range t.LoadsOf(s.first, s.last) {
		if s.g.procedures != nil {
			s.load[l.Node] += float64(l.Busy + l.Ticks) // one of them is 0
			continue
		}
		s.load[l.Node] += float64(l.Busy) / (long * float64(min((int(l.Node)+1)*t.Group, t.PEs)-int(l.Node)*t.Group))
	}
	if s.g.procedures != nil { // shares of the work of all
		all := 0.0
		for _, l := range s.load {
			all += l
		}
		for i := range s.load {
			s.load[i] /= max(all, 1e-300)
		}
	}
	unit := s.g.Unit(s.first, s.last)
	flows := t.FlowsOf(s.first, s.last)
	type pair struct{ a, b int32 }
	index := map[pair]int{}
	add := func(p pair) *rope {
		k, ok := index[p]
		if !ok {
			k = len(s.ropes)
			index[p] = k
			s.ropes = append(s.ropes, rope{a: p.a, b: p.b})
		}
		return &s.ropes[k]
	}
	few := n <= mostBalls
	if few {
		for _, l := range s.g.Links {
			add(pair{min(l.A, l.B), max(l.A, l.B)}).always = true
		}
	}
	for i := range flows {
		f := &flows[i]
		if f.From == f.To {
			continue
		}
		share := 0.0
		if unit > 0 {
			share = float64(s.g.amount(f)) / unit
		}
		s.sent[f.From] += share
		switch {
		case !few:
		case f.From < f.To:
			add(pair{f.From, f.To}).there += share
		default:
			add(pair{f.To, f.From}).back += share
		}
	}
	if len(s.ropes) > mostRopes {
		s.wires = s.g.Links
		s.ropes = slices.DeleteFunc(s.ropes, func(r rope) bool { return r.there+r.back == 0 })
		sort.SliceStable(s.ropes, func(i, j int) bool { return s.ropes[i].there+s.ropes[i].back > s.ropes[j].there+s.ropes[j].back })
		s.ropes = s.ropes[:min(len(s.ropes), mostRopes)]
	}
}

// intensity maps a share of traffic to the colour ramp, from 0 to 1.
func intensity(share float64) float64 { return min(math.Sqrt(max(share, 0)), 1) }

// color returns the colour of a body.
func (s *stage) color(body int) scene.Color {
	switch s.g.by {
	case "pe":
		if s.g.procedures != nil {
			return s.g.hue(body, scene.NRGBA(palette.Unknown(s.Style.Dark)))
		}
		return s.g.pes.Color(body * s.g.Traffic.Group)
	case "traffic":
		return s.heat(intensity(s.sent[body] / 2))
	}
	return s.heat(s.load[body])
}

// heat returns the colour of a share from 0 to 1; 0 is grey.
func (s *stage) heat(t float64) scene.Color {
	if t <= 0 {
		return s.Style.Muted.Mix(s.Style.Ground, 0.35)
	}
	if !s.clouds() {
		return scene.NRGBA(s.g.scheme.Heat(min(t, 1), true))
	}
	if s.ramp == nil { // a table: computing each colour would dominate the drawing of a cloud
		for i := range 256 {
			s.ramp = append(s.ramp, scene.NRGBA(s.g.scheme.Heat(float64(i)/255, true)))
		}
	}
	return s.ramp[int(math.Round(min(t, 1)*255))]
}
