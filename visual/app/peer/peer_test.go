package peer

import (
	"fmt"
	"net"
	"testing"
	"time"

	"whorl/visual/view"
)

// TestLink sends messages both ways before the other end has read any, and ends at both ends when one closes; what was sent before still arrives.
func TestLink(t *testing.T) {
	here, there := net.Pipe()
	a, b := New(here, nil), New(there, nil)
	const n = 100
	for i := range n {
		a.Send(Message{Actions: []view.Action{{Do: view.SetSpeed, Index: i}}})
		b.Send(Message{Workspace: fmt.Sprint(i)})
	}
	receive := func(l *Link, check func(i int, m Message) bool) {
		t.Helper()
		i := 0
		for end := time.Now().Add(time.Minute); i < n && time.Now().Before(end); time.Sleep(time.Millisecond) {
			for _, m := range l.Receive() {
				if !check(i, m) {
					t.Fatalf("message %d is %+v", i, m)
				}
				i++
			}
		}
		if i < n {
			t.Fatalf("%d messages arrive, want %d", i, n)
		}
	}
	receive(b, func(i int, m Message) bool { return len(m.Actions) == 1 && m.Actions[0].Index == i })
	receive(a, func(i int, m Message) bool { return m.Workspace == fmt.Sprint(i) })
	a.Send(Message{Pane: &view.Pane{View: "last"}})
	a.Close()
	a.Send(Message{Workspace: "too late"})
	var last []Message
	for end := time.Now().Add(time.Minute); !b.Closed() && time.Now().Before(end); time.Sleep(time.Millisecond) {
		last = append(last, b.Receive()...)
	}
	if len(last) != 1 || last[0].Pane == nil || last[0].Pane.View != "last" || !b.Closed() || !a.Closed() {
		t.Errorf("at the end %+v arrives; the ends are closed: %v, %v", last, a.Closed(), b.Closed())
	}
}

// TestWake waits for messages, and for the end, without looking at the link meanwhile.
func TestWake(t *testing.T) {
	here, there := net.Pipe()
	wake := make(chan struct{}, 1)
	a, b := New(here, nil), New(there, wake)
	for i := range 3 {
		a.Send(Message{Workspace: fmt.Sprint(i)})
		<-wake
		if all := b.Receive(); len(all) != 1 || all[0].Workspace != fmt.Sprint(i) {
			t.Errorf("message %d is %+v", i, all)
		}
	}
	a.Close()
	<-wake
	if !b.Closed() {
		t.Error("the link wakes for nothing")
	}
}
