package screen

import (
	"sync"

	"whorl/visual/app"
)

// A queue holds what the user has done since the last step. Only the last of several movements in a row is kept, and turns of the wheel
// at one place are added up: a slow step must not be followed by a hundred that catch up with the mouse.
type queue struct {
	mu     sync.Mutex
	events []app.Event
}

// most is how many events a queue holds; what a stuck key adds to those is dropped.
const most = 4096

func (q *queue) add(e app.Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n := len(q.events); n > 0 {
		last := &q.events[n-1]
		switch {
		case e.Kind == app.PointerMove && last.Kind == app.PointerMove:
			*last = e
			return
		case e.Kind == app.Wheel && last.Kind == app.Wheel && e.Mods == last.Mods && e.X == last.X && e.Y == last.Y:
			last.DX += e.DX
			last.DY += e.DY
			return
		}
	}
	if len(q.events) < most {
		q.events = append(q.events, e)
	}
}

// take returns all events and empties the queue.
func (q *queue) take() []app.Event {
	q.mu.Lock()
	defer q.mu.Unlock()
	events := q.events
	q.events = nil
	return events
}
