package dts

import (
	"testing"
	"time"
)

// The clock of a PE excludes the time of a pause, however wrong its rate is.
func TestPausedClock(t *testing.T) {
	b := &book{clock: newClock()}
	b.clock.rate *= 2
	c := new(Control)
	s := &system{resolved: &resolved{Options: Options{Mode: Live}}, book: b, workers: make([]Worker, 1)}
	w := &s.workers[0]
	w.clock = b.clock
	c.begin(s, 1)
	first := b.clock.now()
	c.asleep()
	from := b.clock.now()
	time.Sleep(100 * time.Millisecond)
	to := b.clock.now()
	c.Go(-1)
	c.awake(w)
	last := w.clock.now()
	if most := b.clock.now() - first - (to - from) + 1; last < first || last-first > most {
		t.Errorf("from %d ns to %d, at most %d later", first, last, most)
	}
}
