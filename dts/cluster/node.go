package cluster

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"whorl/dts"
	"whorl/sim/live"
	"whorl/tracer"
)

// A Node is a process that runs calls and jobs of a cluster.
type Node struct {
	*Conn
	host     *dts.Host
	caller   *caller
	callee   *callee
	detector *detector
	self     beat
	trace    *traceLog   // nil if the node does not record
	messages *messageLog // nil if the node does not record

	mu   sync.Mutex
	job  string // id of the running job
	ack  string // subject of its acknowledgement
	main bool   // it has the main thread of dts.Run
}

// firstTask is the first id of threads of a node in traces, firstPE the number of its first PE. Ids below
// firstTask(1) belong to jobs.
func firstTask(number uint64) uint64 { return number << 40 }

func firstPE(number uint64) int { return int(number % (1 << 31 / live.MaxWorkers) * live.MaxWorkers) }

// Join makes this process a node, which runs calls of other nodes from now on, and jobs during Serve. The caller has
// to call Leave.
func Join(ctx context.Context, o Options) (*Node, error) {
	checked, err := o.checked()
	if err != nil {
		return nil, err
	}
	name, err := os.Hostname()
	if err != nil {
		name = "unknown"
	}
	n := &Node{self: beat{ID: nodeID(checked.Name, rand.Text()[:8]), Host: name, Version: checked.Version}}
	if n.Conn, err = open(ctx, checked, &n.self); err != nil {
		return nil, err
	}
	if err := n.join(ctx); err != nil {
		n.quit(ctx)
		return nil, err
	}
	return n, nil
}

func (n *Node) join(ctx context.Context) error {
	if err := n.enter(ctx); err != nil {
		return err
	}
	number, err := n.streams.number(ctx)
	if err != nil {
		return err
	}
	local := n.o.Local
	local.Remote, local.FirstTask, local.FirstPE = n, firstTask(number), firstPE(number)
	if n.o.Trace {
		h := logHeader{Node: n.id, Host: n.self.Host, Number: number, Started: time.Now()}
		n.trace = newTraceLog(n.streams.js, n.streams.subjectLog(n.id), h, n.o.Log)
		local.Recorder = n.trace
	}
	if n.host, err = dts.NewHost(n.over, local); err != nil {
		return err
	}
	context.AfterFunc(n.host.Context(), func() { n.end(context.Cause(n.host.Context())) }) // at a limit
	n.self.PEs = n.host.PEs()
	if n.trace != nil {
		n.trace.header.PEs = n.self.PEs
		n.trace.header.Started = began(n.host.Now).Add(n.o.skew)
		n.messages = newMessageLog(n.trace, number, n.host.Now)
	}
	n.self.Number = number
	n.members.heard(member{id: n.id, name: n.o.Name, host: n.self.Host, pes: n.self.PEs, number: number})

	chosen, err := findPolicy(n.o.Policy)
	if err != nil {
		return err
	}
	p := &post{net: n}
	n.detector = newDetector(n.id, p, n.members, n.o.timing, n.host)
	n.caller = newCaller(n.id, p, n.members, newPlacer(chosen, number), n.o.timing)
	n.caller.bound = n.o.Bound
	n.callee = newCallee(n.id, p, n.o.timing)
	n.detector.calls, n.detector.runs, n.detector.found = n.caller.calledOn, n.callee.running, n.stuck
	n.detector.waits = func() bool {
		n.mu.Lock()
		defer n.mu.Unlock()
		return n.job != "" || n.main
	}
	n.callee.run = func(k *call, done func(result)) {
		n.o.stage("call taken")
		n.start(k, func(r result) {
			n.o.stage("call done")
			done(r)
			n.o.stage("result sent")
		})
	}
	n.callee.load = func() int {
		waiting, _ := n.host.Load()
		return n.callee.atHand() + waiting
	}
	n.members.lost = func(m member, left bool) {
		if !left {
			n.o.Log("lost node %s", m.name)
		}
		rest := n.members.list()
		n.giveUp(&m, rest)
		n.caller.lost(m.id)
		n.callee.lost(m.id, rest)
	}
	n.members.joined = func(string) {
		n.caller.recount()
		n.sendBeat()
	}
	sub, err := n.nc.Subscribe(subjectNode(n.o.Cluster, n.id), n.received)
	if err != nil {
		return err
	}
	// A slow node loses no messages that fit into its memory. Senders ask again for lost ones.
	if err := sub.SetPendingLimits(-1, 512<<20); err != nil {
		return err
	}
	err = n.listen(func() {
		n.sendBeat()
		n.caller.tick()
		n.detector.tick()
		n.connected()
	}, n.renewEntry)
	if err != nil {
		return err
	}
	if _, err = n.nc.Subscribe(subjectOver(n.o.Cluster), func(m *nats.Msg) {
		if string(m.Data) != n.id {
			n.end(errDismissed)
		}
	}); err != nil {
		return err
	}
	if n.o.Server != nil { // no other process reports refused nodes
		if err := n.logRefused(); err != nil {
			return err
		}
	}
	n.wait.Go(n.accept)
	if n.trace != nil {
		n.wait.Go(func() { n.trace.ship(n.over) })
	}
	n.sendBeat()
	return nil
}

