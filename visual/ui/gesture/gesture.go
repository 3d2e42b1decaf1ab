// Package gesture recognises what fingers do on a touch screen: taps, holds, drags, and two fingers that move and zoom. A Machine knows no
// widgets and no clock: it gets the fingers and the time, and returns gestures. Positions are in points.
package gesture

import (
	"math"
	"slices"
	"time"
)

// Phase is the phase of a touch: whether the finger went down, moved or left.
type Phase uint8

// The phases.
const (
	Down   Phase = iota // the finger touches the screen
	Move                // it has moved
	Up                  // it has left the screen
	Cancel              // the system has taken it away
)

// A Touch is one event of a finger.
type Touch struct {
	ID    int // of the finger, while it is down
	Phase Phase
	X, Y  float64
}

// Kind is the kind of a Gesture.
type Kind uint8

// The kinds of gestures. A drag is a DragStart, any number of Drags and a DragEnd; two fingers are a PinchStart, any number of Pinches and a
// PinchEnd. The two never overlap.
const (
	Tap        Kind = iota // a finger went down and up at X, Y
	Hold                   // a finger rests at X, Y
	HoldEnd                // the finger of a Hold went up without having moved
	DragStart              // a finger that went down at FromX, FromY moves
	Drag                   // it has moved by DX, DY to X, Y
	DragEnd                // it went up with the velocity DX, DY, in points per second
	PinchStart             // two fingers are down, with their middle at X, Y
	Pinch                  // the middle has moved by DX, DY to X, Y, and the distance of the fingers has grown by the factor Zoom
	PinchEnd               // one of the two went up
	Release                // a gesture of one finger was cancelled: the end of a Hold or of a drag
)

// A Gesture is one thing that fingers have done.
type Gesture struct {
	Kind         Kind
	X, Y         float64
	FromX, FromY float64 // where the drag began
	DX, DY       float64
	Zoom         float64 // of a Pinch
	Held         bool    // of a drag: a Hold came before it
	Brief        bool    // of a HoldEnd: the finger left in time for a tap, but Tick was called before that was known
}

// Distances are in points.
const (
	slack      = 8  // a finger that moves further drags
	tapSlack   = 28 // two taps within this distance are a double tap
	leastApart = 24 // fingers that are closer count as this far apart, so that the factor of a pinch is bounded
	holdTime   = 500 * time.Millisecond
	doubleTime = 350 * time.Millisecond
	recent     = 100 * time.Millisecond // the velocity of a drag is that of its last part of this length
)

// state is the state of a Machine.
type state uint8

const (
	idle     state = iota
	pressed        // one finger is down and has not moved
	held           // it has rested for holdTime
	dragging       // it has moved
	pinching       // two fingers are down
	resting        // a finger of a pinch is still down: it may drag, and is no tap
)

// A Machine recognises gestures. The zero Machine is ready for use.
type Machine struct {
	state   state
	fingers []finger // in the order of their going down
	since   time.Duration
	tail    []sample // of the drag
	held    bool     // the drag began with a Hold
	midX    float64  // of the pinch
	midY    float64
	apart   float64
	tap     sample // the last tap
	tapped  bool
}

type finger struct {
	id           int
	x, y         float64
	fromX, fromY float64
}

type sample struct {
	time time.Duration
	x, y float64
}

// Down returns the number of fingers on the screen.
func (m *Machine) Down() int { return len(m.fingers) }

// Next returns when Tick has something to do, false for never.
func (m *Machine) Next() (time.Duration, bool) { return m.since + holdTime, m.state == pressed }

// Tick returns the Hold of a finger that has rested long enough.
func (m *Machine) Tick(now time.Duration) []Gesture {
	if at, waits := m.Next(); !waits || now < at {
		return nil
	}
	m.state = held
	return []Gesture{{Kind: Hold, X: m.fingers[0].x, Y: m.fingers[0].y}}
}

// Touch handles one event of a finger.
func (m *Machine) Touch(now time.Duration, t Touch) []Gesture {
	i := slices.IndexFunc(m.fingers, func(f finger) bool { return f.id == t.ID })
	switch {
	case !(math.Abs(t.X) < 1e6 && math.Abs(t.Y) < 1e6): // of a broken device
		return nil
	case t.Phase == Down && i < 0:
		return append(m.Tick(now), m.down(now, finger{t.ID, t.X, t.Y, t.X, t.Y})...)
	case i < 0 || t.Phase == Down:
		return nil
	}
	gestures := m.Tick(now)
	f := &m.fingers[i]
	switch t.Phase {
	case Move:
		dx, dy := t.X-f.x, t.Y-f.y
		f.x, f.y = t.X, t.Y
		return append(gestures, m.move(now, i, dx, dy)...)
	case Up:
		f.x, f.y = t.X, t.Y
	}
	gone := *f
	m.fingers = slices.Delete(m.fingers, i, i+1)
	return append(gestures, m.up(now, i, gone, t.Phase == Cancel)...)
}

