package store

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"whorl/tracer"
)

// Bounds of the states in a file.
const (
	stateBuckets   = 4096 // at most; at least half as many in a long trace
	statePEs       = 256  // of a machine whose states are added up
	eventsOfBucket = 16   // least number of events of a trace for each bucket of each PE
)

// States holds the times that PEs were busy and had overhead in each bucket of time, so that a picture of a long trace needs no events. The width of a
// bucket is the smallest power of two ns that gives at most 4,096 buckets.
type States struct {
	From, Width int64    // bucket i goes from From + i*Width, inclusive, to From + (i+1)*Width, in times of the run
	Over, Idle  []uint32 // reasons of the Overhead and the Idle events, ascending
	PEs         []PEStates
}

// PEStates holds the states of a PE.
type PEStates struct {
	PE          int32
	First, Last int64       // times of its first and last Busy, Idle, Overhead or Exit event
	Kind        tracer.Kind // of the last one; Idle for Exit
	Busy, Over  []int64     // ns by bucket, between First and Last
}

// stateSums collects States. The events of a PE have to come from one stream, whose blocks it gets in order; then the result does not depend on the order
// of the blocks of different streams.
type stateSums struct {
	failed bool // the trace cannot have States
	any    bool
	lo, hi int64 // smallest and largest time
	shift  uint
	base   int64    // lo >> shift
	pes    []*peSum // nil for a PE without states
	codes  [2][]uint32
}

// mostReasons is the largest number of reasons of Overhead or of Idle events.
const mostReasons = 64

// reason notes the reason of an Overhead or Idle event.
func (s *stateSums) reason(list *[]uint32, code uint32) {
	i, known := slices.BinarySearch(*list, code)
	if known {
		return
	}
	*list = slices.Insert(*list, i, code)
	s.failed = s.failed || len(*list) > mostReasons
}

type peSum struct {
	PEStates
	stream uint32
}

// isState reports whether events of a kind begin a state.
func isState(k tracer.Kind) bool { return k == tracer.Busy || k == tracer.Idle || k == tracer.Overhead }

// latest bounds times, so that sums cannot overflow.
const latest = 1 << 52

func (s *stateSums) add(rows []tracer.Event, stream uint32, offset int64) {
	for i := range rows {
		if e := &rows[i]; (isState(e.Kind) || e.Kind == tracer.Exit) && !s.failed {
			s.enter(e, stream, e.Time+offset)
		}
	}
}

// enter ends the state of a PE at a time and begins another.
func (s *stateSums) enter(e *tracer.Event, stream uint32, t int64) {
	if e.PE < 0 || e.PE >= statePEs || t < -latest || t > latest {
		s.failed = true
		return
	}
	for int(e.PE) >= len(s.pes) {
		s.pes = append(s.pes, nil)
	}
	p := s.pes[e.PE]
	if p == nil {
		p = &peSum{PEStates{PE: e.PE, First: t, Last: t, Busy: make([]int64, stateBuckets), Over: make([]int64, stateBuckets)}, stream}
		s.pes[e.PE] = p
	}
	if p.stream != stream || t < p.Last {
		s.failed = true
		return
	}
	s.cover(p.First, t)
	switch p.Kind {
	case tracer.Busy:
		s.spend(p.Busy, p.Last, t)
	case tracer.Overhead:
		s.spend(p.Over, p.Last, t)
	}
	switch p.Last, p.Kind = t, e.Kind; e.Kind {
	case tracer.Overhead:
		s.reason(&s.codes[0], e.Code)
	case tracer.Idle:
		s.reason(&s.codes[1], e.Code)
	case tracer.Exit:
		p.Kind = tracer.Idle
	}
}

// spend adds the time from from to to to the buckets.
func (s *stateSums) spend(sums []int64, from, to int64) {
	for from < to {
		b := from >> s.shift
		end := min((b+1)<<s.shift, to)
		sums[b-s.base] += end - from
		from = end
	}
}

// cover makes room for the times from lo to hi.
func (s *stateSums) cover(lo, hi int64) {
	if s.any {
		lo, hi = min(lo, s.lo), max(hi, s.hi)
	}
	shift := s.shift
	for hi>>shift-lo>>shift >= stateBuckets {
		shift++
	}
	if base := lo >> shift; s.any && (shift != s.shift || base != s.base) {
		used := int(s.hi>>s.shift-s.base) + 1
		move := func(old []int64) []int64 {
			sums := make([]int64, stateBuckets)
			for i, ns := range old[:used] {
				sums[(s.base+int64(i))>>(shift-s.shift)-base] += ns
			}
			return sums
		}
		for _, p := range s.pes {
			if p != nil && p.Last > p.First { // others have spent no time
				p.Busy, p.Over = move(p.Busy), move(p.Over)
			}
		}
	}
	s.any, s.lo, s.hi, s.shift, s.base = true, lo, hi, shift, lo>>shift
}

