package cluster

import (
	"cmp"
	"crypto/rand"
	"slices"
	"strings"
	"sync"
	"time"

	"whorl/dts"
	"whorl/dts/codec"
)

// A detector finds out that all threads of all nodes wait. The node that waits for an answer asks for a consistent cut
// of the cluster (K. M. Chandy, L. Lamport, "Distributed Snapshots", 1985): each node at a standstill sends a flush to
// every other one and reports its state when it has the flushes of all, provided that none of its threads ran
// meanwhile. Messages of one node to another arrive in their order, so at the time of the last flush no call, result or
// question was on its way, and no thread ran. Lost messages and dead nodes leave the cut incomplete. If every call is
// running at the node that its parent knows, no timer lets a thread run either. Threads that wait for threads then wait
// forever. Of threads that wait for a channel or a lock this is not known, because a timer may wake them.
type detector struct {
	self  string
	post  *post
	group *members
	time  timing
	host  standing
	calls func() (sent map[callID]string, accepted bool)
	runs  func() []callID
	waits func() bool                                // whether a job or a main thread of this node has not ended
	found func(all *dts.DeadlockError, blocked bool) // blocked: some threads wait for something other than a thread

	mu       sync.Mutex
	progress uint64    // at the last beat
	since    time.Time // when progress changed last
	asked    time.Time // when this node asked for a cut
	cuts     map[callID]*cut
	last     []uint64  // progress of all nodes in the last cut with blocked threads
	first    time.Time // when this progress was seen first
	reported bool      // found was called for it
}

// standing is the part of dts.Host that tells whether threads run.
type standing interface {
	Idle() (progress uint64, idle bool)
	Standstill() (dts.Standstill, bool)
}

// A cut is a consistent state of the cluster, as far as a node has heard of it.
type cut struct {
	began    time.Time
	owner    string   // the node that asked for it, "" as long as only flushes of others have arrived
	nodes    []string // ids, in order
	progress uint64   // of this node before its flushes
	flushed  map[string]bool
	states   map[string]*nodeState // at the owner
}

// A nodeState is the state of a node in a cut. Its fields are exported because they travel.
type nodeState struct {
	Calls    map[callID]string // nodes of the calls that it has sent
	Runs     []callID          // calls that run here
	Progress uint64
	dts.Standstill
}

// keepCuts is how long cuts stay incomplete.
const keepCuts = 10 * time.Second

func newDetector(self string, p *post, group *members, t timing, host standing) *detector {
	return &detector{self: self, post: p, group: group, time: t, host: host, cuts: map[callID]*cut{}}
}

// now returns the progress of the threads and messages of this node.
func (d *detector) now() uint64 {
	n, _ := d.host.Idle()
	return n + d.post.starts.Load()
}

// still reports, for the beat of this node, whether it may be at a standstill.
func (d *detector) still() bool {
	_, idle := d.host.Idle()
	now := d.now()
	d.mu.Lock()
	defer d.mu.Unlock()
	if now != d.progress || d.since.IsZero() {
		d.progress, d.since = now, time.Now()
	}
	for id, c := range d.cuts {
		if time.Since(c.began) > keepCuts {
			delete(d.cuts, id)
		}
	}
	return idle || time.Since(d.since) >= d.time.still
}

// tick asks for a cut if all nodes may be at a standstill and this node waits for an answer.
func (d *detector) tick() {
	if !d.waits() || !d.still() {
		return
	}
	var nodes []string
	for _, m := range d.group.list() {
		if m.id != d.self && m.pes > 0 && !m.still {
			return
		}
		if m.id == d.self || m.pes > 0 {
			nodes = append(nodes, m.id)
		}
	}
	d.mu.Lock()
	if time.Since(d.asked) < d.time.ask {
		d.mu.Unlock()
		return
	}
	d.asked = time.Now()
	var id callID
	rand.Read(id[:])
	d.cuts[id] = d.newCut()
	d.cuts[id].states = map[string]*nodeState{}
	d.mu.Unlock()
	for _, to := range nodes {
		probe := &message{kind: msgProbe, from: d.self, ids: []callID{id}, text: []byte(strings.Join(nodes, " "))}
		if to == d.self {
			d.received(probe)
		} else {
			_ = d.post.send(to, probe)
		}
	}
}

func (d *detector) newCut() *cut { return &cut{began: time.Now(), flushed: map[string]bool{}} }

// received handles a message about a cut.
func (d *detector) received(m *message) {
	d.mu.Lock()
	defer d.mu.Unlock()
	id := m.ids[0]
	c := d.cuts[id]
	if c == nil {
		c = d.newCut()
		d.cuts[id] = c
	}
	switch m.kind {
	case msgProbe:
		d.join(id, c, m)
	case msgFlush:
		c.flushed[m.from] = true
	case msgState:
		if s := new(nodeState); codec.Decode(m.text, s) == nil {
			d.collect(id, c, m.from, s)
		}
		return
	}
	if c.owner != "" && len(c.flushed) == len(c.nodes)-1 {
		d.report(id, c)
	}
}

// join sends the flushes of this node; d.mu is held.
func (d *detector) join(id callID, c *cut, m *message) {
	if _, ok := d.host.Standstill(); ok {
		c.owner, c.nodes = m.from, strings.Fields(string(m.text))
		c.progress = d.post.flush(message{kind: msgFlush, from: d.self, ids: []callID{id}}, d.self, c.nodes, d.now)
	}
}

// report sends the state of this node to the owner of a cut; d.mu is held.
func (d *detector) report(id callID, c *cut) {
	if c.owner != d.self {
		delete(d.cuts, id)
	}
	calls, accepted := d.calls()
	s := nodeState{Calls: calls, Runs: d.runs()}
	var ok bool
	if s.Standstill, ok = d.host.Standstill(); !ok || !accepted || s.Standstill.Calls != len(calls) || d.now() != c.progress {
		return
	}
	s.Progress = c.progress
	if c.owner == d.self {
		d.collect(id, c, d.self, &s)
	} else if text, err := codec.Encode(&s); err == nil {
		_ = d.post.send(c.owner, &message{kind: msgState, from: d.self, ids: []callID{id}, text: text})
	}
}

// collect keeps the state of a node for a cut that this node has asked for, and judges a complete cut; d.mu is held.
func (d *detector) collect(id callID, c *cut, node string, s *nodeState) {
	if c.states == nil {
		return
	}
	c.states[node] = s
	if len(c.states) == len(c.nodes) {
		delete(d.cuts, id)
		d.judge(c)
	}
}

// judge evaluates a complete cut; d.mu is held.
func (d *detector) judge(c *cut) {
	all := &dts.DeadlockError{}
	blocked := false
	var progress []uint64
	for _, name := range c.nodes {
		s := c.states[name]
		if s == nil {
			return
		}
		for id, to := range s.Calls {
			if at := c.states[to]; at == nil || !slices.Contains(at.Runs, id) {
				return
			}
		}
		for _, w := range s.Waits {
			w.Host = memberName(name)
			all.Waiting = append(all.Waiting, w)
		}
		all.Total += s.Total
		blocked = blocked || s.Blocked
		progress = append(progress, s.Progress)
	}
	slices.SortStableFunc(all.Waiting, func(a, b dts.Wait) int { return cmp.Compare(b.For, a.For) }) // the causes first
	switch {
	case all.Total == 0:
	case !blocked:
		d.found(all, false)
	case !slices.Equal(progress, d.last):
		d.last, d.first, d.reported = progress, time.Now(), false
	case !d.reported && time.Since(d.first) >= d.time.still:
		d.reported = true
		d.found(all, true)
	}
}
