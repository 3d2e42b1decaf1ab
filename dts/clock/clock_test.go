package clock

import (
	"math"
	"testing"
	"time"

	"whorl/testdata/testenv"
)

// A Clock starts after its rate has been measured and never runs backwards. Without a rate it reads the monotonic clock.
func TestClock(t *testing.T) {
	begin := time.Now()
	c := New()
	if before := c.Began().Sub(begin); before < 0 || c.Counts() && before < calibration {
		t.Errorf("it began %s after the call of New", before)
	}
	slow := Clock{began: c.began}
	if slow.Counts() {
		t.Error("a Clock without a rate counts")
	}
	for _, c := range []Clock{c, slow} {
		before := c.Now()
		time.Sleep(time.Millisecond)
		if after := c.Now(); before < 0 || after <= before {
			t.Errorf("%d ns, a millisecond later %d", before, after)
		}
	}
	low := int64(time.Since(c.began))
	now := slow.Now()
	if high := int64(time.Since(c.began)); now < low || now > high {
		t.Errorf("%d ns, by the monotonic clock %d to %d", now, low, high)
	}
}

// A Clock multiplies the counts by its rate.
func TestRate(t *testing.T) {
	if !constantCycles() {
		t.Skip("this system has no time stamp counter of a constant rate")
	}
	for _, halves := range []uint64{1, 2, 7} { // of a ns for each count
		first := cycles()
		c := Clock{first: first, rate: halves << 31}
		low := cycles()
		now, counted := c.Now(), c.Counted()
		high := cycles()
		if now < int64((low-first)*halves/2) || counted < now || counted > int64((high-first)*halves/2) {
			t.Errorf("%d/2 ns for a count: %d ns, then %d, of %d to %d counts", halves, now, counted, low-first, high-first)
		}
	}
}

// TestCalibrationSoak compares the counter with the monotonic clock. The system may preempt some of the calibrations.
func TestCalibrationSoak(t *testing.T) {
	testenv.OnlySoak(t)
	least := int64(math.MaxInt64)
	for range 20 {
		c := New()
		slow := Clock{began: c.began}
		time.Sleep(50 * time.Millisecond)
		before := slow.Now()
		now := c.Now()
		least = min(least, max(before-now, now-slow.Now(), 0))
	}
	if least > int64(50*time.Microsecond) {
		t.Errorf("after 50 ms the counter differs by %d ns or more", least)
	}
}

// A Clock that is shifted by the pauses excludes them, however wrong its rate is.
func TestPauses(t *testing.T) {
	for _, c := range []Clock{New(), {began: time.Now()}} {
		c.rate *= 2
		var p Pauses
		shown := c
		first := c.Now()
		if !p.Begin(&c) || p.Begin(&c) || !p.On() {
			t.Error("a pause does not begin once")
		}
		from := c.Now()
		time.Sleep(20 * time.Millisecond)
		to := c.Now()
		if during := p.Total(); during < 20*time.Millisecond {
			t.Errorf("paused for %s after 20 ms", during)
		}
		p.End(&c)
		p.End(&c)
		total := p.Total()
		shown.Shift(p.Missed())
		last := shown.Now()
		if most := c.Now() - first - (to - from) + 1; last < first || last-first > most {
			t.Errorf("from %d ns to %d, at most %d later", first, last, most)
		}
		if p.On() || p.Total() != total || total < 20*time.Millisecond {
			t.Errorf("after a pause of 20 ms: paused for %s, then for %s", total, p.Total())
		}
	}
	var p Pauses
	p.Begin(nil)
	p.End(nil)
	if p.Missed() != 0 {
		t.Errorf("without a trace it missed %s", p.Missed())
	}
}

// A Meter reports the time in which its thread slept, each interval once, and nothing of the time in which it
// computed.
func TestMeter(t *testing.T) {
	m := NewMeter(2)
	if !m.Lock() {
		t.Skip("this system has no clock of processor time")
	}
	c := New()
	begin := c.Now()
	m.Start(begin)
	time.Sleep(20 * time.Millisecond)
	now := c.Now()
	lost := m.Lost(now-begin, now)
	least := int64(1)
	if testenv.Soak() { // the thread has slept for 20 ms, and hardly computed
		least = 15_000_000
	}
	if lost < least || lost > now-begin || !m.Running() || !m.Late(now-begin) || !m.Late(-1) || m.Late(1000) {
		t.Errorf("without a core for %d ns of %d", lost, now-begin)
	}
	later := c.Now()
	if again := m.Lost(later-begin, later); lost+again > later-begin {
		t.Errorf("without a core for %d ns, then %d more, in %d", lost, again, later-begin)
	}
	m.Unlock()
	m.Unlock()
	if m.Running() {
		t.Error("it measures after Unlock")
	}
	if many := NewMeter(mostOwn + 1); many.Lock() || many.Late(math.MaxInt64) {
		t.Error("one of too many PEs measures")
	}
}
