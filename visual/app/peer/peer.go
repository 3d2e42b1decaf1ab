// Package peer connects the windows of one workspace. A pane that is detached into a window of its own is shown by another process, or by a pop-up of
// the page; the two exchange messages, so that both have the same selection, time and palette.
package peer

import (
	"encoding/json"
	"io"
	"sync"

	"whorl/visual/view"
)

// A Message goes from one window to another. It is sent as a line of JSON.
type Message struct {
	Workspace string        `json:"workspace,omitempty"` // to the other window: one more pane with its traces, as a workspace file
	Actions   []view.Action `json:"actions,omitempty"`   // changes of the shared state
	ID        int           `json:"id,omitempty"`        // of the pane of Workspace, Pane or Closed, in the main window
	Pane      *view.Pane    `json:"pane,omitempty"`      // a detached pane as it is now
	Closed    bool          `json:"closed,omitempty"`    // a detached pane was closed in its window, or is back in the main window
}

// A Link is a connection to another window. Its methods do not block.
type Link struct {
	c    io.ReadWriteCloser
	wake chan<- struct{} // gets a value when a message has arrived and when the link is closed; nil for none

	mu       sync.Mutex
	received []Message
	waiting  []Message     // to be sent
	more     chan struct{} // there is something to send, or the link is closed
	closed   bool
}

// New returns the link over a connection, which it closes. When a message has arrived, and when the link is closed, wake gets a value unless it is
// full or nil.
func New(c io.ReadWriteCloser, wake chan<- struct{}) *Link {
	l := &Link{c: c, wake: wake, more: make(chan struct{}, 1)}
	go l.read()
	go l.write()
	return l
}

// read receives messages until the connection ends.
func (l *Link) read() {
	in := json.NewDecoder(l.c)
	for {
		var m Message
		if in.Decode(&m) != nil {
			l.Close()
			return
		}
		l.mu.Lock()
		l.received = append(l.received, m)
		l.mu.Unlock()
		offer(l.wake)
	}
}

// write sends messages until the link is closed.
func (l *Link) write() {
	out := json.NewEncoder(l.c)
	for range l.more {
		l.mu.Lock()
		all, closed := l.waiting, l.closed
		l.waiting = nil
		l.mu.Unlock()
		for _, m := range all {
			if out.Encode(m) != nil {
				l.Close()
				break
			}
		}
		if closed {
			_ = l.c.Close() // the other end may be gone
			return
		}
	}
}

// Send sends a message. A closed link drops it.
func (l *Link) Send(m Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.waiting = append(l.waiting, m)
		offer(l.more)
	}
}

// offer sends a value unless the channel is full or nil.
func offer(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Receive returns the messages that have arrived since the last call.
func (l *Link) Receive() []Message {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.received
	l.received = nil
	return all
}

// Closed reports whether the link has ended at one of its ends and everything that has arrived was received.
func (l *Link) Closed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed && len(l.received) == 0
}

// Close ends the link when everything is sent.
func (l *Link) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	offer(l.more)
	offer(l.wake)
}
