package cluster

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// A Conn is the connection of a node, or of a process that submits jobs, to a cluster.
type Conn struct {
	o       *Options
	id      string
	nc      *nats.Conn
	streams *streams
	members *members

	over context.Context         // ends when the connection has to end
	end  context.CancelCauseFunc // ends over, with the cause
	stop context.CancelFunc
	wait sync.WaitGroup
}

// A NodeInfo describes a node of the cluster.
type NodeInfo struct {
	Name string
	Host string
	PEs  int
	Load int // calls at hand, as last reported
}

// A beat is the regular message of a node about itself. The servers' key-value store keeps a copy.
type beat struct {
	ID      string `json:"id"`
	Host    string `json:"host"`
	Version string `json:"version"`
	PEs     int    `json:"pes"`
	Number  uint64 `json:"number"`
	Load    int    `json:"load"`
	Job     string `json:"job,omitempty"`   // subject of the acknowledgement of its running job
	Still   bool   `json:"still,omitempty"` // it may be at a standstill
}

// left follows the id of a node that announces its own end.
const left = " left"

// Dial connects to a cluster to submit jobs for nodes that run this program. It returns a *RefusedError if the
// cluster runs another program. While the connection is open, nodes of another program are refused.
func Dial(ctx context.Context, o Options) (*Conn, error) {
	checked, err := o.checked()
	if err != nil {
		return nil, err
	}
	c, err := open(ctx, checked, &beat{})
	if err != nil {
		return nil, err
	}
	if err := within(ctx, c.agree); err != nil {
		c.Close()
		return nil, err
	}
	if err := c.listen(func() {}, func(context.Context) {}); err != nil {
		c.Close()
		return nil, err
	}
	if err := c.logRefused(); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// open connects as self, or as a client if self has no ID.
func open(ctx context.Context, o *Options, self *beat) (*Conn, error) {
	id := self.ID
	if id == "" {
		id = nodeID(o.Name, rand.Text()[:8])
	}
	nc, js, err := connect(o, id)
	if err != nil {
		return nil, err
	}
	s, err := openStreams(ctx, js, o.Cluster, o.timing.lease)
	if err != nil {
		nc.Close()
		return nil, err
	}
	c := &Conn{o: o, id: id, nc: nc, streams: s}
	c.over, c.end = context.WithCancelCause(context.Background())
	c.members = newMembers(member{id: id, name: memberName(id), host: self.Host, pes: self.PEs}, o.timing.silence)
	return c, nil
}

// listen keeps the members up to date. It calls tick at each beat, and renew at every fourth to refresh what the
// servers store.
func (c *Conn) listen(tick func(), renew func(context.Context)) error {
	ctx, stop := context.WithCancel(context.Background())
	c.stop = stop
	_, err := c.nc.Subscribe(subjectBeat(c.o.Cluster), func(m *nats.Msg) {
		var b beat
		if json.Unmarshal(m.Data, &b) == nil && b.ID != "" && b.ID != c.id && b.Version == c.o.Version {
			c.members.heard(member{id: b.ID, name: memberName(b.ID), host: b.Host, pes: b.PEs, load: b.Load, number: b.Number, job: b.Job, still: b.Still})
		}
	})
	if err != nil {
		return err
	}
	if _, err = c.nc.Subscribe(subjectGone(c.o.Cluster), func(m *nats.Msg) {
		c.members.died(strings.CutSuffix(string(m.Data), left))
	}); err != nil {
		return err
	}
	c.wait.Go(func() {
		every(ctx, c.o.timing.beat, func() bool { c.members.expire(); tick(); return true })
	})
	c.wait.Go(func() { // a slow server must not delay the beats
		every(ctx, 4*c.o.timing.beat, func() bool {
			bounded, cancel := context.WithTimeout(ctx, c.o.timing.lease)
			defer cancel()
			c.renew(bounded)
			renew(bounded)
			return true
		})
	})
	return nil
}

// every calls f at intervals until it returns false or ctx is done.
func every(ctx context.Context, interval time.Duration, f func() (more bool)) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for more := true; more; {
		select {
		case <-ticker.C:
			more = f()
		case <-ctx.Done():
			return
		}
	}
}

// Nodes returns the living nodes, ordered by name.
func (c *Conn) Nodes() []NodeInfo {
	var out []NodeInfo
	for _, m := range c.members.list() {
		if m.pes > 0 {
			out = append(out, NodeInfo{m.name, m.host, m.pes, m.load + m.sent})
		}
	}
	return out
}

// Dismiss announces the end of the cluster to the nodes and waits until they have left or ctx is over. The process
// with the server calls it before it closes the server. Unfinished work is lost.
func (c *Conn) Dismiss(ctx context.Context) error {
	if err := c.nc.Publish(subjectOver(c.o.Cluster), []byte(c.id)); err != nil {
		return err
	}
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		left := c.members.list()
		if !slices.ContainsFunc(left, func(m member) bool { return m.id != c.id }) {
			return nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// dismissal bounds the wait for dismissed nodes.
const dismissal = 5 * time.Second

// Close closes the connection. Submitted jobs go on.
func (c *Conn) Close() {
	c.end(context.Canceled)
	if c.stop != nil {
		c.stop()
	}
	c.wait.Wait()
	c.nc.Close()
}
