package waits

import (
	"whorl/tracer"
	"whorl/tracer/store"
)

// selecter is a source that reads an interval of time without the rest.
type selecter interface {
	Select(q store.Query, f func([]tracer.Event) error) error
}

// window is the number of events that are in memory at a time.
const window = 1 << 19

// backward calls f with the events of some kinds between two times, the last one first, until f returns false.
func backward(src tracer.Source, kinds tracer.KindSet, from, to int64, tick func(done, total int64) error, f func(e *tracer.Event) bool) error {
	count := int64(0)
	for k, n := range src.Counts() {
		if kinds.Contains(tracer.Kind(k)) {
			count += n
		}
	}
	first, last := src.Span()
	parts, ok := src.(selecter)
	width := last - first + 1
	if ok && count > window {
		width = max(width/(count/window+1), 1)
	}
	var es []tracer.Event
	keep := func(batch []tracer.Event) error {
		for i := range batch {
			if t := batch[i].Time; t >= from && t <= to {
				es = append(es, batch[i])
			}
		}
		return nil
	}
	for until := min(to, last); until >= from; {
		since := max(until-width+1, from)
		if since == 0 && until == 0 { // a query from 0 to 0 has no bounds
			since = -1
		}
		es = es[:0]
		var err error
		if ok && count > window {
			err = parts.Select(store.Query{Kinds: kinds, From: since, To: until}, keep)
		} else {
			since = from
			err = src.Scan(kinds, keep)
		}
		if err != nil {
			return err
		}
		for i := len(es) - 1; i >= 0; i-- {
			if !f(&es[i]) {
				return nil
			}
		}
		if tick != nil {
			if err := tick(to-since, max(to-from, 1)); err != nil {
				return err
			}
		}
		switch { // the next interval has about as many events
		case len(es) > 2*window:
			width = max(width/2, 1)
		case len(es) < window/4 && width < last-first:
			width *= 2
		}
		until = since - 1
	}
	return nil
}
