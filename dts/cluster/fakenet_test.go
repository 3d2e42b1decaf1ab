package cluster

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"whorl/dts"
)

// A fakeNet carries messages between nodes of one process, with delays and losses.
type fakeNet struct {
	delay time.Duration
	drop  func(from, to string, kind uint8) bool
	late  func(from, to string, kind uint8) time.Duration // further delay, nil for none

	mu    sync.Mutex
	last  map[[2]string]time.Time // arrival of the last message from a node to another
	nodes map[string]*fakeNode
	sent  map[uint8]int
}

// A fakeNode has the protocols of a node and an engine with given running times.
type fakeNode struct {
	id     string
	net    *fakeNet
	group  *members
	caller *caller
	callee *callee
	detect *detector
	post   *post
	works  func(k *call) (time.Duration, result)
	stop   context.CancelFunc
	ctx    context.Context

	answers atomic.Bool             // the node waits for an answer, so that it looks for deadlocks
	found   chan *dts.DeadlockError // the deadlocks that it finds

	rounds int

	mu       sync.Mutex
	ran      []callID
	progress uint64
	running  int
	stuck    int // calls of the function stuck, which never end
	waits    int // waits of the main thread for other nodes
}

// Idle and Standstill make the node the host of its detector.
func (f *fakeNode) Idle() (progress uint64, idle bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.progress, f.running == 0
}

func (f *fakeNode) Standstill() (dts.Standstill, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := dts.Standstill{Total: f.stuck + f.waits, Calls: f.waits}
	for range s.Total {
		s.Waits = append(s.Waits, dts.Wait{Place: "x.go:1"})
	}
	return s, f.running == 0
}

// step changes what the node runs and waits for.
func (f *fakeNode) step(running, stuck, waits int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.progress++
	f.running, f.stuck, f.waits = f.running+running, f.stuck+stuck, f.waits+waits
}

func (n *fakeNet) add(id string, pes int) *fakeNode {
	f := &fakeNode{id: id, net: n, found: make(chan *dts.DeadlockError, 100)}
	f.ctx, f.stop = context.WithCancel(context.Background())
	f.group = newMembers(member{id: id, name: id, pes: pes}, defaultTiming.silence)
	p, err := findPolicy("")
	if err != nil {
		panic(err)
	}
	f.post = &post{net: f}
	f.caller = newCaller(id, f.post, f.group, newPlacer(p, 1), defaultTiming)
	f.callee = newCallee(id, f.post, defaultTiming)
	f.detect = newDetector(id, f.post, f.group, defaultTiming, f)
	f.detect.calls, f.detect.runs, f.detect.waits = f.caller.calledOn, f.callee.running, f.answers.Load
	f.detect.found = func(all *dts.DeadlockError, _ bool) { f.found <- all }
	f.works = func(k *call) (time.Duration, result) {
		return 10 * time.Millisecond, result{value: slices.Clone(k.arg)}
	}
	f.callee.run = f.work
	f.group.joined = func(string) { f.caller.recount() }
	f.group.lost = func(m member, _ bool) { f.caller.lost(m.id); f.callee.lost(m.id, f.group.list()) }
	n.mu.Lock()
	if n.nodes == nil {
		n.nodes, n.sent, n.last = map[string]*fakeNode{}, map[uint8]int{}, map[[2]string]time.Time{}
	}
	n.nodes[id] = f
	n.mu.Unlock()
	go f.every(defaultTiming.accepts, f.callee.tick)
	go f.every(defaultTiming.beat, func() {
		f.group.expire()
		f.caller.tick()
		f.detect.tick()
		still := f.detect.still()
		n.mu.Lock()
		defer n.mu.Unlock()
		for _, other := range n.nodes {
			if other != f && !n.dropped(f.id, other.id, 0) {
				go func() {
					time.Sleep(n.delay)
					other.group.heard(member{id: f.id, name: f.id, pes: pes, load: f.callee.load(), still: still})
				}()
			}
		}
	})
	return f
}

// lose sets which messages are lost. The net calls f with mu held.
func (n *fakeNet) lose(f func(from, to string, kind uint8) bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.drop = f
}

func (n *fakeNet) dropped(from, to string, kind uint8) bool {
	return n.drop != nil && n.drop(from, to, kind)
}

