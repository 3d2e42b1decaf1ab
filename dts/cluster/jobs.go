package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A Job is a call that the servers store until its result is stored: the root of a tree of forks. If its node dies,
// another node runs it again from the beginning.
type Job struct {
	ID       string `json:"id"` // equal ids denote the same job
	Function string `json:"function"`
	Arg      []byte `json:"arg"`
}

// A Result is the result of a job.
type Result struct {
	Job     string        `json:"job"`
	Node    string        `json:"node"`    // the node that ran it
	Attempt int           `json:"attempt"` // from 1
	Ran     time.Duration `json:"ran_ns"`
	Failure string        `json:"failure,omitempty"` // "" if the function returned
	Stack   string        `json:"stack,omitempty"`   // of a panic
	Value   []byte        `json:"value,omitempty"`
}

// Err returns the failure of the function, nil if it returned.
func (r *Result) Err() error {
	if r.Failure == "" {
		return nil
	}
	text := fmt.Sprintf("job %s failed on node %s: %s", r.Job, r.Node, r.Failure)
	if r.Stack != "" {
		text += "\n\n" + r.Stack
	}
	return errors.New(text)
}

func readResult(b []byte) (*Result, error) {
	r := new(Result)
	if err := json.Unmarshal(b, r); err != nil {
		return nil, fmt.Errorf("invalid stored result: %w", err)
	}
	return r, nil
}

// A LostError reports a job that the connection can no longer follow.
type LostError struct {
	Job  string
	Text string
}

func (e *LostError) Error() string { return fmt.Sprintf("job %s: %s", e.Job, e.Text) }

// CheckJob returns an error for a name that no job can have.
func CheckJob(name string) error {
	if name == "" || name != token(name) {
		return fmt.Errorf("invalid job name %q: expected letters, digits, - and _, at most %d", name, maxToken)
	}
	return nil
}

// Submit adds a job to the cluster's queue. Submitting a job that is queued or done is not an error.
func (c *Conn) Submit(ctx context.Context, j Job) error {
	if err := CheckJob(j.ID); err != nil {
		return err
	}
	if _, done, err := c.streams.stored(ctx, j.ID); done || err != nil {
		return err
	}
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	if most := c.nc.MaxPayload(); int64(len(data)) > most {
		return fmt.Errorf("job %s: the argument needs a message of %d bytes; the server allows %d", j.ID, len(data), most)
	}
	err = within(ctx, func(ctx context.Context) error {
		_, err := c.streams.js.Publish(ctx, c.streams.subjectJob(c.o.Version, j.ID), data)
		return err
	})
	if err != nil && !isThere(err) {
		return fmt.Errorf("job %s was not accepted: %w", j.ID, err)
	}
	return nil
}

// isThere reports whether a message was refused because its subject already has one.
func isThere(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && strings.Contains(api.Description, "maximum messages per subject")
}

