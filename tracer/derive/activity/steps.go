package activity

import (
	"math"
	"math/bits"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/account"
)

// Steps is the list of the steps of a lane in the order of time; none begins before the previous one ends. A list does not change; a longer
// list shares its pages.
type Steps struct {
	pages  []page
	n      int
	given  bool // another list reads the last page, which is replaced rather than changed
	shared bool // another list appends to the last page
}

const (
	pageBits = 10
	pageLen  = 1 << pageBits
)

// A page holds pageLen steps in rows of bits, or fewer in an array that can grow: as differences to the first one, in 16 bytes each, or unchanged if the
// differences are too large. Only the part of the array that no list uses yet may change.
type page struct {
	time  int64
	task  uint64
	short []short
	long  []account.Step
	full  *rows // nil until the page is full
}

// rows hold the steps of a full page, each in the same number of bits.
type rows struct {
	time, pace int64 // step k begins near time + k * pace
	fields     [numFields]field
	stride     int      // bits of a step
	bits       []uint64 // from the lowest bit of the first word on, and two words so that number can read two at any step
}

// A field of a row is a number from least to least + mask, which begins at a bit of the row.
type field struct {
	least, mask uint64
	shift       int
}

const (
	offset    = iota // ns from time + k * pace to the beginning of step k
	duration         // ns
	task             // of the step
	code             // its code * len(kinds) + the index of its kind
	numFields = iota
)

type short struct {
	after uint32 // ns from the beginning of the page
	takes uint32 // duration in ns
	task  int32  // difference to the page's task
	code  uint32 // with the kind in the upper bits
}

const (
	kindShift = 29
	mostCode  = 1<<kindShift - 1
)

// kinds are the kinds of steps.
var kinds = [...]tracer.Kind{tracer.Reduce, tracer.Suspend, tracer.Fail, tracer.Start, tracer.End, tracer.Sample}

// Len returns the number of steps.
func (s *Steps) Len() int { return s.n }

// Step returns step i.
func (s *Steps) Step(i int) account.Step {
	if p := &s.pages[i>>pageBits]; p.full != nil {
		return p.full.step(i & (pageLen - 1))
	}
	return s.pages[i>>pageBits].step(i & (pageLen - 1))
}

// End returns the time at which step i ends.
func (s *Steps) End(i int) int64 {
	p, k := &s.pages[i>>pageBits], i&(pageLen-1)
	if p.full != nil {
		return p.full.begin(k) + int64(p.full.number(k, duration))
	}
	return p.step(k).End
}

// step returns step k of a page that is not full.
func (p *page) step(k int) account.Step {
	if p.long != nil {
		return p.long[k]
	}
	h := p.short[k]
	at := p.time + int64(h.after)
	return account.Step{Time: at, End: at + int64(h.takes), Task: p.task + uint64(int64(h.task)), Code: h.code & mostCode, Kind: kinds[h.code>>kindShift]}
}

// number returns field f of step k.
func (r *rows) number(k, f int) uint64 {
	x := &r.fields[f]
	return x.least + r.word(k*r.stride+x.shift)&x.mask
}

// word returns the 64 bits that begin at a bit.
func (r *rows) word(at int) uint64 {
	w := r.bits[at>>6:][:2]
	return w[0]>>(at&63) | w[1]<<(64-at&63)
}

func (r *rows) begin(k int) int64 { return r.time + int64(k)*r.pace + int64(r.number(k, offset)) }

func (r *rows) step(k int) account.Step {
	var n [numFields]uint64
	if r.stride <= 64 { // one word holds all fields
		word := r.word(k * r.stride)
		for f := range n {
			x := &r.fields[f]
			n[f] = x.least + word>>(x.shift&63)&x.mask
		}
	} else {
		for f := range n {
			n[f] = r.number(k, f)
		}
	}
	begin := r.time + int64(k)*r.pace + int64(n[offset])
	return account.Step{
		Time: begin, End: begin + int64(n[duration]), Task: n[task], Code: uint32(n[code] / uint64(len(kinds))), Kind: kinds[n[code]%uint64(len(kinds))],
	}
}

