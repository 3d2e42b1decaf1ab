package cluster

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"whorl/tracer"
)

// A Node is a process that carries out calls and jobs of a cluster.
type Node struct {
	*Conn
	caller *caller
	callee *callee
	engine engine
	failed chan error // why it cannot go on
}

// An engine carries calls out: one that another node sent, or the root of a job.
type engine interface {
	// start has the call run, and calls done once, with its result.
	start(k *call, done func(result))
}

// A RefusedError says why a node may not join.
type RefusedError struct{ Text string }

func (e *RefusedError) Error() string { return e.Text }

// join makes this process a node. From now on it gets calls; jobs, from serve on.
func join(ctx context.Context, o Options, e engine) (*Node, error) {
	checked, err := o.checked()
	if err != nil {
		return nil, err
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	self := beat{ID: nodeID(checked.Name, rand.Text()[:8]), Host: host, Version: checked.Version, PEs: max(1, checked.PEs)}
	c, err := open(ctx, checked, &self)
	if err != nil {
		return nil, err
	}
	n := &Node{Conn: c, engine: e, failed: make(chan error, 1)}
	if err := n.enter(ctx, &self); err != nil {
		c.Close()
		return nil, err
	}
	chosen, err := findPolicy(checked.Policy)
	if err != nil {
		return nil, err
	}
	n.caller = newCaller(n.id, n, c.members, newPlacer(chosen, uint64(time.Now().UnixNano())), checked.timing)
	n.caller.bound = checked.Bound
	n.caller.local = func(p *pending) {
		n.engine.start(&p.call, func(r result) { n.caller.ranHere(p, r) })
	}
	n.callee = newCallee(n.id, n, checked.timing)
	n.callee.run = e.start
	c.members.lost = func(id string) {
		c.o.Log("node %s is gone", memberName(id))
		n.caller.lost(id)
		n.callee.lost(id, n.members.list())
	}
	c.members.came = func(id string) { n.say(&self) }
	sub, err := c.nc.Subscribe(subjectNode(c.o.Cluster, n.id), n.received)
	if err != nil {
		c.Close()
		return nil, err
	}
	// A node that is slow to read must not lose messages of those that fit into its memory; what is lost all the same is asked for.
	if err := sub.SetPendingLimits(-1, 512<<20); err != nil {
		c.Close()
		return nil, err
	}
	ticks := 0
	err = c.listen(func() {
		n.say(&self)
		n.caller.tick()
		if ticks++; ticks%4 == 0 {
			n.renewEntry(&self)
		}
	})
	if err != nil {
		c.Close()
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	old := c.stop
	c.stop = func() { stop(); old() }
	c.wait.Go(func() { n.accept(ctx) })
	n.say(&self)
	return n, nil
}

// accept has calls accepted that are not done at once.
func (n *Node) accept(ctx context.Context) {
	ticker := time.NewTicker(n.o.timing.accepts)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			n.callee.tick()
		case <-ctx.Done():
			return
		}
	}
}

// The keys of what the servers keep of nodes.
const keyVersion = "version"

func keyNode(name string) string { return "node." + name }

// enter compares this program with that of the nodes there are, and takes the name.
func (n *Node) enter(ctx context.Context, self *beat) error {
	data, err := json.Marshal(self)
	if err != nil {
		return err
	}
	return within(ctx, func(ctx context.Context) error {
		if err := n.sameVersion(ctx); err != nil {
			return err
		}
		_, err := n.streams.nodes.Create(ctx, keyNode(n.o.Name), data)
		if errors.Is(err, jetstream.ErrKeyExists) {
			return &RefusedError{fmt.Sprintf("there is a node called %s in the cluster; one that has just ended is forgotten after %s", n.o.Name, 2*n.o.timing.lease)}
		}
		return err
	})
}

