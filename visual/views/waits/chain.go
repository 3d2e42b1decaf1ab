package waits

import (
	"fmt"

	"whorl/tracer/derive/waits"
)

// wakes is the chain of wake-ups that ended a wait.
type wakes struct {
	span     waits.Span
	segments []segment // the last one first
	path     *waits.Path
}

// A segment is the part of a chain that lies with one task.
type segment struct {
	task     uint64
	code     uint32
	from, to int64
	pieces   []waits.Piece
}

// parseChain reads a value of the parameter chain.
func parseChain(text string) (s waits.Span, err error) {
	if text == "" {
		return s, nil
	}
	if n, err := fmt.Sscanf(text, "%d %d %d", &s.Task, &s.From, &s.To); n != 3 || err != nil || s.To < s.From {
		return s, fmt.Errorf("chain: %q is not TASK FROM TO in ns", text)
	}
	return s, nil
}

func formatChain(s waits.Span) string { return fmt.Sprintf("%d %d %d", s.Task, s.From, s.To) }

// newWakes divides a path into segments.
func newWakes(s waits.Span, p *waits.Path) *wakes {
	w := &wakes{span: s, path: p}
	for i := len(p.Pieces) - 1; i >= 0; i-- {
		end := i + 1
		for i > 0 && p.Pieces[i-1].Task == p.Pieces[i].Task {
			i--
		}
		ps := p.Pieces[i:end]
		w.segments = append(w.segments, segment{ps[0].Task, ps[0].Code, ps[0].From, ps[len(ps)-1].To, ps})
	}
	return w
}

// longest returns the activity that takes most of a segment, with its time and reason, and how long the rest took.
func (s *segment) longest() (activity waits.Activity, reason uint32, ns, rest int64) {
	var sums [waits.NumActivities]int64
	for _, p := range s.pieces {
		sums[p.Activity] += p.To - p.From
	}
	for w, t := range sums {
		if t > ns {
			activity, ns = waits.Activity(w), t
		}
	}
	most := int64(0)
	for _, p := range s.pieces {
		if t := p.To - p.From; p.Activity == activity && t > most {
			most, reason = t, p.Reason
		}
	}
	return activity, reason, ns, s.to - s.from - ns
}
