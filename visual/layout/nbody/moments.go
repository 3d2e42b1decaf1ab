package nbody

import "math"

// A Watch selects the moments of a measure that are worth a mark or a sound.
type Watch struct {
	Fast   float64 // least change over Window values, up or down; 0 to ignore changes
	Window int     // number of values, at least 1
	Reach  float64 // a level to reach, from below or above; 0 for none
}

// A Moment is where a measure begins to change fast, or reaches a level.
type Moment struct {
	Index int  // of the value
	Fast  bool // fast change; otherwise the level was reached
	Up    bool // upwards
}

// Moments returns the moments of a measure that w selects, in order. Each threshold has hysteresis: after a moment,
// the change must fall to half of Fast, or the value must leave Reach by a twentieth of it, before the threshold can
// fire again, so that a trembling measure does not fire repeatedly. Each moment depends on earlier values only.
func Moments(values []float64, w Watch) []Moment {
	var all []Moment
	rise, fall, reach := threshold{level: w.Fast, leave: w.Fast / 2}, threshold{level: w.Fast, leave: w.Fast / 2}, threshold{level: w.Reach, leave: math.Abs(w.Reach) / 20}
	for i, v := range values {
		if w.Fast > 0 {
			by := v - values[max(i-max(w.Window, 1), 0)]
			if rise.pass(by) > 0 {
				all = append(all, Moment{Index: i, Fast: true, Up: true})
			}
			if fall.pass(-by) > 0 {
				all = append(all, Moment{Index: i, Fast: true})
			}
		}
		if w.Reach != 0 {
			if way := reach.pass(v); way != 0 {
				all = append(all, Moment{Index: i, Up: way > 0})
			}
		}
	}
	return all
}

// A threshold fires when a value crosses its level, and again only after values have left the level by leave.
type threshold struct {
	level, leave float64
	side         int // the side on which the last values lay: -1 below, 1 above, 0 not yet clear of the level
}

// pass takes the next value and returns 1 if it reaches the level from below, -1 if from above, and otherwise 0.
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
