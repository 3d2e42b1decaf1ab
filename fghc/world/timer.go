package world

import (
	"io"
	"time"
)

// Timer returns a file whose input ends at a time on the World's clock.
func (w *World) Timer(due time.Duration) *File {
	f := w.reader("timer", alarm{w, due})
	f.In.Due = due
	return f
}

// An alarm is a reader that ends when its time comes. If time is virtual it ends at once, because a goal waits for it only when nothing else
// can run.
type alarm struct {
	world *World
	due   time.Duration
}

func (a alarm) Read([]byte) (int, error) {
	if wait := a.due - a.world.Clock(); wait > 0 && !a.world.Started.IsZero() {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-a.world.over:
		}
	}
	return 0, io.EOF
}