// appendPayload appends the payload of the block of states, false if a trace of n events has none.
func (s *stateSums) appendPayload(b []byte, n int64) ([]byte, bool) {
	pes := uint64(0)
	for _, p := range s.pes {
		if p != nil {
			pes++
		}
	}
	buckets := int64(0)
	if s.any {
		buckets = s.hi>>s.shift - s.base + 1
	}
	if s.failed || pes == 0 || n < eventsOfBucket*stateBuckets*int64(pes) {
		return nil, false
	}
	b = binary.LittleEndian.AppendUint64(append(b, uint8(s.shift)), uint64(s.base<<s.shift))
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(buckets)), pes)
	for _, codes := range s.codes {
		b = binary.AppendUvarint(b, uint64(len(codes)))
		for _, c := range codes {
			b = binary.AppendUvarint(b, uint64(c))
		}
	}
	for _, p := range s.pes {
		if p == nil {
			continue
		}
		b = append(binary.AppendUvarint(b, uint64(p.PE)), uint8(p.Kind))
		b = binary.AppendUvarint(b, uint64(p.First-s.base<<s.shift))
		b = binary.AppendUvarint(b, uint64(p.Last-p.First))
		for i := range buckets {
			b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(p.Busy[i])), uint64(p.Over[i]))
		}
	}
	return b, true
}

// parseStates reads the payload of the block of states of a trace whose events lie between two times. Times have to fit into their buckets.
func parseStates(b []byte, from, to int64) (*States, error) {
	bad := fmt.Errorf("the states are wrong")
	r := fieldReader{b: b}
	shift := r.byte()
	s := &States{From: int64(r.uint64())}
	buckets, pes := int64(r.uvarint(stateBuckets)), r.uvarint(statePEs)
	if r.bad || shift > 52 || s.From < -2*latest || s.From > latest || uint64(len(r.b)) < pes*uint64(2*buckets) {
		return nil, bad
	}
	s.Width = 1 << shift
	for _, list := range []*[]uint32{&s.Over, &s.Idle} {
		for range r.uvarint(mostReasons) {
			*list = append(*list, uint32(r.uvarint(math.MaxUint32)))
		}
	}
	last := int64(-1)
	for range pes {
		p := PEStates{PE: int32(r.uvarint(statePEs - 1)), Kind: tracer.Kind(r.byte()), Busy: make([]int64, buckets), Over: make([]int64, buckets)}
		p.First = s.From + int64(r.uvarint(4*latest))
		p.Last = p.First + int64(r.uvarint(4*latest))
		if r.bad || int64(p.PE) <= last || !isState(p.Kind) || p.First < from || p.Last > to || p.Last >= s.From+buckets*s.Width {
			return nil, bad
		}
		last = int64(p.PE)
		for i := range buckets {
			p.Busy[i], p.Over[i] = int64(r.uvarint(uint64(s.Width))), int64(r.uvarint(uint64(s.Width)))
			start := max(s.From+i*s.Width, p.First)
			if p.Busy[i]+p.Over[i] > max(min(s.From+(i+1)*s.Width, p.Last)-start, 0) {
				return nil, bad
			}
		}
		s.PEs = append(s.PEs, p)
	}
	if r.bad || len(r.b) > 0 {
		return nil, bad
	}
	return s, nil
}

// States returns the states that Close added up, false if the file has none or they are damaged. Then the events tell them.
func (f *File) States() (*States, bool) {
	if f.states == nil || f.origin != nil || f.missing.Unclosed {
		return nil, false
	}
	payload, err := f.block(*f.states)
	if err != nil {
		return nil, false
	}
	from, to := f.Span()
	s, err := parseStates(payload, from, to)
	return s, err == nil
}

// StatesOf calls the method States of a source, false for a source without the method.
func StatesOf(src tracer.Source) (*States, bool) {
	if s, ok := src.(interface{ States() (*States, bool) }); ok {
		return s.States()
	}
	return nil, false
}
