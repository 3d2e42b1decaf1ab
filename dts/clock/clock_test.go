package clock

import (
	"math"
	"testing"
	"time"
)

// A Clock shows the time since New, by the counter as by the monotonic clock.
func TestClock(t *testing.T) {
	begin := time.Now()
	c := New()
	if c.Began().Before(begin) {
		t.Errorf("it began %s before New", begin.Sub(c.Began()))
	}
	slow := Clock{began: c.began}
	if slow.Counts() {
		t.Error("a Clock without a rate counts")
	}
	before := slow.Now()
	now := c.Now()
	if c.Counts() {
		now = c.Counted()
	}
	time.Sleep(5 * time.Millisecond)
	after := slow.Now()
	const wrong = int64(time.Millisecond) // of the calibration, if the system preempts it
	if now < before-wrong || now > after+wrong || c.Now() < now {
		t.Errorf("%d ns, by the monotonic clock %d to %d", now, before, after)
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
	if lost < 15_000_000 || lost > now-begin || !m.Running() || !m.Late(now-begin) || !m.Late(-1) || m.Late(1000) {
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
