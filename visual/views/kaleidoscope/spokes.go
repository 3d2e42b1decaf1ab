package kaleidoscope

import (
	"math"

	"whorl/visual/layout/radial"
	"whorl/visual/palette"
	"whorl/visual/scene"
)

// mesh collects triangles.
type mesh struct {
	xy    []float32
	color []scene.Color
}

// strip adds the quadrilateral between two pairs of points of one colour each.
func (m *mesh) strip(p, q [4]float32, c, d scene.Color) {
	m.xy = append(m.xy, p[0], p[1], p[2], p[3], q[0], q[1], p[2], p[3], q[0], q[1], q[2], q[3])
	m.color = append(m.color, c, c, d, c, d, d)
}

// spokes draws all spokes as one mesh: from the parent's point to their first circle and on to their last.
func (b *brush) spokes() {
	for i := range b.items {
		if it := &b.items[i]; it.Shape == radial.Node && b.shows(it.First) {
			b.spokesOf(b.parts[i][0], float64(it.Circle), it.Angle())
		}
	}
	if len(b.items) > 0 && b.layout.Center > 0 { // thin roots begin in the centre
		b.spokesOf(0, 0, 0)
	}
	if len(b.mesh.color) > 0 {
		b.out.Mesh(b.mesh.xy, b.mesh.color)
	}
}

// spokesOf draws the spokes among siblings, given the first one and their parent's place.
func (b *brush) spokesOf(k int32, circle, angle float64) {
	for ; k >= 0; k = b.parts[k][1] {
		switch it := &b.items[k]; it.Shape {
		case radial.Spoke:
			b.spoke(circle, angle, it)
		case radial.Outside:
			b.outside(circle, angle, it)
		}
	}
}

// outside draws the spokes of subtrees that lie outside the frame, for the way from their parent to them may cross it. They are put
// together by the same rule as those inside.
func (b *brush) outside(circle, angle float64, run *radial.Item) {
	if circle > 0 && !b.nearFrame(circle) {
		return
	}
	l := b.layout
	thin := func(degrees float64, circle int32) bool {
		return degrees*math.Pi/180*float64(circle)*b.sight.Distance < cut
	}
	it := radial.Item{Shape: radial.Outside}
	flush := func() {
		if it.Shape == radial.Spoke {
			b.spoke(circle, angle, &it)
		}
		it.Shape = radial.Outside
	}
	for n := run.First; n < run.End; n += l.Size[n] {
		start, sweep := l.Sector(n)
		outer := l.Deep[n] + l.Center
		if !thin(sweep, outer) {
			flush()
			continue
		}
		if it.Shape == radial.Spoke && thin(start+sweep-it.Start, max(outer, it.Outer)) {
			it.Last, it.End, it.Outer, it.Sweep = n, n+l.Size[n], max(outer, it.Outer), start+sweep-it.Start
			continue
		}
		flush()
		it = radial.Item{Shape: radial.Spoke, First: n, Last: n, End: n + l.Size[n], Circle: run.Circle, Outer: outer, Start: start, Sweep: sweep}
	}
	flush()
}

// nearFrame says whether the ring between a circle and the next can be seen in the frame.
func (b *brush) nearFrame(circle float64) bool {
	v := &b.sight
	x0, y0, x1, y1 := v.X0-v.X, v.Y0-v.Y, v.X1-v.X, v.Y1-v.Y
	near := math.Hypot(max(x0, -x1, 0), max(y0, -y1, 0))
	far := math.Hypot(max(-x0, x1), max(-y0, y1))
	return circle*v.Distance <= far && (circle+1)*v.Distance >= near
}

// A spoke changes colour from ring to ring by the mixture of its nodes there; rings closer than a few pixels are taken together, and
// rings that look like the last one need no corners of their own.
const (
	leastRing = 3 // pixels
	sameColor = 10
)

