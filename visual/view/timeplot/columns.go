package timeplot

import (
	"math"

	"whorl/tracer/derive/activity"
)

// Seen are the bounds of the columns that have begun before until: a live or scrubbed picture ends before its right side.
func (p *Plot) Seen(until int64) []int64 {
	bounds := p.Bounds(until)
	n := len(bounds) - 1
	for n > 0 && bounds[n-1] >= until {
		n--
	}
	return bounds[:n+1]
}

// Shares fills the columns between bounds. They add up to what the track did between the first and the last bound, save that a column
// shorter than a ns, of a picture zoomed in that far, has the numbers of PEs in each state instead of times.
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

// Column is the time of column k, one ns at least.
func Column(bounds []int64, k int) (from, to int64) { return bounds[k], max(bounds[k+1], bounds[k]+1) }

// Heights are the pixels of a column of h that stand for busy time and overhead. What took any time at all has a pixel, idle time too, so
// that the one exception among a million shows.
func Heights(s activity.Share, h int) (busy, over int) {
	total := float64(s.Busy + s.Over + s.Idle)
	part := func(v int64) int {
		if v <= 0 {
			return 0
		}
		return max(int(math.Round(float64(v)/total*float64(h))), 1)
	}
	busy, over = part(s.Busy), part(s.Over)
	idle := min(part(s.Idle), 1) // at least
	for busy+over+idle > h && busy+over > 0 {
		if busy >= over {
			busy--
		} else {
			over--
		}
	}
	return busy, over
}