func (f *fakeNode) every(d time.Duration, do func()) {
	t := time.NewTicker(d)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			do()
		case <-f.ctx.Done():
			return
		}
	}
}

// work takes some time and ends with the node.
func (f *fakeNode) work(k *call, done func(result)) {
	f.mu.Lock()
	f.ran = append(f.ran, k.id)
	f.mu.Unlock()
	if k.function == "stuck" {
		f.step(0, 1, 0)
		return
	}
	f.step(1, 0, 0)
	d, r := f.works(k)
	go func() {
		select {
		case <-time.After(d):
			r.ran = int64(d)
			done(r)
			f.step(-1, 0, 0)
		case <-f.ctx.Done():
		}
	}()
}

// count returns the number of calls that ran on the node.
func (f *fakeNode) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.ran)
}

// kill ends a node without a message.
func (f *fakeNode) kill() {
	f.stop()
	f.net.mu.Lock()
	delete(f.net.nodes, f.id)
	f.net.mu.Unlock()
}

func (f *fakeNode) send(to string, m *message) error {
	b := m.append(nil)
	f.net.mu.Lock()
	defer f.net.mu.Unlock()
	f.net.sent[m.kind]++
	if f.ctx.Err() != nil || f.net.dropped(f.id, to, m.kind) {
		return nil
	}
	arrival := time.Now().Add(f.net.delay)
	if f.net.late != nil {
		arrival = arrival.Add(f.net.late(f.id, to, m.kind))
	}
	pair := [2]string{f.id, to}
	if last := f.net.last[pair]; !arrival.After(last) { // messages of a node arrive in order
		arrival = last.Add(time.Nanosecond)
	}
	f.net.last[pair] = arrival
	go func() {
		time.Sleep(time.Until(arrival))
		f.net.mu.Lock()
		n := f.net.nodes[to]
		f.net.mu.Unlock()
		if n == nil {
			return
		}
		m, err := readMessage(b)
		if err != nil {
			panic(err)
		}
		n.group.loaded(m.from, m.load)
		dispatch(m, n.caller, n.callee, n.detect)
	}()
	return nil
}

// forkAll forks calls numbered below n and returns their results and the times until they arrived.
func (f *fakeNode) forkAll(t *testing.T, n int) (values []uint64, took []time.Duration) {
	t.Helper()
	values, took = make([]uint64, n), make([]time.Duration, n)
	began := time.Now()
	f.rounds++
	var wait sync.WaitGroup
	for i := range n {
		arg := binary.BigEndian.AppendUint64(nil, uint64(i))
		k := call{id: rootID(fmt.Sprint(f.rounds, " ", i)), function: "echo", arg: arg}
		wait.Add(1)
		got := false
		done := func(r result) {
			if got {
				t.Errorf("call %d is done twice", i)
			}
			got = true
			if len(r.value) == 8 {
				values[i] = binary.BigEndian.Uint64(r.value) + 1
			}
			took[i] = time.Since(began)
			wait.Done()
		}
		if !f.caller.hasRoom() || !f.caller.fork(k, "", false, done, func(int) { f.work(&k, done) }) {
			f.work(&k, done)
		}
	}
	wait.Wait()
	return values, took
}

// inCluster runs a test with nodes a, b and c that know each other.
func inCluster(t *testing.T, f func(t *testing.T, net *fakeNet, a, b, c *fakeNode)) {
	synctest.Test(t, func(t *testing.T) {
		net := &fakeNet{delay: time.Millisecond}
		a, b, c := net.add("a", 4), net.add("b", 4), net.add("c", 4)
		time.Sleep(2*defaultTiming.beat + time.Millisecond)
		f(t, net, a, b, c)
		a.caller.mu.Lock()
		left := len(a.caller.calls)
		a.caller.mu.Unlock()
		if left > 0 {
			t.Errorf("%d calls are outstanding at the end", left)
		}
		for _, n := range []*fakeNode{a, b, c} {
			n.kill()
		}
		time.Sleep(time.Second) // messages on their way are lost
	})
}

func allRight(t *testing.T, values []uint64) {
	t.Helper()
	for i, v := range values {
		if v != uint64(i)+1 {
			t.Errorf("call %d returned %d", i, v)
		}
	}
}