// began returns the time at which a clock was zero. It takes the fastest of several readings.
func began(now func() int64) (at time.Time) {
	closest := time.Hour
	for range 10 {
		before := time.Now()
		t := now()
		if d := time.Since(before); d < closest {
			closest, at = d, before.Add(d/2-time.Duration(t))
		}
	}
	return at
}

// accept regularly accepts unfinished calls.
func (n *Node) accept() {
	every(n.over, n.o.timing.accepts, func() bool { n.callee.tick(); return true })
}

// keyNode returns the key of a node's entry in the key-value store.
func keyNode(name string) string { return "node." + name }

// enter compares this program with the cluster's and reserves the name of the node.
func (n *Node) enter(ctx context.Context) error {
	data, err := json.Marshal(&n.self)
	if err != nil {
		return err
	}
	return within(ctx, func(ctx context.Context) error {
		if err := n.agree(ctx); err != nil {
			return err
		}
		_, err := n.streams.nodes.Create(ctx, keyNode(n.o.Name), data)
		if errors.Is(err, jetstream.ErrKeyExists) {
			if e, err := n.streams.nodes.Get(ctx, keyNode(n.o.Name)); err == nil && bytes.Equal(e.Value(), data) {
				return nil // created by an earlier attempt whose answer was lost
			}
			return &RefusedError{fmt.Sprintf("the cluster already has a node named %s; the name of a node that ended is free after %s", n.o.Name, 2*n.o.timing.lease)}
		}
		return err
	})
}

// renewEntry keeps the entry of this node from expiring.
func (n *Node) renewEntry(ctx context.Context) {
	if data, err := json.Marshal(&n.self); err == nil {
		_, _ = n.streams.nodes.Put(ctx, keyNode(n.o.Name), data) // the next renewal repeats it
	}
}

// connected ends the node after Patience without a server.
func (n *Node) connected() {
	if n.nc.IsConnected() {
		n.members.loaded(n.id, 0)
		return
	}
	if silent := n.members.silent(n.id); silent > n.o.Patience {
		n.mu.Lock()
		job := n.job
		n.mu.Unlock()
		text := fmt.Sprintf("no server has answered for %s", n.o.Patience)
		if job != "" {
			text += fmt.Sprintf("; job %s ran here: another node runs it again once the server is back, or restart the server with its folder (--store) and ask for the job (--job %s)", job, job)
		}
		n.end(errors.New(text))
	}
}

// sendBeat announces this node to the others.
func (n *Node) sendBeat() {
	b := n.self
	b.Load, b.Still = n.callee.load(), n.detector.still()
	n.mu.Lock()
	b.Job = n.ack
	n.mu.Unlock()
	if data, err := json.Marshal(&b); err == nil {
		_ = n.nc.Publish(subjectBeat(n.o.Cluster), data) // the next beat makes up for a lost one
	}
}

