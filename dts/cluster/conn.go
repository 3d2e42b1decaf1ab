package cluster

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A Conn is a connection to a cluster, of a node or of someone who only gives it jobs.
type Conn struct {
	o       *Options
	id      string
	nc      *nats.Conn
	streams *streams
	members *members

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
	Load    int    `json:"load"`
}

// left stands behind the id of a node that tells itself that it goes.
const left = " left"

// Dial connects to a cluster, without becoming a node of it.
func Dial(ctx context.Context, o Options) (*Conn, error) {
	checked, err := o.checked()
	if err != nil {
		return nil, err
	}
	c, err := open(ctx, checked, &beat{})
	if err != nil {
		return nil, err
	}
	return c, c.listen(nil)
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
	c.members = newMembers(member{id: id, name: memberName(id), host: self.Host, pes: self.PEs}, o.timing.silence)
	return c, nil
}

// listen has the members kept up to date, and calls tick at each beat.
func (c *Conn) listen(tick func()) error {
	ctx, stop := context.WithCancel(context.Background())
	c.stop = stop
	_, err := c.nc.Subscribe(subjectBeat(c.o.Cluster), func(m *nats.Msg) {
		var b beat
		if json.Unmarshal(m.Data, &b) == nil && b.ID != "" && b.ID != c.id && b.Version == c.o.Version {
			c.members.heard(member{id: b.ID, name: memberName(b.ID), host: b.Host, pes: b.PEs, load: b.Load})
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
				if tick != nil {
					tick()
				}
			}
		}
	})
	return nil
}

// Version is that of the program which the nodes run, "" where there is no node.
func (c *Conn) Version(ctx context.Context) (version string, err error) {
	err = within(ctx, func(ctx context.Context) error {
		e, err := c.streams.nodes.Get(ctx, keyVersion)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			return nil
		}
		if err == nil {
			version = string(e.Value())
		}
		return err
	})
	return version, err
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

// Close ends the connection. Jobs that were given to the cluster go on.
func (c *Conn) Close() {
	if c.stop != nil {
		c.stop()
	}
	c.wait.Wait()
	c.nc.Close()
}
