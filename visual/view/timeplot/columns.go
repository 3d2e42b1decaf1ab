package timeplot

import (
	"math"

	"whorl/tracer/derive/activity"
)

// Seen returns the bounds of the pixel columns that begin before until. In a live or scrubbed picture these end before its right side.
func (p *Plot) Seen(until int64) []int64 {
	bounds := p.Bounds(until)
	n := len(bounds) - 1
	for n > 0 && bounds[n-1] >= until {
		n--
	}
	return bounds[:n+1]
}

// Shares sets the share of each column between bounds. The shares add up to the track's share between the first and the last bound. The
// exception are columns shorter than 1 ns, which hold the numbers of PEs in each state instead of times.
func Shares(t *activity.Track, bounds []int64, shares []activity.Share) {
	t.Columns(bounds, shares)
	for k := range shares {
		if bounds[k] != bounds[k+1] {
			continue
		}
		s := activity.Share{Idle: int64(t.PEs)}
		if i := t.Find(bounds[k]); i >= 0 && bounds[k] < t.End {
			p := &t.Pieces[i]
			s = activity.Share{Busy: int64(p.NBusy), Over: int64(p.NOver), Idle: int64(t.PEs - p.NBusy - p.NOver)}
		}
		shares[k] = s
	}
}

// Column returns the interval of column k, at least 1 ns long.
func Column(bounds []int64, k int) (from, to int64) { return bounds[k], max(bounds[k+1], bounds[k]+1) }

// Heights returns the numbers of pixels for busy time and overhead in a column of h pixels. Each state with any time has at least one
// pixel, including idle time, so that a single idle PE among a million is visible.
func Heights(s activity.Share, h int) (busy, over int) {
	total := float64(s.Busy + s.Over + s.Idle)
	part := func(v int64) int {
		if v <= 0 {
			return 0
		}
		return max(int(math.Round(float64(v)/total*float64(h))), 1)
	}
	busy, over = part(s.Busy), part(s.Over)
	idle := min(part(s.Idle), 1) // the least number of pixels
	for busy+over+idle > h && busy+over > 0 {
		if busy >= over {
			busy--
		} else {
			over--
		}
	}
	return busy, over
}