func (b *brush) spoke(circle, angle float64, it *radial.Item) {
	rings := int32(max(1, math.Ceil(leastRing/b.sight.Distance)))
	mixes := b.mixtures(it, rings)
	for len(mixes) > 0 && mixes[len(mixes)-1].Len() == 0 { // nothing is shown there yet
		mixes = mixes[:len(mixes)-1]
	}
	if len(mixes) == 0 {
		return
	}
	// across is the spoke's two sides on a circle: its own width, and at least a pixel.
	across := func(circle, angle float64) (p [4]float32) {
		half := max(it.Sweep/2, 0.5/(max(circle, 0.5)*b.sight.Distance)*180/math.Pi)
		p[0], p[1] = b.at(circle, angle-half)
		p[2], p[3] = b.at(circle, angle+half)
		return p
	}
	c := mixColor(&mixes[0])
	end := it.Angle()
	if circle == 0 {
		angle = end
	}
	x, y := b.at(circle, angle)
	last := [4]float32{x, y, x, y}
	n := b.steps(float64(it.Circle), end-angle)
	for k := 1; k <= n; k++ {
		t := float64(k) / float64(n)
		p := across(circle+float64(t*(float64(it.Circle)-circle)), angle+float64(t*(end-angle)))
		b.mesh.strip(last, p, c, c)
		last = p
	}
	for k := range mixes {
		ring := min(it.Circle+int32(k+1)*rings-1, it.Outer)
		d := c
		if mixes[k].Len() > 0 {
			d = mixColor(&mixes[k])
		}
		if k+1 < len(mixes) && differ(c, d) < sameColor {
			continue
		}
		if ring > it.Circle {
			p := across(float64(ring), end)
			b.mesh.strip(last, p, c, d)
			last = p
		}
		c = d
	}
}

// mixtures adds up the light of the nodes of a spoke that are shown, for every so many circles.
func (b *brush) mixtures(it *radial.Item, rings int32) []palette.Mix {
	n := int((it.Outer-it.Circle)/rings) + 1
	if cap(b.mixes) < n {
		b.mixes = make([]palette.Mix, n)
	}
	mixes := b.mixes[:n]
	clear(mixes)
	first := it.Circle - b.layout.Center
	if b.rungs == nil {
		for k := it.First; k < it.End; k++ {
			if b.shows(k) {
				mixes[(b.layout.Level[k]-first)/rings].Add(b.colours.light[b.colours.class[k]], 1)
			}
		}
		return mixes
	}
	var slot [256]uint8 // of a level
	for l := first; l <= it.Outer-b.layout.Center; l++ {
		slot[l] = uint8((l - first) / rings)
	}
	const most = 1 << 16 // nodes whose sums cannot overflow 32 bits
	for from := it.First; from < it.End; from += most {
		b.sum(mixes, &slot, from, min(from+most, it.End))
	}
	return mixes
}

// sum adds up nodes from first to end-1: a pass over bytes, as a view of ten million nodes has them all in its spokes.
func (b *brush) sum(mixes []palette.Mix, slot *[256]uint8, first, end int32) {
	var sums [256][2]uint64
	class, rungs := b.colours.class[first:end], b.rungs[first:end]
	rungs = rungs[:len(class)]
	if b.limited {
		times := b.times[first:end][:len(class)]
		for i, c := range class {
			shown := ^uint64(0)
			if times[i] > b.until {
				shown = 0
			}
			s, l := &sums[slot[rungs[i]]], &b.lights[c]
			s[0] += l[0] & shown
			s[1] += l[1] & shown
		}
	} else {
		for i, c := range class {
			s, l := &sums[slot[rungs[i]]], &b.lights[c]
			s[0] += l[0]
			s[1] += l[1]
		}
	}
	for k := range mixes {
		s := &sums[k]
		const low = 1<<32 - 1
		mixes[k].AddSum(s[0]>>32, s[0]&low, s[1]>>32, s[1]&low)
	}
}

func mixColor(m *palette.Mix) scene.Color { return scene.Color(m.Color()) }

// differ is the largest difference of two colours in a channel.
func differ(a, b scene.Color) int {
	d := func(x, y uint8) int { return max(int(x)-int(y), int(y)-int(x)) }
	return max(d(a.R, b.R), d(a.G, b.G), d(a.B, b.B))
}
