package nbody

import "math"

// A Watch says which moments of a measure are worth a mark or a sound.
type Watch struct {
	Fast   float64 // it changes by as much over Window values, up or down; 0 for none
	Window int     // at least 1
	Reach  float64 // it reaches this, from below or from above; 0 for none
}

// A Moment is when a measure begins to change fast, or reaches a value.
type Moment struct {
	At   int  // which of the values
	Fast bool // else it has reached a value
	Up   bool // it grows
}

// Moments are those of a measure that a Watch asks for, in order: exactly one for each time that it comes to a threshold. It has to go away
// from a threshold before it can come to it again, to half of how fast it was to change, or by a twentieth of what it was to reach, so that
// what trembles about one is not told of for ever. A value is told of when it comes and depends on no later one.
func Moments(values []float64, w Watch) []Moment {
	var all []Moment
	rise, fall, at := threshold{level: w.Fast, leave: w.Fast / 2}, threshold{level: w.Fast, leave: w.Fast / 2}, threshold{level: w.Reach, leave: math.Abs(w.Reach) / 20}
	for i, v := range values {
		if w.Fast > 0 {
			by := v - values[max(i-max(w.Window, 1), 0)]
			if rise.pass(by) > 0 {
				all = append(all, Moment{At: i, Fast: true, Up: true})
			}
			if fall.pass(-by) > 0 {
				all = append(all, Moment{At: i, Fast: true})
			}
		}
		if w.Reach != 0 {
			if way := at.pass(v); way != 0 {
				all = append(all, Moment{At: i, Up: way > 0})
			}
		}
	}
	return all
}

// A threshold is told of once by what comes to it, until that has left it.
type threshold struct {
	level, leave float64
	side         int // from which it is to come: -1 from below, 1 from above, 0 from nowhere as it has not left yet
}

// pass takes the next value: 1 when that has come to the threshold from below, -1 from above, else 0.
func (t *threshold) pass(v float64) (way int) {
	if t.side < 0 && v >= t.level || t.side > 0 && v <= t.level {
		way, t.side = -t.side, 0
	}
	switch {
	case t.side != 0:
	case v < t.level-t.leave:
		t.side = -1
	case v > t.level+t.leave:
		t.side = 1
	}
	return way
}
