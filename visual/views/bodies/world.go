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

// World implements view.Spatial: it returns the bodies as an animated world. Each key frame shows the bodies as the view does,
// relative to their centre. If there are more bodies than the view draws one by one, World groups consecutive bodies
// and leaves out links. left describes the differences from the view, one per line. World returns an error if there is
// no motion or a value of p is out of range, and the error of ctx if that ends the work.
func (g *Geometry) World(ctx context.Context, p view.Play) (w *space.World, left []string, err error) {
	if g.Motion == nil {
		return nil, nil, g.wrong
	}
	n := len(g.Start)
	size := (n + mostBalls - 1) / mostBalls // bodies in a group
	s := &stage{Frame: &view.Frame{Style: view.NewStyle(p.Dark, 14)}, g: g}
	s.look(g.begin)
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
	w.Span = figures.Duration(g.timeOf(s.moves))
	for _, f := range append(g.run.Facts(), g.facts()...) {
		w.About = append(w.About, f.Label+": "+f.Value)
	}
	for i := range w.Bodies {
		b := &w.Bodies[i]
		b.Name = g.numbers(i*size, min((i+1)*size, n)-1)
		b.Label = g.labels && len(w.Bodies) <= mostNumbers
		b.Centre, b.Radius, b.Color = make([]space.Vec, p.Frames), make([]float64, p.Frames), make([]scene.Color, p.Frames)
		b.Own = g.pes.Color(i * size * g.Traffic.Group)
		if g.procedures != nil && size == 1 {
			b.Name, b.Own = g.run.Name(g.procedures[i]), g.hue(i, scene.NRGBA(palette.Unknown(p.Dark)))
		}
	}
	w.Links = make([]space.Link, len(pairs))
	for k, r := range pairs {
		w.Links[k] = space.Link{A: int(r.a), B: int(r.b), Radius: make([]float64, p.Frames), Color: [][]scene.Color{make([]scene.Color, p.Frames), make([]scene.Color, p.Frames)}}
	}
	for frame := range p.Frames {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		s.moves = g.movesAt(frame, p.Frames-1, last)
		s.first, s.last = g.recent(s.moves)
		s.ropes = s.ropes[:0]
		s.measure()
		s.setBodies(w, frame, size)
		s.setLinks(w, pairs, frame)
	}
	var sounds int
	w.Voices, sounds = g.worldVoices(p.Length, last, size)
	if size > 1 {
		left = append(left, figures.Count(int64(n))+" bodies are shown as "+figures.Count(int64(len(w.Bodies)))+", each at the centre of "+figures.Count(int64(size))+", without links")
	}
	if g.Traffic.Group > 1 {
		left = append(left, "each body represents "+figures.Count(int64(g.Traffic.Group*size))+" PEs")
	}
	if len(pairs) < all {
		left = append(left, "only the "+figures.Count(int64(len(pairs)))+" links with the most traffic of "+figures.Count(int64(all))+" are written")
	}
	for i := range w.Voices {
		sounds -= len(w.Voices[i].Sounds)
	}
	if sounds > 0 {
		left = append(left, figures.Count(int64(sounds))+" sounds are left out because too many overlap")
	}
	return w, left, nil
}

// movesAt returns the number of moves in a frame; the last frame has the moves last. Frames are at equal times of the
// run. These are equal times of the model, too, if all intervals have the same model time per ns.
func (g *Geometry) movesAt(frame, lastFrame, last int) int {
	if g.Traffic.Epoch == 0 || frame == lastFrame {
		return frame * last / lastFrame
	}
	return g.Moves(g.Traffic.From + int64(float64(g.timeOf(last))*float64(frame)/float64(lastFrame)))
}

// numbers returns the range of the PEs of the bodies from first to last.
func (g *Geometry) numbers(first, last int) string {
	t := g.Traffic
	if first, last = first*t.Group, min((last+1)*t.Group, t.PEs)-1; first == last {
		return strconv.Itoa(first)
	}
	return figures.Count(int64(first)) + "–" + figures.Count(int64(last))
}

// ropes returns the links of the model, then the other pairs with the most traffic up to the given moves, at most
// mostRopes. all is the number of links and pairs.
func (g *Geometry) ropes(moves, size int) (pairs []rope, all int) {
	if size > 1 {
		return nil, 0
	}
	index := map[[2]int32]int{}
	add := func(a, b int32) *rope {
		p := [2]int32{min(a, b), max(a, b)}
		k, ok := index[p]
		if !ok {
			k = len(pairs)
			index[p] = k
			pairs = append(pairs, rope{a: p[0], b: p[1]})
		}
		return &pairs[k]
	}
	for _, l := range g.Links {
		add(l.A, l.B).always = true
	}
	_, last := g.recent(moves)
	flows := g.Traffic.FlowsOf(0, last)
	for i := range flows {
		if f := &flows[i]; f.From != f.To {
			add(f.From, f.To).there += float64(g.amount(f))
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

// setBodies sets the positions, sizes and colours of the bodies in a frame.
func (s *stage) setBodies(w *space.World, frame, size int) {
	x := s.g.Places(s.moves)
	centre := nbody.Centre(x)
	masses := s.g.Masses(s.last)
	for i := range w.Bodies {
		b := &w.Bodies[i]
		first, last := i*size, min((i+1)*size, len(x))
		var mass, red, green, blue float64
		for k := first; k < last; k++ {
			for d := range b.Centre[frame] {
				b.Centre[frame][d] += (x[k][d] - centre[d]) / float64(last-first)
			}
			mass += masses[k]
			c := s.color(k)
			red, green, blue = red+float64(c.R), green+float64(c.G), blue+float64(c.B)
		}
		n := float64(last - first)
		b.Radius[frame] = radius * s.g.Length * math.Cbrt(mass)
		b.Color[frame] = scene.RGB(uint8(red/n+0.5), uint8(green/n+0.5), uint8(blue/n+0.5))
	}
}

// setLinks sets the widths and colours of the links in a frame.
func (s *stage) setLinks(w *space.World, pairs []rope, frame int) {
	if len(pairs) == 0 {
		return
	}
	byEnds := make(map[[2]int32]*rope, len(pairs))
	for k := range pairs {
		r := &pairs[k]
		r.there, r.back = 0, 0
		byEnds[[2]int32{r.a, r.b}] = r
	}
	unit := s.g.Unit(s.first, s.last)
	flows := s.g.Traffic.FlowsOf(s.first, s.last)
	for i := range flows {
		f := &flows[i]
		if unit <= 0 {
			break
		}
		if r := byEnds[[2]int32{f.From, f.To}]; r != nil {
			r.there += float64(s.g.amount(f)) / unit
		} else if r := byEnds[[2]int32{f.To, f.From}]; r != nil {
			r.back += float64(s.g.amount(f)) / unit
		}
	}
	for k := range pairs {
		r, l := &pairs[k], &w.Links[k]
		l.Color[0][frame], l.Color[1][frame] = s.ropeColor(r.there), s.ropeColor(r.back)
		switch {
		case r.always || r.there+r.back > 0:
			l.Radius[frame] = s.halfWidth(r)
		case frame > 0: // invisible: keep the colours, which need no key frame then
			l.Color[0][frame], l.Color[1][frame] = l.Color[0][frame-1], l.Color[1][frame-1]
		}
	}
}
