package kaleidoscope

import (
	"runtime"
	"slices"
	"sync"

	"whorl/internal/parallel"
	"whorl/visual/layout/radial"
	"whorl/visual/palette"
	"whorl/visual/scene"
)

// A mixer computes the colours of spokes: the mixture of the shown nodes on each ring of circles. Of ten million nodes nearly all are in
// spokes, so mixing is a pass over bytes on all processors.
type mixer struct {
	*brush
	mixes []palette.Mix  // by ring
	sums  [256][2]uint64 // by ring, as brush.lights
	now   []int64        // times of nodes
}

// mixed caches the colours of the spokes of the last frames. They stay valid while the picture moves or is veiled.
type mixed struct {
	mu     sync.Mutex
	rings  int32
	bloom  bloom
	colors map[[2]int32][]scene.Color // by first node and end
}

// mostMixed limits the cached spokes beyond those of a frame.
const mostMixed = 30_000

// share is the number of nodes that a goroutine takes at a time: enough to outweigh the start of the goroutine.
const share = 100_000

// mixAll computes the colours of all strands, or takes them from the cache.
func (b *brush) mixAll(rings int32) {
	m := b.mixed
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.colors == nil || m.rings != rings || m.bloom.limited != b.limited || m.bloom.until != b.until || len(m.colors) > len(b.strands)+mostMixed {
		m.rings, m.bloom, m.colors = rings, b.bloom, map[[2]int32][]scene.Color{}
	}
	var fresh []*strand
	total := 0
	for i := range b.strands {
		s := &b.strands[i]
		known := false
		if s.colors, known = m.colors[[2]int32{s.First, s.End}]; !known {
			fresh = append(fresh, s)
			total += s.Count()
		}
	}
	b.mix(fresh, total, rings)
	for _, s := range fresh {
		m.colors[[2]int32{s.First, s.End}] = s.colors
	}
}

// mix computes the colours of strands with total nodes.
func (b *brush) mix(strands []*strand, total int, rings int32) {
	piece := int(int64(len(strands))*share/int64(total+1)) + 1
	parallel.Range(len(strands), piece, runtime.GOMAXPROCS(0), func(_, from, to int) {
		m := &mixer{brush: b}
		var pool []scene.Color // backing array for many spokes
		for _, s := range strands[from:to] {
			start := len(pool)
			pool = m.colors(&s.Item, rings, pool)
			s.colors = pool[start:len(pool):len(pool)]
		}
	})
}

// colors appends the colours of an item's rings to out.
func (m *mixer) colors(it *radial.Item, rings int32, out []scene.Color) []scene.Color {
	n := int((it.Outer-it.Circle)/rings) + 1
	if cap(m.mixes) < n {
		m.mixes = make([]palette.Mix, n)
	}
	mixes := m.mixes[:n]
	clear(mixes)
	m.add(mixes, it, rings)
	for k := range mixes {
		c := scene.Color{}
		if mixes[k].Len() > 0 {
			c = scene.NRGBA(mixes[k].Color())
		}
		out = append(out, c)
	}
	return out
}

func (m *mixer) add(mixes []palette.Mix, it *radial.Item, rings int32) {
	first := it.Circle - m.layout.Center
	if m.rungs == nil || m.layout.Stands != nil {
		for k := it.First; k < it.End; k++ {
			if m.shows(k) {
				mixes[(m.layout.Level.At(int(k))-first)/rings].Add(m.colours.light[m.colours.class[k]], uint64(m.stands(k, k+1)))
			}
		}
		return
	}
	var slot [256]uint8 // ring by level
	for l := first; l <= it.Outer-m.layout.Center; l++ {
		slot[l] = uint8((l - first) / rings)
	}
	const most = 1 << 16 // nodes whose sums cannot overflow 32 bits
	for from := it.First; from < it.End; from += most {
		m.sum(mixes, &slot, from, min(from+most, it.End))
	}
}

// sum adds the colours of the nodes from first to end-1 to the mixtures of their rings.
func (m *mixer) sum(mixes []palette.Mix, slot *[256]uint8, first, end int32) {
	clear(m.sums[:len(mixes)])
	class, rungs, lights, sums := m.colours.class[first:end], m.rungs[first:end], &m.lights, &m.sums
	rungs = rungs[:len(class)]
	if m.limited {
		m.now = slices.Grow(m.now[:0], len(class))[:len(class)]
		m.times.Read(m.now, int(first))
		times := m.now
		for i, c := range class {
			shown := ^uint64(0)
			if times[i] > m.until {
				shown = 0
			}
			s, l := &sums[slot[rungs[i]]], &lights[c]
			s[0] += l[0] & shown
			s[1] += l[1] & shown
		}
	} else {
		for i, c := range class {
			s, l := &sums[slot[rungs[i]]], &lights[c]
			s[0] += l[0]
			s[1] += l[1]
		}
	}
	const low = 1<<32 - 1
	for k := range mixes {
		s := &sums[k]
		mixes[k].AddSum(s[0]>>32, s[0]&low, s[1]>>32, s[1]&low)
	}
}
