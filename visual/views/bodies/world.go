//go:build !js

package bodies

import (
	"context"
	"math"
	"sort"
	"strconv"

	"whorl/internal/figures"
	"whorl/visual/layout/nbody"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/space"
	"whorl/visual/view"
)

// A Play says how the motion of a run becomes one that is played.
type Play struct {
	Until  *int64  // ns, a time of the trace: what happened later is not in it; nil takes all
	Length float64 // s
	Frames int     // key frames
	Dark   bool    // the ground is
}

// World is the bodies of a geometry for programs that show worlds: what the view shows at each of the key frames, about the centre of the
// bodies. More bodies than the view draws one by one are put together, neighbours in the order of their numbers, and have no links, as clouds
// have none. left says what is not as in the view, a line for each; err says why there is no world, or which value
// is out of range; it is that of ctx where that ends the work.
func (g *Geometry) World(ctx context.Context, p Play) (w *space.World, left []string, err error) {
	if g.Motion == nil {
		return nil, nil, g.wrong
	}
	n := len(g.Start)
	size := (n + mostBalls - 1) / mostBalls // bodies that are put together
	s := &stage{Frame: &view.Frame{Style: view.NewStyle(p.Dark, 14)}, g: g}
	s.look(nbody.Centre(g.Start))
	w = &space.World{
		Title: g.run.Program(), Frames: p.Frames, Length: p.Length, Reach: g.far,
		Out: space.Vec(s.eye.out), Up: space.Vec(s.eye.up), Ground: s.Style.Ground, Ink: s.Style.Ink,
		Bodies: make([]space.Body, (n+size-1)/size),
	}
	last := g.Last()
	if p.Until != nil {
		last = g.Moves(*p.Until)
	}
	pairs, all := g.ropes(last, size)
	if err := space.Check(p.Frames, len(w.Bodies), len(pairs), p.Length); err != nil {
		return nil, nil, err
	}
	s.moves = last
	w.Span = figures.Duration(g.timeOf(s))
	for _, f := range append(g.run.Facts(), g.facts()...) {
		w.About = append(w.About, f.Label+": "+f.Value)
	}
	for i := range w.Bodies {
		b := &w.Bodies[i]
		b.Name = g.numbers(i*size, min((i+1)*size, n)-1)
		b.Label = g.labels && len(w.Bodies) <= mostNumbers
		b.At, b.Round, b.Color = make([]space.Vec, p.Frames), make([]float64, p.Frames), make([]scene.Color, p.Frames)
		b.Own = g.pes.Color(i * size * g.Traffic.Group)
		if g.procedures != nil && size == 1 {
			b.Name, b.Own = g.run.Name(g.procedures[i]), g.hue(i, scene.Color(palette.Unknown(p.Dark)))
		}
	}
	w.Links = make([]space.Link, len(pairs))
	for k, r := range pairs {
		w.Links[k] = space.Link{A: int(r.a), B: int(r.b), Half: make([]float64, p.Frames), Color: [][]scene.Color{make([]scene.Color, p.Frames), make([]scene.Color, p.Frames)}}
	}
	for frame := range p.Frames {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		s.moves = g.movesAt(frame, p.Frames-1, last)
		s.first, s.last = g.recent(s.moves)
		s.ropes = s.ropes[:0]
		s.measure()
		s.stand(w, frame, size)
		s.tie(w, pairs, frame)
	}
	var sounds int
	w.Voices, sounds = g.speak(p.Length, last, size)
	if size > 1 {
		left = append(left, figures.Count(int64(n))+" bodies are "+figures.Count(int64(len(w.Bodies)))+", each in the middle of "+figures.Count(int64(size))+", without links: the view draws them as a cloud")
	}
	if g.Traffic.Group > 1 {
		left = append(left, "a body stands for "+figures.Count(int64(g.Traffic.Group*size))+" PEs")
	}
	if len(pairs) < all {
		left = append(left, "of "+figures.Count(int64(all))+" links the "+figures.Count(int64(len(pairs)))+" with the most traffic are there")
	}
	for i := range w.Voices {
		sounds -= len(w.Voices[i].Sounds)
	}
	if sounds > 0 {
		left = append(left, figures.Count(int64(sounds))+" of the sounds come while too many others sound, and are left out")
	}
	return w, left, nil
}

