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

// A Conn is a connection to a cluster, of a node or of someone who only gives it jobs.
type Conn struct {
	o       *Options
	id      string
	nc      *nats.Conn
	streams *streams
	members *members

	over context.Context         // ends when this may not go on
	end  context.CancelCauseFunc // and why
	stop context.CancelFunc
	wait sync.WaitGroup
}

// A NodeInfo tells of a node of the cluster.
type NodeInfo struct {
	Name string
	Host string
	PEs  int
	Load int // calls at hand, as it last said
}

// A beat is what nodes say of themselves again and again, and keep in the servers' key-value store.
type beat struct {
	ID      string `json:"id"`
	Host    string `json:"host"`
	Version string `json:"version"`
	PEs     int    `json:"pes"`
	Number  uint64 `json:"number"`
	Load    int    `json:"load"`
}

// left stands behind the id of a node that tells itself that it goes.
const left = " left"

// Dial connects to a cluster as someone who has jobs for nodes that run this program. A cluster that runs another one is a *RefusedError, and as
// long as this is connected nodes of another one are refused.
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
	if err := c.tellRefused(); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// open connects. Self is this node, or nobody.
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

// listen has the members kept up to date, and calls tick at each beat and, beside that, renew when what the servers know is to be told again.
func (c *Conn) listen(tick func(), renew func(context.Context)) error {
	ctx, stop := context.WithCancel(context.Background())
	c.stop = stop
	_, err := c.nc.Subscribe(subjectBeat(c.o.Cluster), func(m *nats.Msg) {
		var b beat
		if json.Unmarshal(m.Data, &b) == nil && b.ID != "" && b.ID != c.id && b.Version == c.o.Version {
			c.members.heard(member{id: b.ID, name: memberName(b.ID), host: b.Host, pes: b.PEs, load: b.Load, number: b.Number})
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
		ticker := time.NewTicker(c.o.timing.beat)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				c.members.expire()
				tick()
			}
		}
	})
	c.wait.Go(func() { // a server that is slow to answer does not keep the beats back
		ticker := time.NewTicker(4 * c.o.timing.beat)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				bounded, cancel := context.WithTimeout(ctx, c.o.timing.lease)
				c.renew(bounded)
				renew(bounded)
				cancel()
			}
		}
	})
	return nil
}

// Nodes are the nodes that are alive, by name.
func (c *Conn) Nodes() []NodeInfo {
	var out []NodeInfo
	for _, m := range c.members.list() {
		if m.pes > 0 {
			out = append(out, NodeInfo{m.name, m.host, m.pes, m.load + m.sent})
		}
	}
	return out
}

// Dismiss tells the nodes that the cluster is over, and waits until they have left, or ctx is over. It is for who has the server and is about to
// close it: what a node was at is not done.
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

// dismissal is how long nodes are waited for that have been told to leave.
const dismissal = 5 * time.Second

// Close ends the connection. Jobs that were given to the cluster go on.
func (c *Conn) Close() {
	c.end(context.Canceled)
	if c.stop != nil {
		c.stop()
	}
	c.wait.Wait()
	c.nc.Close()
}
