package activity

import (
	"math"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/account"
)

// Steps is the list of the steps of a lane in the order of time; none begins before the previous one ends. A list does not change; a longer
// list shares its pages.
type Steps struct {
	pages  []page
	n      int
	shared bool // another list appends to the last page
}

const (
	pageBits = 12
	pageLen  = 1 << pageBits
)

// A page holds steps as differences to its first step, in 16 bytes each, or unchanged if the differences are too large. Only the part of a
// page that no list uses yet may change.
type page struct {
	time  int64
	task  uint64
	short []short
	long  []account.Step
}

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
var kinds = [5]tracer.Kind{tracer.Reduce, tracer.Suspend, tracer.Fail, tracer.Start, tracer.End}

// Len returns the number of steps.
func (s *Steps) Len() int { return s.n }

// Step returns step i.
func (s *Steps) Step(i int) account.Step {
	p := &s.pages[i>>pageBits]
	if p.long != nil {
		return p.long[i&(pageLen-1)]
	}
	h := p.short[i&(pageLen-1)]
	at := p.time + int64(h.after)
	return account.Step{Time: at, End: at + int64(h.takes), Task: p.task + uint64(int64(h.task)), Code: h.code & mostCode, Kind: kinds[h.code>>kindShift]}
}

// append adds a step. Lists that share pages with this one do not change.
func (s *Steps) append(st *account.Step) {
	k, i := s.n>>pageBits, s.n&(pageLen-1)
	if s.shared {
		s.pages, s.shared = slices.Clone(s.pages), false
		if i > 0 {
			s.pages[k].short, s.pages[k].long = slices.Clone(s.pages[k].short), slices.Clone(s.pages[k].long)
		}
	}
	if k == len(s.pages) {
		p := page{time: st.Time, task: st.Task}
		size := pageLen // a lane that has filled a page will fill more
		if k == 0 {
			size = 8
		}
		if k > 0 && s.pages[k-1].long != nil {
			p.long = make([]account.Step, size)
		} else {
			p.short = make([]short, size)
		}
		s.pages = append(s.pages, p)
	}
	p := s.pages[k]
	h, fits := p.shorten(st)
	if full := i == max(len(p.short), len(p.long)); full || p.long == nil && !fits {
		size := max(len(p.short), len(p.long))
		if full {
			size *= 2
		}
		if p.long == nil && fits {
			p.short = append(make([]short, 0, size), p.short...)[:size]
		} else {
			long := make([]account.Step, size)
			for j := range i {
				long[j] = s.Step(k<<pageBits + j)
			}
			p.short, p.long = nil, long
		}
		s.pages = slices.Clone(s.pages)
		s.pages[k] = p
	}
	if p.long != nil {
		p.long[i] = *st
	} else {
		p.short[i] = h
	}
	s.n++
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