// movesAt is how many moves bodies have made in a frame, of which the last one is that after so many moves. Frames are at equal times of the run,
// which are equal ones of the model where all of its intervals are as long.
func (g *Geometry) movesAt(frame, lastFrame, last int) int {
	if g.Traffic.Epoch == 0 || frame == lastFrame {
		return frame * last / lastFrame
	}
	s := &stage{g: g, moves: last}
	return g.Moves(g.Traffic.From + int64(float64(g.timeOf(s))*float64(frame)/float64(lastFrame)))
}

// numbers are those of the PEs of bodies from first to last.
func (g *Geometry) numbers(first, last int) string {
	t := g.Traffic
	if first, last = first*t.Group, min((last+1)*t.Group, t.PEs)-1; first == last {
		return strconv.Itoa(first)
	}
	return figures.Count(int64(first)) + "–" + figures.Count(int64(last))
}

// ropes are the links of the model and the pairs between which there is traffic, those of the model first, and then those with the most traffic
// until so many moves; no more than the view draws. all is how many there are.
func (g *Geometry) ropes(moves, size int) (pairs []rope, all int) {
	if size > 1 {
		return nil, 0
	}
	at := map[[2]int32]int{}
	rise := func(a, b int32) *rope {
		p := [2]int32{min(a, b), max(a, b)}
		k, ok := at[p]
		if !ok {
			k = len(pairs)
			at[p] = k
			pairs = append(pairs, rope{a: p[0], b: p[1]})
		}
		return &pairs[k]
	}
	for _, l := range g.Links {
		rise(l.A, l.B).always = true
	}
	_, last := g.recent(moves)
	flows := g.Traffic.FlowsOf(0, last)
	for i := range flows {
		if f := &flows[i]; f.From != f.To {
			rise(f.From, f.To).there += float64(g.amount(f))
		}
	}
	sort.SliceStable(pairs, func(i, j int) bool {
		if pairs[i].always != pairs[j].always {
			return pairs[i].always
		}
		return pairs[i].there > pairs[j].there
	})
	return pairs[:min(len(pairs), mostRopes)], len(pairs)
}

// stand has the bodies stand where they are in a frame, about their centre.
func (s *stage) stand(w *space.World, frame, size int) {
	x := s.g.Places(s.moves)
	centre := nbody.Centre(x)
	masses := s.g.Masses(s.last)
	for i := range w.Bodies {
		b := &w.Bodies[i]
		first, last := i*size, min((i+1)*size, len(x))
		var mass, red, green, blue float64
		for k := first; k < last; k++ {
			for d := range b.At[frame] {
				b.At[frame][d] += (x[k][d] - centre[d]) / float64(last-first)
			}
			mass += masses[k]
			c := s.color(k)
			red, green, blue = red+float64(c.R), green+float64(c.G), blue+float64(c.B)
		}
		n := float64(last - first)
		b.Round[frame] = radius * s.g.Length * math.Cbrt(mass)
		b.Color[frame] = scene.RGB(uint8(red/n+0.5), uint8(green/n+0.5), uint8(blue/n+0.5))
	}
}

// tie has the links be as wide and as coloured as they are in a frame.
func (s *stage) tie(w *space.World, pairs []rope, frame int) {
	if len(pairs) == 0 {
		return
	}
	at := make(map[[2]int32]*rope, len(pairs))
	for k := range pairs {
		r := &pairs[k]
		r.there, r.back = 0, 0
		at[[2]int32{r.a, r.b}] = r
	}
	unit := s.g.Unit(s.first, s.last)
	flows := s.g.Traffic.FlowsOf(s.first, s.last)
	for i := range flows {
		f := &flows[i]
		if unit <= 0 {
			break
		}
		if r := at[[2]int32{f.From, f.To}]; r != nil {
			r.there += float64(s.g.amount(f)) / unit
		} else if r := at[[2]int32{f.To, f.From}]; r != nil {
			r.back += float64(s.g.amount(f)) / unit
		}
	}
	for k := range pairs {
		r, l := &pairs[k], &w.Links[k]
		l.Color[0][frame], l.Color[1][frame] = s.ropeColor(r.there), s.ropeColor(r.back)
		switch {
		case r.always || r.there+r.back > 0:
			l.Half[frame] = s.halfWidth(r)
		case frame > 0: // it is not seen, and keeps its colours
			l.Color[0][frame], l.Color[1][frame] = l.Color[0][frame-1], l.Color[1][frame-1]
		}
	}
}
