package recording

import (
	"math/bits"

	"whorl/tracer"
)

// costs are the costs of the steps of a PE in ns: reductions by clause; suspensions and ends of waiters by procedure.
//
// The clock is read once for each slice, some hundred steps, because reading it takes longer than a step. Until then
// the steps of a slice follow each other as they are expected to. If the slice has taken longer or less, fit then
// stretches or shrinks it. The costs are calibrated in the run: after some of the slices, calibrate changes the costs of the
// steps in it so that they predict its time better. This is the normalized least mean squares filter (B. Widrow and
// M. E. Hoff, "Adaptive Switching Circuits", 1960) with relative changes, so that the costs of clauses that always occur
// together keep their ratio.
type costs struct {
	bySite  []uint64  // for each site its clause's code, and the cost above costBits
	byCode  []uint32  // ns
	units   []float64 // relative costs, by code
	speed   float64   // ns per unit, of the recent slices
	applied float64   // the speed of bySite and byCode
	sites   [][]int32 // of a clause, by code
	slices  int
	counts  []int32  // by code, for calibrate
	codes   []uint32 // the codes with a count

	spent, missed float64 // ns: time of all slices, and the sum of the differences to the predictions
}

const costBits = 32

// The costs before the first calibration.
const (
	commitCost = 20
	goalCost   = 10 // for each goal of the body
	waitCost   = 60
	leastCost  = 1
	mostCost   = 1 << 20
)

// newCosts returns the costs of the codes of a program. sites holds the clause of each site.
func newCosts(table []tracer.Code, sites []uint32) costs {
	n := len(table)
	c := costs{
		bySite: make([]uint64, len(sites)), byCode: make([]uint32, n),
		units: make([]float64, n), sites: make([][]int32, n), counts: make([]int32, n),
	}
	for i, code := range sites {
		c.sites[code] = append(c.sites[code], int32(i))
	}
	for i := range table {
		c.units[i] = waitCost
		if table[i].Type == tracer.Clause {
			c.units[i] = commitCost + goalCost*float64(table[i].Children)
		}
	}
	c.set(1)
	return c
}

// set sets the costs of all codes for a speed.
func (c *costs) set(speed float64) {
	c.speed, c.applied = speed, speed
	for code := range c.units {
		c.apply(uint32(code))
	}
}

// apply sets the cost of a code. It is a little less than the expected time, because a slice that has taken longer than
// expected can leave the rest to the next one.
func (c *costs) apply(code uint32) {
	ns := uint32(min(max(c.units[code]*c.applied*(1-leeway/2)+0.5, leastCost), mostCost))
	c.byCode[code] = ns
	for _, site := range c.sites[code] {
		c.bySite[site] = uint64(ns)<<costBits | uint64(code)
	}
}

// leeway is the part of a slice that may be left to the next one.
const leeway = 0.125

// fit scales the times of a slice of steps from their expected total, in ns, to the measured one, and returns the new total. Unless
// exact is set, it leaves a slice that was expected to take a little less than it has taken.
func fit(rows []tracer.Event, from, expected, took int64, exact bool) int64 {
	switch {
	case expected <= 0:
		return took
	case exact || expected > took || float64(expected) < (1-leeway)*float64(took):
		stretch(rows, from, expected, took)
		return took
	}
	return expected
}

func stretch(rows []tracer.Event, from, expected, took int64) {
	// The scale is rounded up, so that a step at the end of the slice ends with it.
	shift := uint(bits.LeadingZeros64(uint64(took)|1<<30)-2) & 63
	scale := (uint64(took)<<shift + uint64(expected) - 1) / uint64(expected)
	now := from
	for i := range rows {
		end := expected
		if next := i + 1; next < len(rows) { // a step ends where the next one begins
			end = rows[next].Time - from
		}
		end = from + min(took, int64(uint64(end)*scale>>shift))
		e := &rows[i]
		if e.Time = now; e.Value != 0 {
			e.Value = end - now
		}
		now = end
	}
}

const (
	warmUp      = 16  // first slices, whose times are unusual
	training    = 256 // slices that are all used for calibration
	sampling    = 8   // of the later ones, one in so many
	smoothing   = 16  // slices over which the speed is averaged
	sensitivity = 0.4
	mostChange  = 0.25
	outlier     = 0.5 // relative difference to the expected time from which a slice says nothing about the costs
)

// measure compares the time of a slice with the expected time.
func (c *costs) measure(rows []tracer.Event, expected, took float64) {
	if expected <= 0 || took <= 0 {
		return
	}
	c.slices++
	expected /= 1 - leeway/2 // see apply
	expected *= c.speed / c.applied
	wrong := took/expected - 1
	if c.slices > warmUp {
		c.spent += took
		c.missed += max(took-expected, expected-took)
	}
	c.speed *= 1 + min(max(wrong, -mostChange), mostChange)/smoothing
	if max(wrong, -wrong) < outlier && (c.slices <= training || c.slices%sampling == 0) {
		c.calibrate(rows, wrong, expected)
	}
	if ratio := c.speed / c.applied; ratio > 1+leeway/2 || ratio < 1-leeway/2 {
		c.set(c.speed)
	}
}

// steps are the kinds of events that take time.
const steps = 1<<tracer.Reduce | 1<<tracer.Suspend | 1<<tracer.End

// calibrate changes the costs of the steps of a slice. Each changes in proportion to its part of the predicted time.
func (c *costs) calibrate(rows []tracer.Event, wrong, expected float64) {
	for i := range rows {
		if e := &rows[i]; steps>>(e.Kind&63)&1 != 0 {
			if c.counts[e.Code]++; c.counts[e.Code] == 1 {
				c.codes = append(c.codes, e.Code)
			}
		}
	}
	squares := 0.0
	for _, code := range c.codes {
		part := float64(c.counts[code]) * c.units[code] * c.speed / expected
		squares += part * part
	}
	for _, code := range c.codes {
		part := float64(c.counts[code]) * c.units[code] * c.speed / expected
		c.units[code] *= 1 + min(max(sensitivity*wrong*part/squares, -mostChange), mostChange)
		c.apply(code)
		c.counts[code] = 0
	}
	c.codes = c.codes[:0]
}
