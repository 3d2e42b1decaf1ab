package radial

// A Condensing says which levels of a tree are drawn (section 3.1). Of the levels up to Threshold every C0-th is drawn, beyond it every
// (C0+1)-th, so that levels near the root have more room. Level 0 is always drawn.
type Condensing struct {
	Height    int32 // largest level of the tree
	Max       int32 // h_max: the largest circle that has room in the window
	C0        int32 // level-condensing ratio up to the threshold, 1 where nothing is condensed
	Threshold int32 // t: the last level to which C0 applies
}

// Fit returns the condensing of a tree of the given height, its largest level, for a window that many pixels wide in which neighbouring
// circles are distance pixels apart. center is the circle on which the roots stand (Tree.Center). A window with room for no circle is
// taken to have room for one.
func Fit(window, distance float64, height, center int32) Condensing {
	room := window / (2 * distance)
	most := int32(1)
	if room >= 1<<30 {
		most = 1 << 30
	} else if room >= 1 { // false for NaN too
		most = int32(room)
	}
	most = max(most-center, 1)
	if height <= most {
		return Condensing{Height: height, Max: most, C0: 1, Threshold: height}
	}
	c0 := height / most
	return Condensing{Height: height, Max: most, C0: c0, Threshold: c0*most - c0*(height-c0*most)}
}

// Needed says whether any level is condensed.
func (c Condensing) Needed() bool { return c.Height > c.Max }

// Ratio is c, the level-condensing ratio at a level.
func (c Condensing) Ratio(level int32) int32 {
	if level <= c.Threshold {
		return c.C0
	}
	return c.C0 + 1
}

// Drawn returns the ordinal of a level among those that are drawn and true, or for a condensed level the ordinal of the last drawn level
// before it and false. (The paper's l' = floor(l/c) gives two levels one circle where the ratio changes; the ordinal does not.)
func (c Condensing) Drawn(level int32) (ordinal int32, drawn bool) {
	if level <= c.Threshold {
		return level / c.C0, level%c.C0 == 0
	}
	d := c.C0 + 1
	return c.Threshold/c.C0 + level/d - c.Threshold/d, level%d == 0
}

// Levels is the number of levels that are drawn: at most Max+1.
func (c Condensing) Levels() int32 {
	if c.Height < 0 {
		return 0
	}
	last, _ := c.Drawn(c.Height)
	return last + 1
}
