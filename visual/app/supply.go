package app

import (
	"time"

	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/visual/view"
)

// fed is what the stages of a document have been given.
type fed struct {
	revision uint64 // 0: nothing yet
	at       time.Duration
	events   int64
}

// A trace that grows is shown anew every growEvery, or, while its program runs, as soon as it is longer by a twentieth, but at the latest
// after growLate: a long trace takes its time, and what is done again and again must not grow faster than the trace.
const (
	growEvery = 100 * time.Millisecond
	growLate  = time.Second
)

// supply gives the stages of the traces that are seen what has come since, once they are done with what they have, and takes from panes
// that are not seen what they hold of a trace that has grown since.
func (a *App) supply(seen []*pane) {
	open, busy, shown := map[*document]bool{}, map[*document]bool{}, map[*pane]bool{}
	for _, p := range seen {
		shown[p] = true
		if d := a.docs[p.trace]; d != nil {
			open[d] = open[d] || p.opened != nil
			busy[d] = busy[d] || p.opened != nil && p.working
		}
	}
	for d := range open {
		if rev := d.revision(); rev != d.fed.revision && !busy[d] && (!open[d] || a.now >= d.due()) {
			d.supply(rev, a.now)
		}
	}
	for _, p := range a.panes {
		if d := a.docs[p.trace]; d != nil && p.opened != nil && !shown[p] && (p.working || p.fed != d.fed.revision) {
			p.rest()
		}
	}
}

func (d *document) supply(rev uint64, now time.Duration) {
	src := d.src
	if g, ok := src.(interface{ Snapshot() *store.File }); ok {
		src = g.Snapshot() // all stages are to see the same
	}
	if d.data == nil {
		d.data, d.beside = view.NewData(src), nil
	} else {
		d.data.SetTrace(src)
	}
	d.fed = fed{rev, now, events(src)}
}

// due is when the stages may have what has come.
func (d *document) due() time.Duration {
	if l := d.live; l != nil && l.status.State == Running && !l.over {
		if n := events(d.src); n >= d.fed.events && n-d.fed.events < d.fed.events/20 {
			return d.fed.at + growLate
		}
	}
	return d.fed.at + growEvery
}

func events(src tracer.Source) (n int64) {
	for _, k := range src.Counts() {
		n += k
	}
	return n
}
