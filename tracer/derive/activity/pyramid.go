package activity

// A Pyramid holds the tracks of groups of PEs. Level 0 has a track for each PE. Each further level has a track for every Fan tracks of the level
// below, in order, and the last level has one track for the whole machine. PEs that never worked count as idle.
type Pyramid struct {
	Levels [][]Track
	PEs    int
	act    *Activity
}

// Fan is the number of tracks of a level that make one of the next.
const Fan = 4

// NewPyramid adds up the lanes of an activity. prev, which may be nil, is the pyramid of an earlier part of the same run: NewPyramid reuses its
// unchanged tracks. The result does not depend on prev, and prev does not change. tick is as for Build.
func NewPyramid(a *Activity, prev *Pyramid, tick func(done, total int64) error) (*Pyramid, error) {
	p := &Pyramid{PEs: a.PEs, act: a}
	if prev != nil && !(a.PEs == prev.PEs && a.Extends(prev.act) && prev.act.steady && a.steady) {
		prev = nil
	}
	level := make([]Track, len(a.Lanes))
	var pieces, done, depth int64
	for i := range a.Lanes {
		level[i] = a.Lanes[i].Track
		pieces += int64(len(level[i].Pieces))
	}
	for n := a.PEs; n > 1; n = (n + Fan - 1) / Fan {
		depth++
	}
	p.Levels = append(p.Levels, level)
	for size := Fan; size < Fan*a.PEs; size *= Fan {
		below := level
		level = make([]Track, (len(below)+Fan-1)/Fan)
		for i := range level {
			parts := group(below, i)
			for _, t := range parts {
				done += int64(len(t.Pieces))
			}
			if k := len(p.Levels); prev != nil && i < len(prev.Levels[k]) && working(group(prev.Levels[k-1], i)) == working(parts) {
				level[i] = sumOn(parts, &prev.Levels[k][i], prev.act.settled)
			} else {
				level[i] = Sum(parts)
			}
			level[i].PEs = int32(min((i+1)*size, a.PEs) - i*size)
			if tick != nil {
				if err := tick(min(done, pieces*depth), pieces*depth); err != nil {
					return nil, err
				}
			}
		}
		p.Levels = append(p.Levels, level)
	}
	return p, nil
}

// group returns the tracks that make track i of the next level.
func group(below []Track, i int) (parts []*Track) {
	for j := i * Fan; j < min((i+1)*Fan, len(below)); j++ {
		parts = append(parts, &below[j])
	}
	return parts
}

// working returns the number of tracks that have pieces.
func working(tracks []*Track) (n int) {
	for _, t := range tracks {
		if len(t.Pieces) > 0 {
			n++
		}
	}
	return n
}

// Size returns the number of PEs in a track of a level.
func (p *Pyramid) Size(level int) int {
	size := 1
	for range level {
		size *= Fan
	}
	return size
}

// Len returns the number of groups at a level.
func (p *Pyramid) Len(level int) int {
	size := p.Size(level)
	return (p.PEs + size - 1) / size
}

// Group returns the track of group i of a level, and its PEs.
func (p *Pyramid) Group(level, i int) (t *Track, first, last int) {
	size := p.Size(level)
	first, last = i*size, min((i+1)*size, p.PEs)-1
	if i < len(p.Levels[level]) {
		return &p.Levels[level][i], first, last
	}
	return &Track{PEs: int32(last - first + 1)}, first, last
}

// All returns the track of the whole machine.
func (p *Pyramid) All() *Track {
	t, _, _ := p.Group(len(p.Levels)-1, 0)
	return t
}

// Cover returns the fewest tracks that together hold exactly the PEs from first to last.
func (p *Pyramid) Cover(first, last int) []*Track {
	first, last = max(first, 0), min(last, p.PEs-1)
	var tracks []*Track
	for first <= last {
		level, size := 0, 1
		for level+1 < len(p.Levels) && first%(size*Fan) == 0 && min(first+size*Fan, p.PEs)-1 <= last {
			level++
			size *= Fan
		}
		t, _, end := p.Group(level, first/size)
		tracks = append(tracks, t)
		first = end + 1
	}
	return tracks
}