// sameVersion sees that the nodes run this program. The first one says what it is; what it says is forgotten when no node is left.
func (n *Node) sameVersion(ctx context.Context) error {
	for {
		e, err := n.streams.nodes.Get(ctx, keyVersion)
		switch {
		case errors.Is(err, jetstream.ErrKeyNotFound):
			_, err = n.streams.nodes.Create(ctx, keyVersion, []byte(n.o.Version))
			if errors.Is(err, jetstream.ErrKeyExists) {
				continue
			}
			return err
		case err != nil:
			return err
		case string(e.Value()) != n.o.Version:
			return &RefusedError{fmt.Sprintf("this program is of version %s, and the nodes of the cluster run version %s: start the same program everywhere", n.o.Version, e.Value())}
		}
		_, err = n.streams.nodes.Update(ctx, keyVersion, e.Value(), e.Revision())
		if err != nil && isWrongRevision(err) {
			continue // another node has renewed it
		}
		return err
	}
}

func isWrongRevision(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence
}

// renewEntry keeps what the servers know of this node from being forgotten.
func (n *Node) renewEntry(self *beat) {
	ctx, cancel := context.WithTimeout(context.Background(), n.o.timing.lease)
	defer cancel()
	var refused *RefusedError
	if err := n.sameVersion(ctx); errors.As(err, &refused) {
		select {
		case n.failed <- err: // it was cut off for so long that others have taken its place
		default:
		}
		return
	}
	if data, err := json.Marshal(self); err == nil {
		_, _ = n.streams.nodes.Put(ctx, keyNode(n.o.Name), data) // the next time, if not now
	}
}

// say tells the others that this node is there.
func (n *Node) say(self *beat) {
	b := *self
	b.Load = n.callee.load()
	if data, err := json.Marshal(&b); err == nil {
		_ = n.nc.Publish(subjectBeat(n.o.Cluster), data) // the next one may arrive
	}
}

// received handles what other nodes send.
func (n *Node) received(m *nats.Msg) {
	msg, err := readMessage(m.Data)
	if err != nil {
		n.o.Log("dropped: %v", err)
		return
	}
	n.members.loaded(msg.from, msg.load)
	switch msg.kind {
	case msgAccept, msgUnknown, msgResult, msgOrphans:
		n.caller.received(msg)
	default:
		n.callee.received(msg)
	}
}

// send publishes a message. A result that is too long becomes a failure that says so.
func (n *Node) send(to string, m *message) error {
	b := m.append(make([]byte, 0, 128+len(m.arg)+len(m.value)))
	if most := int(n.nc.MaxPayload()); len(b) > most {
		if m.kind != msgResult || m.value == nil {
			return fmt.Errorf("a message of %d bytes, and the server carries %d", len(b), most)
		}
		m.failure, m.value = fmt.Sprintf("its result makes a message of %d bytes, and the server carries %d", len(b), most), nil
		return n.send(to, m)
	}
	return n.nc.Publish(subjectNode(n.o.Cluster, to), b)
}

// rootID is the id of the call that a job begins with.
func rootID(job string) callID {
	sum := sha256.Sum256([]byte("job " + job))
	return callID(sum[:len(callID{})])
}

// runJob carries a job out, nil where ctx is over before.
func (n *Node) runJob(ctx context.Context, j *Job, attempt int) *Result {
	k := call{id: rootID(j.ID), attempt: attempt, from: tracer.None, function: j.Function, arg: j.Arg}
	done := make(chan result, 1)
	began := time.Now()
	n.engine.start(&k, func(r result) { done <- r })
	select {
	case r := <-done:
		return &Result{Job: j.ID, Node: n.o.Name, Attempt: attempt, Ran: time.Since(began), Failure: r.failure, Stack: r.stack, Value: r.value}
	case <-ctx.Done():
		return nil
	}
}

// serve takes jobs until ctx is over or the node may not stay.
func (n *Node) serve(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	n.wait.Go(func() {
		select {
		case err := <-n.failed:
			cancel(err)
		case <-ctx.Done():
		}
	})
	n.serveJobs(ctx)
	var refused *RefusedError
	if err := context.Cause(ctx); errors.As(err, &refused) {
		return err
	}
	return nil
}

// Leave ends the node in good order: what others have sent is sent elsewhere by them.
func (n *Node) Leave() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = n.streams.nodes.Delete(ctx, keyNode(n.o.Name)) // else it is forgotten after a while
	_ = n.nc.Publish(subjectGone(n.o.Cluster), []byte(n.id))
	_ = n.nc.FlushWithContext(ctx)
	n.Close()
}
