package cluster

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/clocks"
	"whorl/tracer/derive/messages"
)

// Messages are sent before, while and after the log of messages is closed. Only the first has an id, and orphans, which
// nodes announce also after a run, have none. The receiver records messages by their ids, so no message arrives in the
// trace that never left.
func TestMailEnds(t *testing.T) {
	rec := tracer.NewMemory()
	c := dial(t, Options{Server: startServer(t, Host{})})
	n := &Node{Conn: c, messages: newMessageLog(rec, 1, func() int64 { return 0 })}
	sub := must.Get(c.nc.SubscribeSync(subjectNode(c.o.Cluster, "other")))(t)
	next := func(want bool) {
		t.Helper()
		m := must.Get(sub.NextMsg(30 * time.Second))(t)
		got := must.Get(readMessage(m.Data))(t)
		if (got.serial != 0) != want || got.from != "me" {
			t.Errorf("%+v", got)
		}
	}
	m := &message{kind: msgUnknown, from: "me", ids: make([]callID, 1)}
	send := func() {
		t.Helper()
		must.Do(t, n.send("other", m))
	}
	send()
	next(true)
	must.Do(t, n.send("other", &message{kind: msgOrphans, from: "me", ids: make([]callID, 1)}))
	next(false)
	n.messages.number(m)
	n.messages.close()
	if m.serial == 0 || n.messages.sent(m, 1, 0) {
		t.Errorf("message %d is in a closed log", m.serial)
	}
	send()
	next(false)
	must.Do(t, rec.Close())
	if got := rec.Counts()[tracer.Send]; got != 1 {
		t.Errorf("%d messages are in the trace", got)
	}
}

// The trace has every message of three nodes, as it left and as it arrived. The messages yield the offsets of two
// nodes' clocks.
func TestTraceOfMessages(t *testing.T) {
	s := startServer(t, Host{})
	c := dial(t, Options{Server: s, timing: haste})
	skews := []time.Duration{0, 3 * time.Second, -1500 * time.Millisecond}
	var nodes []*process
	for i, d := range skews {
		nodes = append(nodes, startNode(t, s.URL(), fmt.Sprint("n", i), "TEST_HASTE=1", EnvNodeTrace+"=1", "TEST_SKEW="+d.String()))
	}
	awaitNodes(t, c, 3)
	if got, err := Do(soon(t), c, "", fibFunc, fibArg{12, 3 * time.Millisecond}); err != nil || got != fibonacci(12) {
		t.Fatalf("fib(12) = %d, %v", got, err)
	}
	stopped(t, nodes...)
	m := collected(t, c)
	meta := m.Meta()
	of := func(pe int32) string { return meta.PEInfo[pe].Process }
	sent, came, bytes := map[string]int{}, map[string]int{}, map[uint64]int64{}
	far, moved := map[uint64]bool{}, map[uint64]bool{} // threads whose call was sent, and threads started on another node
	forked := map[uint64]int32{}
	read := func(kinds tracer.KindSet, f func(e *tracer.Event)) {
		t.Helper()
		must.Do(t, m.Scan(kinds, func(es []tracer.Event) error {
			for i := range es {
				f(&es[i])
			}
			return nil
		}))
	}
	read(tracer.Kinds(tracer.Fork, tracer.Send), func(e *tracer.Event) {
		if e.Kind == tracer.Fork {
			forked[e.Task] = e.PE
			return
		}
		class := m.Dict().Code(e.Code).Name
		sent[class]++
		if bytes[e.Ref] != 0 || e.Value < 20 || e.Ref == 0 {
			t.Errorf("message %d of %d bytes was sent with %d before", e.Ref, e.Value, bytes[e.Ref])
		}
		bytes[e.Ref] = e.Value
		if class == "call" {
			far[e.Task] = true
		}
	})
	read(tracer.Kinds(tracer.Start, tracer.Recv), func(e *tracer.Event) {
		if e.Kind == tracer.Start {
			if from, ok := forked[e.Task]; ok && of(from) != of(e.PE) {
				moved[e.Task] = true
			}
			return
		}
		class := m.Dict().Code(e.Code).Name
		came[class]++
		if bytes[e.Ref] != e.Value || of(e.PE) == of(e.Peer) {
			t.Errorf("message %d of %d bytes from PE %d to %d arrived with %d bytes", e.Ref, bytes[e.Ref], e.Peer, e.PE, e.Value)
		}
	})
	// On a busy machine a call may be sent twice, a result asked for again, and a message to a leaving node lost.
	for class, n := range came {
		if n > sent[class] {
			t.Errorf("%d of %d messages %s arrived", n, sent[class], class)
		}
	}
	if len(moved) == 0 || came["call"] < len(moved) || came["result"] < len(moved) || sent["call"] < len(far) {
		t.Errorf("%d threads were sent, %d started elsewhere; messages %v sent, %v received", len(far), len(moved), sent, came)
	}
	for task := range moved {
		if !far[task] {
			t.Errorf("thread %d started elsewhere but was not sent", task)
		}
	}

	aligned := must.Get(clocks.Aligned(m))(t)
	mail := must.Get(messages.Grow(aligned, nil, nil))(t)
	if mail.Moves || mail.Lost > 0 || len(mail.All) != len(bytes) {
		t.Errorf("%d of %d messages, %d lost", len(mail.All), len(bytes), mail.Lost)
	}
	took := 0
	for _, msg := range mail.All {
		if msg.Received >= 0 && of(msg.From) == of(msg.To) {
			t.Errorf("%+v", msg)
		}
		if msg.Received > msg.Sent {
			took++
		}
	}
	if took < len(mail.All)/2 {
		t.Errorf("%d of %d messages took some time", took, len(mail.All))
	}
	// The clock of the first node counts. The others are reported with their set offsets.
	told := map[int]string{}
	for i, n := range nodes {
		for _, kv := range aligned.Meta().Extra {
			if strings.HasPrefix(kv.Key, clocks.Key) && strings.HasSuffix(kv.Key, " "+n.name) {
				told[i] = kv.Value
			}
		}
	}
	right := 0
	for told[right] != "" && right < len(nodes)-1 {
		right++
	}
	if len(told) != len(nodes)-1 {
		t.Fatalf("the trace reports clocks %v", told)
	}
	for i, text := range told {
		var offset, bound int64
		var drift float64
		if _, err := fmt.Sscanf(text, "%d ns and %f ppm, to within %d ns", &offset, &drift, &bound); err != nil {
			t.Errorf("the clock of %s: %q", nodes[i].name, text)
			continue
		}
		want := int64(skews[right] - skews[i])
		if off := offset - want; max(off, -off) > bound+int64(time.Millisecond) { // the start of a node is not known to the last ns
			t.Errorf("the clock of %s is corrected by %d ns within %d; want %d", nodes[i].name, offset, bound, want)
		}
	}
}
