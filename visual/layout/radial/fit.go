package radial

// A Condensing selects the levels of a tree to draw (section 3.1): every C0-th level up to Threshold and every
// (C0+1)-th beyond it, so that levels near the root have more room. Level 0 is always drawn.
type Condensing struct {
	Height    int32 // largest level of the tree
	Max       int32 // h_max: the largest circle that fits into the window
	C0        int32 // level-condensing ratio up to the threshold; 1 if nothing is condensed
	Threshold int32 // t: the last level to which C0 applies
}

// Fit returns the condensing of a tree whose largest level is height, for a window of the given width where
// neighbouring circles are distance apart, both in pixels. center is the circle of the roots (Tree.Center). A window
// too small for a circle counts as having room for one.
func Fit(window, distance float64, height, center int32) Condensing {
	room := window / (2 * distance)
	most := int32(1)
	if room >= 1<<30 {
		most = 1 << 30
	} else if room >= 1 { // also false for NaN
		most = int32(room)
	}
	most = max(most-center, 1)
	if height <= most {
		return Condensing{Height: height, Max: most, C0: 1, Threshold: height}
	}
	c0 := height / most
	return Condensing{Height: height, Max: most, C0: c0, Threshold: c0*most - c0*(height-c0*most)}
}

// Needed reports whether any level is condensed.
func (c Condensing) Needed() bool { return c.Height > c.Max }

// Drawn returns the ordinal of a level among those drawn, and true. For a condensed level it returns the ordinal of
// the last drawn level before it, and false. (The paper's l' = floor(l/c) puts two levels on one circle where the
// ratio changes; the ordinal does not.)
func (c Condensing) Drawn(level int32) (ordinal int32, drawn bool) {
	if level <= c.Threshold {
		return level / c.C0, level%c.C0 == 0
	}
	d := c.C0 + 1
	return c.Threshold/c.C0 + level/d - c.Threshold/d, level%d == 0
}

// Levels returns the number of levels drawn, at most Max+1.
func (c Condensing) Levels() int32 {
	if c.Height < 0 {
		return 0
	}
	last, _ := c.Drawn(c.Height)
	return last + 1
}