// Wait waits for a job and returns its result. It returns a *LostError if no server answers for Options.Patience.
func (c *Conn) Wait(ctx context.Context, id string) (*Result, error) {
	patience := c.o.Patience
	arrived := make(chan *nats.Msg, 16) // a job that ran twice sends several
	sub, err := c.nc.ChanSubscribe(c.streams.subjectResult(id), arrived)
	if err != nil {
		return nil, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	heard := time.Now()
	for {
		var r *Result
		var ok bool
		err := nats.ErrDisconnected
		if c.nc.IsConnected() {
			bounded, cancel := context.WithTimeout(ctx, patience)
			r, ok, err = c.streams.stored(bounded, id)
			cancel()
		}
		switch {
		case ok || ctx.Err() != nil:
			return r, errors.Join(err, context.Cause(ctx))
		case err == nil:
			heard = time.Now()
		case time.Since(heard) > patience:
			return nil, &LostError{id, fmt.Sprintf("no server has answered for %s (%v). A server with a folder (--store) keeps its jobs: "+
				"restart it with this folder and ask for the same job (--job %s)", patience, err, id)}
		}
		select {
		case m := <-arrived:
			return readResult(m.Data)
		case <-time.After(time.Second): // the result may have been stored while the connection was lost
		case <-c.over.Done():
			return nil, context.Cause(c.over)
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// serveJobs runs jobs from the queue, one at a time, so that no job waits here while another runs.
func (n *Node) serveJobs(ctx context.Context) {
	pause := func() {
		select {
		case <-time.After(n.o.timing.beat):
		case <-ctx.Done():
		}
	}
	for ctx.Err() == nil {
		consumer, err := n.streams.consumer(ctx, n.o.Version, n.o.timing.lease)
		if err != nil {
			if ctx.Err() == nil && n.nc.IsConnected() {
				n.o.Log("cannot get jobs: %v", err)
			}
			pause()
			continue
		}
		for ctx.Err() == nil {
			m, err := next(ctx, consumer)
			if err == nil {
				n.serveJob(ctx, m)
			} else if !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, context.DeadlineExceeded) {
				pause()
				break // the consumer may be gone with a server that had no folder
			}
		}
	}
}

// next waits a while for a job.
func next(ctx context.Context, c jetstream.Consumer) (jetstream.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return c.Next(jetstream.FetchContext(ctx))
}

// serveJob runs a job, stores its result, and then acknowledges it.
func (n *Node) serveJob(ctx context.Context, m jetstream.Msg) {
	n.o.stage("job taken")
	var j Job
	if err := json.Unmarshal(m.Data(), &j); err != nil {
		n.o.Log("dropped an invalid job: %v", err)
		_ = m.Term()
		return
	}
	attempt, task := 1, uint64(0)
	if meta, err := m.Metadata(); err == nil {
		attempt, task = int(meta.NumDelivered), meta.Sequence.Stream
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	n.wait.Go(func() { n.renew(ctx, m) })
	n.runs(j.ID, m.Reply())
	defer n.runs("", "")
	if _, done, err := n.streams.stored(ctx, j.ID); err == nil && done {
		_ = m.DoubleAck(ctx)
		return
	}
	if attempt > 1 {
		n.o.Log("job %s runs again (attempt %d) after the loss of its node", j.ID, attempt)
	}
	r := n.runJob(ctx, &j, task, attempt)
	n.o.stage("job done")
	if r == nil || !n.store(ctx, r) {
		return // another node will run it
	}
	n.o.stage("job stored")
	if err := m.DoubleAck(ctx); err == nil {
		n.o.stage("job acknowledged")
	}
}

// runs tells the other nodes which job runs here, "" for none, and where it is acknowledged.
func (n *Node) runs(job, ack string) {
	n.mu.Lock()
	n.job, n.ack = job, ack
	n.mu.Unlock()
	n.sendBeat()
}

// giveUp returns the job of a lost node to the queue, so that no node has to wait for the end of its lease. The first
// of the other nodes does it.
func (n *Node) giveUp(lost *member, rest []member) {
	for _, m := range rest {
		if m.pes > 0 {
			if m.id == n.id && lost.job != "" {
				_ = n.nc.Publish(lost.job, []byte("-NAK")) // if it gets lost, the lease ends
			}
			return
		}
	}
}

// renew renews the lease of a job until ctx ends.
func (n *Node) renew(ctx context.Context, m jetstream.Msg) {
	every(ctx, n.o.timing.lease/4, func() bool {
		_ = m.InProgress() // if it is lost, another node runs the job too
		return true
	})
}

// store stores the result of a job unless it has one. It reports whether the job has a result.
func (n *Node) store(ctx context.Context, r *Result) bool {
	data, err := json.Marshal(r)
	if err != nil {
		return false
	}
	if most := n.nc.MaxPayload(); int64(len(data)) > most {
		r.Failure, r.Value = fmt.Sprintf("the result needs a message of %d bytes; the server allows %d", len(data), most), nil
		return n.store(ctx, r)
	}
	for ctx.Err() == nil {
		err := within(ctx, func(ctx context.Context) error {
			_, err := n.streams.js.Publish(ctx, n.streams.subjectResult(r.Job), data)
			return err
		})
		if err == nil || isThere(err) {
			return true
		}
		if ctx.Err() == nil {
			n.o.Log("the result of job %s is not stored yet: %v", r.Job, err)
		}
		select {
		case <-time.After(n.o.timing.beat):
		case <-ctx.Done():
		}
	}
	return false
}
