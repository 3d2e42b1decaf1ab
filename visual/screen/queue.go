//go:build window || js

package screen

import (
	"sync"

	"whorl/visual/app"
	"whorl/visual/ui"
	"whorl/visual/ui/gesture"
)

// A queue holds the user's events since the last step. It keeps only the last of several consecutive movements of the
// pointer or of a finger and adds up wheel turns at the same position, so that many steps do not follow a slow one.
type queue struct {
	mu     sync.Mutex
	events []app.Event
}

// most is the maximum number of events in a queue. Further events, for example of a stuck key, are dropped.
const most = 4096

func (q *queue) add(e app.Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n := len(q.events); n > 0 {
		last := &q.events[n-1]
		switch {
		case e.Kind == ui.Move && last.Kind == ui.Move:
			*last = e
			return
		case e.Kind == app.Finger && last.Kind == app.Finger && e.Finger == last.Finger && e.Finger.Phase == gesture.Move:
			*last = e
			return
		case e.Kind == ui.Wheel && last.Kind == ui.Wheel && e.Mods == last.Mods && e.X == last.X && e.Y == last.Y:
			last.DX += e.DX
			last.DY += e.DY
			return
		}
	}
	if len(q.events) < most {
		q.events = append(q.events, e)
	}
}

// drain returns all events and empties the queue.
func (q *queue) drain() []app.Event {
	q.mu.Lock()
	defer q.mu.Unlock()
	events := q.events
	q.events = nil
	return events
}
