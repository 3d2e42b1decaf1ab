package otf2

import (
	"io/fs"
	"math"
	"math/bits"
)

// Kinds of local identifiers that have tables of global ones.
const (
	mapString = iota
	mapAttribute
	mapLocation
	mapRegion
	mapGroup
	mapMetric
	mapComm
	mapParameter
	mapWindow
	mapSource
	mapContext
	mapGenerator
	mapIOFile
	mapIOHandle
	mapGroupOfPEs
	numMaps
)

// ids maps local identifiers to global ones. Those that are not in it are global already.
type ids struct {
	dense  []uint64
	sparse map[uint64]uint64
}

func (m *ids) global(id uint64) uint64 {
	if id < uint64(len(m.dense)) {
		return m.dense[id]
	}
	if m.sparse != nil {
		if g, ok := m.sparse[id]; ok {
			return g
		}
	}
	return id
}

// A shift is the offset of a clock from the common one at a time, and its change per tick from then on.
type shift struct {
	from, until uint64
	offset      int64
	slope       float64
}

// A timer turns the ticks of a location into ns of the run.
type timer struct {
	shifts  []shift
	current int
	origin  uint64
	ticks   uint64 // per second
	extra   int64  // ns; the shift that align finds by messages
}

// ns returns the time of the run. Times of the archive do not fall, so the search for the shift goes on from the last one.
func (t *timer) ns(ticks uint64) int64 {
	if len(t.shifts) > 0 {
		for t.current < len(t.shifts)-1 && ticks > t.shifts[t.current].until {
			t.current++
		}
		s := &t.shifts[t.current]
		ticks += uint64(s.offset + int64(math.RoundToEven(s.slope*float64(int64(ticks-s.from)))))
	}
	since := int64(ticks - t.origin)
	if t.ticks == 1e9 {
		return max(min(since, farthest/2), -farthest/2) + t.extra
	}
	return scaled(since, t.ticks) + t.extra
}

// farthest bounds times in ns: 73 years.
const farthest = 1 << 61

// scaled returns ticks as ns.
func scaled(since int64, perSecond uint64) int64 {
	sign := int64(1)
	if since < 0 {
		sign, since = -1, -since
	}
	hi, lo := bits.Mul64(uint64(since), 1e9)
	if hi >= perSecond {
		return sign * farthest
	}
	ns, _ := bits.Div64(hi, lo, perSecond)
	return sign * int64(min(ns, farthest))
}

// local holds the local definitions of a location.
type local struct {
	maps    [numMaps]ids
	shifts  []shift
	unknown int64
	damaged int64
	cut     bool // the file lacks its end
}

// readLocal reads the local definitions in a file. Without the file there are none.
func readLocal(fsys fs.FS, name string, chunk int64) (l local) {
	data, err := readFile(fsys, name, mostDefinitions)
	if err != nil {
		return l
	}
	damaged, cut := eachRecord(data, chunk, func(kind uint8, c *cursor) {
		switch {
		case kind == defMapping:
			l.table(c)
		case kind == defOffset:
			l.shift(c.full(8), int64(c.number()))
		case kind > defNewest:
			l.unknown++
		}
	})
	l.damaged, l.cut = l.damaged+damaged, cut
	return l
}

// table reads a table of identifiers.
func (l *local) table(c *cursor) {
	kind := c.u8()
	n, sparse := c.number(), c.u8() != 0
	if kind >= numMaps || c.bad {
		l.unknown++
		return
	}
	m := &l.maps[kind]
	for i := uint64(0); i < n && !c.bad; i++ {
		switch {
		case !sparse:
			m.dense = append(m.dense, c.number())
		default:
			if m.sparse == nil {
				m.sparse = map[uint64]uint64{}
			}
			from := c.number()
			m.sparse[from] = c.number()
		}
	}
}

// shift adds the offset of the clock at a time.
func (l *local) shift(at uint64, offset int64) {
	if n := len(l.shifts); n > 0 {
		last := &l.shifts[n-1]
		if at <= last.from {
			l.damaged++
			return
		}
		last.until = at
		last.slope = float64(offset-last.offset) / float64(at-last.from)
	}
	l.shifts = append(l.shifts, shift{from: at, offset: offset})
}

// finish drops the last shift, which only ends the interval before it. That interval lasts on. A single shift has no interval.
func (l *local) finish() { l.shifts = l.shifts[:max(len(l.shifts)-1, 0)] }