// stuck reports that all threads of all nodes wait. If they wait for each other, a run of dts.Run ends. A job has its
// result by then: each thread is joined once, so the chain of joins that begins with the root ends in no circle.
func (n *Node) stuck(all *dts.DeadlockError, blocked bool) {
	n.mu.Lock()
	main := n.main
	n.mu.Unlock()
	if blocked {
		n.o.Log("no thread has run for %s, and all wait; nodes do not share variables, channels and locks; Ctrl-C ends the run%s", n.o.timing.still, all.List())
	} else if main {
		n.end(all)
	}
}

// received handles a message from another node.
func (n *Node) received(m *nats.Msg) {
	msg, err := readMessage(m.Data)
	if err != nil {
		n.o.Log("dropped a message: %v", err)
		return
	}
	n.arrived(msg, len(m.Data))
	n.members.loaded(msg.from, msg.load)
	dispatch(msg, n.caller, n.callee, n.detector)
}

// dispatch hands a message to the part of a node that it concerns.
func dispatch(m *message, caller *caller, callee *callee, detector *detector) {
	switch m.kind {
	case msgAccept, msgUnknown, msgResult, msgOrphans:
		caller.received(m)
	case msgProbe, msgFlush, msgState:
		detector.received(m)
	default:
		callee.received(m)
	}
}

// arrived records the arrival of a message.
func (n *Node) arrived(m *message, bytes int) {
	if n.messages == nil {
		return
	}
	task, pe := uint64(0), tracer.None
	switch m.kind {
	case msgCall:
		task, pe = m.call.task, n.host.Next()
	case msgResult:
		task, pe = n.caller.thread(m.result.id)
	}
	n.messages.received(m, bytes, task, pe)
}

// send publishes a message. It replaces a result that is too long by a failure.
func (n *Node) send(to string, m *message) error {
	n.messages.number(m)
	b := m.append(make([]byte, 0, 128+len(m.arg)+len(m.value)))
	if most := int(n.nc.MaxPayload()); len(b) > most {
		if m.kind != msgResult || m.value == nil {
			return fmt.Errorf("message of %d bytes; the server allows %d", len(b), most)
		}
		m.failure, m.value = fmt.Sprintf("the result needs a message of %d bytes; the server allows %d", len(b), most), nil
		return n.send(to, m)
	}
	if !n.messages.sent(m, len(b), n.members.firstPE(to)) {
		return n.send(to, m) // again, as a message that neither end records
	}
	return n.nc.Publish(subjectNode(n.o.Cluster, to), b)
}

// Name returns the name of the node.
func (n *Node) Name() string { return n.o.Name }

// errDismissed is the cause of the end of a dismissed node.
var errDismissed = errors.New("the cluster is over: there will be no more jobs")

// Serve runs jobs until ctx ends or the cluster is over (Dismiss). If the node has to end for another reason, Serve
// returns it.
func (n *Node) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(n.over, cancel)
	defer stop()
	_ = within(ctx, func(ctx context.Context) error { n.logWaiting(ctx); return nil })
	n.serveJobs(ctx)
	cause := context.Cause(n.over)
	if errors.Is(cause, errDismissed) {
		n.o.Log("%v", cause)
		return nil
	}
	return cause
}

// Leave ends the node in good order. Other nodes repeat its unfinished work.
func (n *Node) Leave() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	n.quit(ctx)
}

// quit undoes those steps of Join that have been made.
func (n *Node) quit(ctx context.Context) {
	if n.host != nil {
		n.end(context.Canceled)
		_ = n.host.Close() // other nodes repeat its unfinished work
	}
	if n.stop != nil {
		n.stop()
	}
	n.wait.Wait()
	n.messages.close()
	if n.trace != nil {
		if err := n.trace.finish(ctx); err != nil {
			n.o.Log("the trace of this node: %v", err)
		}
	}
	if n.callee != nil && n.nc.IsConnected() {
		_ = n.streams.nodes.Delete(ctx, keyNode(n.o.Name)) // else the entry expires
		_ = n.nc.Publish(subjectGone(n.o.Cluster), []byte(n.id+left))
		_ = n.nc.FlushWithContext(ctx)
	}
	n.nc.Close()
}
