package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"whorl/dts"
	"whorl/tracer"
)

// Accept implements dts.Remote: it sends a forked thread to another node if that is worthwhile.
func (n *Node) Accept(c *dts.Call) bool {
	if c.Host == "" && !n.caller.hasRoom() {
		return false // the usual case
	}
	if n.caller.tooSmall(fromID(c.ID), c.Host, c.Takes) {
		return false
	}
	arg := c.Encode()
	if len(arg)+1024 > int(n.nc.MaxPayload()) {
		return false
	}
	k := call{id: fromID(c.ID), task: c.Task, from: c.From, function: c.Name, arg: arg}
	done := func(r result) {
		n.o.stage("result received")
		reply := dts.Reply{Result: r.value, PE: r.pe}
		if r.failure != "" {
			reply.Panic = &dts.PanicError{Thread: c.Name, Value: errors.New(r.failure), Stack: []byte(r.stack)}
		}
		c.Done(reply)
	}
	back := func(attempt int) {
		c.Attempt = attempt
		c.Return()
	}
	sent := n.caller.fork(k, c.Host, c.Takes > 0, done, back)
	if sent {
		n.o.stage("fork sent")
	}
	return sent
}

// start runs a call on this node.
func (n *Node) start(k *call, done func(result)) {
	r := dts.Request{ID: toID(k.id), Task: k.task, Name: k.function, Arg: k.arg, From: k.from, Attempt: k.attempt}
	err := n.host.Do(r, func(reply dts.Reply) {
		if n.host.Context().Err() != nil {
			return // it may have been cut short
		}
		out := result{pe: reply.PE, ran: int64(reply.Ran), value: reply.Result}
		if p := reply.Panic; p != nil {
			out.failure, out.stack, out.value = fmt.Sprint(p.Value), string(p.Stack), nil
			if p.Thread != k.function && p.Thread != "" {
				out.failure = fmt.Sprintf("%s (in thread %s, on node %s)", out.failure, p.Thread, n.o.Name)
			}
		}
		done(out)
	})
	if err != nil && n.host.Context().Err() == nil {
		done(result{pe: tracer.None, failure: err.Error()})
	}
}

// runJob runs a job. It returns nil if ctx ends first.
func (n *Node) runJob(ctx context.Context, j *Job, task uint64, attempt int) *Result {
	k := call{id: rootID(j.ID), task: task, attempt: attempt, from: tracer.None, function: j.Function, arg: j.Arg}
	done := make(chan result, 1)
	began := time.Now()
	n.start(&k, func(r result) { done <- r })
	select {
	case r := <-done:
		return &Result{Job: j.ID, Node: n.o.Name, Attempt: attempt, Ran: time.Since(began), Failure: r.failure, Stack: r.stack, Value: r.value}
	case <-ctx.Done():
		return nil
	}
}

// rootID returns the id of a job's root call.
func rootID(job string) callID {
	sum := sha256.Sum256([]byte("job " + job))
	return callID(sum[:len(callID{})])
}

func fromID(id dts.ID) (c callID) {
	binary.BigEndian.PutUint64(c[:], id[0])
	binary.BigEndian.PutUint64(c[8:], id[1])
	return c
}

func toID(c callID) dts.ID {
	return dts.ID{binary.BigEndian.Uint64(c[:]), binary.BigEndian.Uint64(c[8:])}
}
