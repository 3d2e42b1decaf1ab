package charge

import (
	"strconv"

	"whorl/tracer"
)

// Samplers take the samples of a live run. A watch belongs to the goroutine that uses it.
type Samplers struct {
	now     func() int64
	period  int64 // ns
	metric  uint32
	streams []*tracer.Stream // of processors
}

// Samplers returns the samplers of a live run, nil if it takes no samples.
func (c *Clocks) Samplers() *Samplers {
	if !c.Sampling() {
		return nil
	}
	s := &Samplers{now: c.opts.Live, period: c.opts.Sample, metric: c.rec.ticks}
	for p := range c.procs {
		s.streams = append(s.streams, c.opts.Recorder.Stream(tracer.StreamInfo{Name: "samples " + strconv.Itoa(p)}))
	}
	return s
}

// Sync syncs the streams of the samples.
func (s *Samplers) Sync() {
	for _, x := range s.streams {
		x.Sync()
	}
}

// A Watch samples processors that are at the same place. At each statement it reads the clock, and samples that are due
// belong to the previous statement. A timer in its own goroutine would run when cores are free, at the ends of parts,
// and sample those.
type Watch struct {
	*Samplers
	who  []int32
	next int64 // ns: the time of the next sample
	site uint32
}

// Watch returns a watch of some processors.
func (s *Samplers) Watch(who []int32) *Watch { return &Watch{Samplers: s, who: who, next: s.period} }

// Follow copies the place and the time of the next sample from another watch.
func (w *Watch) Follow(other *Watch) { w.next, w.site = other.next, other.site }

// Site returns the calling context of the current statement.
func (w *Watch) Site() uint32 { return w.site }

// Move takes the samples that are due, and sets the current place.
func (w *Watch) Move(site uint32) {
	if now := w.now(); now >= w.next {
		w.Sample(now)
	}
	w.site = site
}

// Sample takes the samples that are due at a time in ns.
func (w *Watch) Sample(now int64) {
	for ; w.next <= now; w.next += w.period {
		for _, p := range w.who {
			if w.site != 0 {
				*w.streams[p].Slot() = tracer.Event{Kind: tracer.Sample, Time: w.next, PE: p, Peer: tracer.None, Ref: uint64(w.site), Code: w.metric, Value: 1}
			}
		}
	}
}

// Pass drops the samples that are due.
func (w *Watch) Pass() {
	if late := w.now() - w.next; late >= 0 {
		w.next += (late/w.period + 1) * w.period
	}
}