// append adds a step. Lists that share pages with this one do not change.
func (s *Steps) append(st *account.Step) {
	k, i := s.n>>pageBits, s.n&(pageLen-1)
	if s.shared && i > 0 {
		p := s.pages[k]
		p.short, p.long = slices.Clone(p.short), slices.Clone(p.long)
		s.replace(k, p)
	}
	s.shared = false
	if k == len(s.pages) {
		s.begin(st)
	}
	p := s.pages[k]
	h, fits := p.shorten(st)
	if size := max(len(p.short), len(p.long)); i == size || p.long == nil && !fits {
		if i == size {
			size *= 2
		}
		if p.long == nil && fits {
			p.short = append(make([]short, 0, size), p.short...)[:size]
		} else {
			long := make([]account.Step, size)
			for j := range i {
				long[j] = p.step(j)
			}
			p.short, p.long = nil, long
		}
		s.replace(k, p)
	}
	if p.long != nil {
		p.long[i] = *st
	} else {
		p.short[i] = h
	}
	if s.n++; i == pageLen-1 {
		s.replace(k, page{full: p.pack()})
	}
}

// begin adds a page whose first step is st.
func (s *Steps) begin(st *account.Step) {
	p := page{time: st.Time, task: st.Task}
	size := pageLen // a lane that has filled a page will fill more
	if len(s.pages) == 0 {
		size = 8
	}
	p.short = make([]short, size)
	if s.given { // the other list may begin a page, too
		s.pages, s.given = slices.Clip(s.pages), false
	}
	s.pages = append(s.pages, p)
}

// replace changes the last page for this list alone.
func (s *Steps) replace(k int, p page) {
	if s.given {
		s.pages, s.given = slices.Clone(s.pages), false
	}
	s.pages[k] = p
}

// pack returns the rows of a page whose array is full.
func (p *page) pack() *rows {
	first, last := p.step(0), p.step(pageLen-1)
	r := &rows{time: first.Time, pace: (last.Time - first.Time) / (pageLen - 1)}
	var numbers [pageLen][numFields]int64
	var most [numFields]int64
	for k := range numbers {
		s := p.step(k)
		n := &numbers[k]
		*n = [numFields]int64{
			offset: s.Time - r.time - int64(k)*r.pace, duration: s.End - s.Time, task: int64(s.Task),
			code: int64(s.Code)*int64(len(kinds)) + int64(slices.Index(kinds[:], s.Kind)),
		}
		for f, v := range n {
			if least := &r.fields[f].least; k == 0 || v < int64(*least) {
				*least = uint64(v)
			}
			if k == 0 || v > most[f] {
				most[f] = v
			}
		}
	}
	for f := range r.fields {
		x := &r.fields[f]
		width := bits.Len64(uint64(most[f]) - x.least)
		x.mask, x.shift = 1<<width-1, r.stride
		r.stride += width
	}
	r.bits = make([]uint64, pageLen/64*r.stride+2)
	for k := range numbers {
		for f, v := range numbers[k] {
			x := &r.fields[f]
			at, d := k*r.stride+x.shift, uint64(v)-x.least
			r.bits[at>>6] |= d << (at & 63)
			r.bits[at>>6+1] |= d >> (64 - at&63)
		}
	}
	return r
}

// shorten returns a step as differences to a page, false if they are too large.
func (p *page) shorten(s *account.Step) (short, bool) {
	after, takes, task := s.Time-p.time, s.End-s.Time, int64(s.Task-p.task)
	kind := slices.Index(kinds[:], s.Kind)
	if uint64(after) > math.MaxUint32 || uint64(takes) > math.MaxUint32 || task != int64(int32(task)) || s.Code > mostCode || kind < 0 {
		return short{}, false
	}
	return short{uint32(after), uint32(takes), int32(task), s.Code | uint32(kind)<<kindShift}, true
}
