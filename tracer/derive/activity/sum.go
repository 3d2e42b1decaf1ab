package activity

import (
	"math"
	"sort"
)

// Sum adds tracks to one track of all their PEs. The time is proportional to the pieces times the logarithm of the number of tracks.
func Sum(tracks []*Track) Track {
	switch len(tracks) {
	case 0:
		return Track{}
	case 1:
		return *tracks[0]
	}
	half := len(tracks) / 2
	a, b := Sum(tracks[:half]), Sum(tracks[half:])
	return add(&a, &b)
}

// sumOn is Sum for tracks that extend the tracks with the sum prev. The tracks before since are unchanged, and the same number of tracks has
// pieces.
func sumOn(tracks []*Track, prev *Track, since int64) Track {
	since = min(since, prev.End)
	kept := sort.Search(len(prev.Pieces), func(i int) bool { return prev.Pieces[i].Start >= since })
	if working(tracks) < 2 || kept == 0 {
		return Sum(tracks)
	}
	tails := make([]*Track, len(tracks))
	end := int64(math.MinInt64)
	for i, t := range tracks {
		if tails[i] = t.from(since - 1); len(t.Pieces) > 0 {
			end = max(end, t.End)
		}
	}
	sum := Sum(tails)
	sum.End = end
	fresh := sort.Search(len(sum.Pieces), func(i int) bool { return sum.Pieces[i].Start >= since })
	pieces := make([]Piece, 0, kept+len(sum.Pieces)-fresh)
	sum.Pieces = append(append(pieces, prev.Pieces[:kept]...), sum.Pieces[fresh:]...)
	return sum
}

// from returns the part of a track from an instant on.
func (t *Track) from(at int64) *Track {
	tail := *t
	i := t.Find(at)
	if i < 0 {
		return &tail
	}
	first := Piece{Start: at, NBusy: t.Pieces[i].NBusy, NOver: t.Pieces[i].NOver}
	if first.Busy, first.Over = t.until(i, at); at >= t.End {
		first.NBusy, first.NOver, tail.End = 0, 0, at
	}
	tail.Pieces = append([]Piece{first}, t.Pieces[i+1:]...)
	return &tail
}

// A side is one of two tracks that are added.
type side struct {
	*Track
	i    int // index of the next piece
	now  Piece
	over bool // its End has passed
}

// next returns the time of the side's next change, false if there is none.
func (s *side) next() (at int64, ok bool) {
	switch {
	case s.i < len(s.Pieces):
		return s.Pieces[s.i].Start, true
	case s.over || len(s.Pieces) == 0:
		return 0, false
	}
	return s.End, true
}

// advance applies the change at an instant.
func (s *side) advance(at int64) {
	if s.i < len(s.Pieces) {
		s.now = s.Pieces[s.i]
		s.i++
		return
	}
	busy, over := s.until(len(s.Pieces)-1, at)
	s.now = Piece{Start: at, Busy: busy, Over: over}
	s.over = true
}

// sumsBefore returns the sums of the side before an instant, which is not after its next change.
func (s *side) sumsBefore(t int64) (busy, over int64) {
	d := t - s.now.Start
	return s.now.Busy + int64(s.now.NBusy)*d, s.now.Over + int64(s.now.NOver)*d
}

func add(a, b *Track) Track {
	sum := Track{PEs: a.PEs + b.PEs, End: max(a.End, b.End)}
	switch {
	case len(a.Pieces) == 0:
		sum.Pieces, sum.End = b.Pieces, b.End
		return sum
	case len(b.Pieces) == 0:
		sum.Pieces, sum.End = a.Pieces, a.End
		return sum
	}
	sum.Pieces = make([]Piece, 0, len(a.Pieces)+len(b.Pieces)+1)
	x, y := &side{Track: a}, &side{Track: b}
	for {
		s, t := x.next()
		u, v := y.next()
		if !t && !v {
			return sum
		}
		at := s
		if !t || v && u < s {
			at = u
		}
		for ; t && s == at; s, t = x.next() {
			x.advance(at)
		}
		for ; v && u == at; u, v = y.next() {
			y.advance(at)
		}
		busyX, overX := x.sumsBefore(at)
		busyY, overY := y.sumsBefore(at)
		p := Piece{Start: at, Busy: busyX + busyY, Over: overX + overY, NBusy: x.now.NBusy + y.now.NBusy, NOver: x.now.NOver + y.now.NOver}
		if n := len(sum.Pieces); n > 0 && sum.Pieces[n-1].NBusy == p.NBusy && sum.Pieces[n-1].NOver == p.NOver {
			continue // the changes of both cancel out
		}
		if at < sum.End || len(sum.Pieces) == 0 {
			sum.Pieces = append(sum.Pieces, p)
		}
	}
}
