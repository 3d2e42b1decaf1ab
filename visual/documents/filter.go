package documents

import (
	"errors"
	"time"

	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/visual/flow"
	"whorl/visual/network/filter"
	"whorl/visual/view"
)

// A document can show a part of its trace, which an expression selects, in place of the whole. What views have derived from the whole stays in memory, so
// that the way back takes no time.

// A filtering is the part of a trace that a document shows.
type filtering struct {
	where    string     // the wanted expression, "" for the whole trace
	revision uint64     // of the document when where was applied last, 0 for never
	wrong    error      // of that
	whole    *view.Data // while Data has a part: what views have derived from the whole trace
	fed      Fed        // with whole
	making   *making    // nil if no part is being made
}

// A making is a part of a trace that a goroutine makes.
type making struct {
	revision uint64
	ends     chan struct{} // closed to end the work
	done     chan part
}

// A part is the result of a making.
type part struct {
	src tracer.Source
	err error
}

// errEnded ends a making.
var errEnded = errors.New("the part is not needed any more")

// SetFilter makes the document show the part of its trace that an expression selects, "" for the whole. It is called in each step, and reports
// whether the part is yet to come: until then the document shows the same as before.
func (d *Document) SetFilter(where string, now time.Duration) (waits bool) {
	f := &d.filter
	if where != f.where {
		f.stop()
		f.where, f.revision, f.wrong = where, 0, nil
	}
	if where == "" {
		d.showWhole()
		return false
	}
	if f.making != nil {
		select {
		case got := <-f.making.done:
			d.showPart(got, now)
		default:
			return true
		}
	}
	if f.revision == d.Revision() {
		return false
	}
	src := d.Source
	if g, ok := src.(*store.Growing); ok {
		src = g.Merged()
	}
	f.making = &making{revision: d.Revision(), ends: make(chan struct{}), done: make(chan part, 1)}
	go f.making.make(src, where)
	return true
}

// Wrong returns why the document shows no part of its trace, nil if it shows one or is to show the whole.
func (d *Document) Wrong() error { return d.filter.wrong }

// Filter returns the expression that selects the part of the trace that the document shows, "" for the whole.
func (d *Document) Filter() string {
	if d.filter.whole == nil {
		return ""
	}
	return d.filter.where
}

// make makes the part. Without threads it lets the window work now and then.
func (m *making) make(src tracer.Source, where string) {
	last := time.Now()
	p, err := filter.Part(src, where, func(int64, int64) error {
		if !flow.Threads && time.Since(last) > 10*time.Millisecond {
			time.Sleep(time.Millisecond)
			last = time.Now()
		}
		select {
		case <-m.ends:
			return errEnded
		default:
			return nil
		}
	})
	m.done <- part{p, err}
}

// stop ends the making of a part and waits for it, since it reads the trace.
func (f *filtering) stop() {
	if f.making != nil {
		close(f.making.ends)
		<-f.making.done
		f.making = nil
	}
}

// showPart shows a part that has been made, or the whole trace if there is none.
func (d *Document) showPart(p part, now time.Duration) {
	f := &d.filter
	f.revision, f.wrong, f.making = f.making.revision, p.err, nil
	if p.err != nil {
		d.showWhole()
		return
	}
	d.Compare(nil)
	if f.whole == nil {
		f.whole, f.fed = d.Data, d.Fed
		if f.whole == nil { // no view has opened yet
			f.whole = view.NewData(d.Source)
		}
	} else {
		d.Data.Close()
	}
	d.Data = view.NewData(p.src)
	d.Fed = Fed{Revision: f.revision, Events: events(p.src), time: now}
}

// showWhole shows the whole trace again.
func (d *Document) showWhole() {
	f := &d.filter
	if f.whole == nil {
		return
	}
	d.Compare(nil)
	d.Data.Close()
	d.Data, d.Fed = f.whole, f.fed
	f.whole = nil
}

// dropFilter shows the whole trace again and forgets the filter, which the next SetFilter applies anew.
func (d *Document) dropFilter() {
	d.filter.stop()
	d.showWhole()
	d.filter = filtering{}
}