// down handles a finger that touches the screen.
func (m *Machine) down(now time.Duration, f finger) (gestures []Gesture) {
	m.fingers = append(m.fingers, f)
	switch len(m.fingers) {
	case 1:
		m.state, m.since, m.held = pressed, now, false
	case 2:
		first := m.fingers[0]
		if m.state == dragging || m.state == held {
			gestures = []Gesture{{Kind: Release, X: first.x, Y: first.y, FromX: first.fromX, FromY: first.fromY, Held: m.held || m.state == held}}
		}
		m.state, m.tapped = pinching, false
		m.grip()
		gestures = append(gestures, Gesture{Kind: PinchStart, X: m.midX, Y: m.midY})
	}
	return gestures
}

// grip records the middle and the distance of the first two fingers.
func (m *Machine) grip() {
	a, b := m.fingers[0], m.fingers[1]
	m.midX, m.midY = (a.x+b.x)/2, (a.y+b.y)/2
	m.apart = max(math.Hypot(a.x-b.x, a.y-b.y), leastApart)
}

// move handles a finger that has moved by dx, dy.
func (m *Machine) move(now time.Duration, i int, dx, dy float64) (gestures []Gesture) {
	f := m.fingers[i]
	switch m.state {
	case pressed, held, resting:
		if math.Hypot(f.x-f.fromX, f.y-f.fromY) <= slack {
			return nil
		}
		m.held = m.state == held
		m.state, m.tail, m.tapped = dragging, m.tail[:0], false
		gestures = []Gesture{{Kind: DragStart, X: f.x, Y: f.y, FromX: f.fromX, FromY: f.fromY, Held: m.held}}
		dx, dy = f.x-f.fromX, f.y-f.fromY
		fallthrough
	case dragging:
		m.tail = append(m.tail, sample{now, f.x, f.y})
		m.tail = slices.DeleteFunc(m.tail, func(s sample) bool { return now-s.time > recent })
		return append(gestures, Gesture{Kind: Drag, X: f.x, Y: f.y, FromX: f.fromX, FromY: f.fromY, DX: dx, DY: dy, Held: m.held})
	case pinching:
		if i > 1 {
			return nil
		}
		x, y, apart := m.midX, m.midY, m.apart
		m.grip()
		return []Gesture{{Kind: Pinch, X: m.midX, Y: m.midY, DX: m.midX - x, DY: m.midY - y, Zoom: m.apart / apart}}
	}
	return nil
}

// up handles the finger i, which has left the screen.
func (m *Machine) up(now time.Duration, i int, f finger, cancelled bool) []Gesture {
	was := m.state
	switch {
	case was == pinching && len(m.fingers) >= 2: // another finger takes the place of the one that is gone
		m.grip()
		return nil
	case was == pinching:
		m.state = resting
		left := &m.fingers[0]
		left.fromX, left.fromY = left.x, left.y
		return []Gesture{{Kind: PinchEnd, X: m.midX, Y: m.midY}}
	}
	m.state = idle
	end := Gesture{X: f.x, Y: f.y, FromX: f.fromX, FromY: f.fromY, Held: m.held || was == held}
	switch {
	case cancelled && (was == dragging || was == held):
		end.Kind = Release
	case was == dragging:
		end.Kind = DragEnd
		end.DX, end.DY = m.velocity(now, f)
	case was == held:
		end.Kind, end.Brief = HoldEnd, now-m.since < holdTime
	case was == pressed && !cancelled:
		return m.tapAt(now, f)
	default:
		return nil
	}
	return []Gesture{end}
}

// tapAt returns the gesture of a finger that went up at once. The second of two taps has the place of the first, so that it is a double click there.
func (m *Machine) tapAt(now time.Duration, f finger) []Gesture {
	tap := sample{now, f.x, f.y}
	if second := m.tapped && now-m.tap.time <= doubleTime && math.Hypot(f.x-m.tap.x, f.y-m.tap.y) <= tapSlack; second {
		tap.x, tap.y = m.tap.x, m.tap.y
	}
	m.tap, m.tapped = tap, true
	return []Gesture{{Kind: Tap, X: tap.x, Y: tap.y}}
}

// velocity returns the velocity of the end of a drag, in points per second. A finger that rested before it went up has none.
func (m *Machine) velocity(now time.Duration, f finger) (dx, dy float64) {
	for _, s := range m.tail {
		if past := now - s.time; past > 0 && past <= recent {
			return (f.x - s.x) / past.Seconds(), (f.y - s.y) / past.Seconds()
		}
	}
	return 0, 0
}
