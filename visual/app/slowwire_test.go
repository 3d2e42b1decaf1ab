package app

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"whorl/visual/share"
)

// A slowWire is a wire that delays messages both ways by times within limits.
type slowWire struct {
	wire
	rand     *rand.Rand
	least    time.Duration
	more     time.Duration
	up, down []letter
}

type letter struct {
	due time.Duration
	b   []byte
}

// late returns when the next message of a queue arrives.
func (w *slowWire) late(queue []letter) time.Duration {
	due := w.room.now + w.least + time.Duration(w.rand.Int64N(int64(w.more)))
	if n := len(queue); n > 0 {
		due = max(due, queue[n-1].due)
	}
	return due
}

func (w *slowWire) Send(b []byte) { w.up = append(w.up, letter{w.late(w.up), b}) }

func (w *slowWire) Receive() (all [][]byte) {
	for len(w.up) > 0 && w.up[0].due <= w.room.now {
		w.wire.Send(w.up[0].b)
		w.up = w.up[1:]
	}
	for _, b := range w.wire.Receive() {
		w.down = append(w.down, letter{w.late(w.down), b})
	}
	for len(w.down) > 0 && w.down[0].due <= w.room.now {
		all = append(all, w.down[0].b)
		w.down = w.down[1:]
	}
	return all
}

// TestSessionClocks plays in three windows whose clocks differ and whose connections take 20 to 140 ms: all show the same time within 50 ms.
func TestSessionClocks(t *testing.T) {
	r := newClassroom(t, "fghc/nrev")
	r.still = true
	rand := rand.New(rand.NewPCG(1, 2))
	var windows []*driver
	for i, role := range []share.Role{share.Owner, share.Viewer, share.Viewer} {
		d := drive(t, Options{}, 900, 700, 1)
		d.in.Now += time.Duration(i) * 77 * time.Second
		least := time.Duration(20+25*i) * time.Millisecond
		d.app.Join(share.Access{
			Name: fmt.Sprint("p", i),
			Dial: func() share.Conn {
				return &slowWire{wire: wire{room: r, role: role}, rand: rand, least: least, more: 25 * time.Millisecond}
			},
			Trace: func(id string, _ int64) io.ReaderAt { return bytes.NewReader(r.files[id]) },
		})
		windows = append(windows, d)
	}
	step := func() {
		r.now += 10 * time.Millisecond
		for _, d := range windows {
			d.step()
		}
	}
	wait := func(what string, ok func() bool) {
		t.Helper()
		for end := time.Now().Add(enough); !ok(); step() {
			if time.Now().After(end) {
				t.Fatalf("%s does not come", what)
			}
			time.Sleep(50 * time.Microsecond)
		}
	}
	for _, d := range windows {
		wait("the trace", func() bool {
			return d.app.model.Docs.Get("nrev") != nil && d.app.model.Root != nil && d.paneOf("kaleidoscope").Picture() != nil
		})
	}
	for range 600 { // several measurements of the clock
		step()
	}
	windows[0].app.play()
	wait("the play", func() bool { return windows[1].app.player.On && windows[2].app.player.On })
	span, _ := windows[0].app.model.Clock.Span()
	_, to := windows[0].app.model.Clock.Span()
	worst := time.Duration(0)
	for range 300 {
		step()
		var least, most int64
		for i, d := range windows {
			u := d.app.model.State.Shared.Until
			if u == nil {
				t.Fatalf("window %d shows all", i)
			}
			if i == 0 {
				least, most = *u, *u
			}
			least, most = min(least, *u), max(most, *u)
		}
		worst = max(worst, time.Duration(float64(most-least)/float64(to-span)*float64(windows[0].app.model.Clock.Length())))
	}
	if worst > 50*time.Millisecond {
		t.Errorf("what plays differs by up to %v", worst)
	}
	t.Logf("what plays differs by at most %v", worst)
}
