package cluster

import (
	"slices"
	"strings"
	"sync"
	"time"

	"whorl/tracer"
)

// A member is a node as seen by the others. Its id consists of its name and a random part, so a node that returns
// after a crash is another member.
type member struct {
	id   string
	name string
	host string
	pes  int
	// number is the node's number in the cluster. It determines the numbers of its PEs.
	number uint64
	job    string // where its running job is acknowledged, "" for none
	still  bool   // it may be at a standstill
	load   int    // calls at hand, as last reported
	sent   int    // calls sent there since the last report
	seen   time.Time
}

// members are the living nodes, including this one. A node that is silent for a while counts as dead until its next
// message. Taking a living node for dead only costs duplicate work.
type members struct {
	self    string
	silence time.Duration             // after which a node counts as dead
	lost    func(m member, left bool) // left: it announced its end
	joined  func(id string)

	mu   sync.Mutex
	all  []*member       // living nodes, ordered by id
	left map[string]bool // nodes that announced their end
}

func newMembers(self member, silence time.Duration) *members {
	self.seen = time.Now()
	return &members{self: self.id, silence: silence, all: []*member{&self}, left: map[string]bool{}}
}

// nodeID returns the id of a node; memberName returns the name part of an id. Both are single tokens of a subject.
func nodeID(name, start string) string { return name + "~" + start }

func memberName(id string) string {
	name, _, _ := strings.Cut(id, "~")
	return name
}

func (ms *members) find(id string) (int, bool) {
	return slices.BinarySearchFunc(ms.all, id, func(m *member, id string) int { return strings.Compare(m.id, id) })
}

// heard records a beat of node m. A node that announced its end is not alive again with a beat that was sent before it.
func (ms *members) heard(m member) {
	m.seen = time.Now()
	ms.mu.Lock()
	if ms.left[m.id] {
		ms.mu.Unlock()
		return
	}
	i, known := ms.find(m.id)
	if known {
		old := ms.all[i]
		old.seen, old.load, old.sent = m.seen, m.load, 0
		old.pes, old.host, old.number, old.job, old.still = m.pes, m.host, m.number, m.job, m.still
	} else {
		ms.all = slices.Insert(ms.all, i, &m)
	}
	ms.mu.Unlock()
	if !known && ms.joined != nil {
		ms.joined(m.id)
	}
}

// loaded records the load reported in a message of a node.
func (ms *members) loaded(id string, load int) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if i, ok := ms.find(id); ok {
		ms.all[i].load, ms.all[i].sent, ms.all[i].seen = load, 0, time.Now()
	}
}

// sentTo records that a call is sent to a node.
func (ms *members) sentTo(id string) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if i, ok := ms.find(id); ok {
		ms.all[i].sent++
	}
}

// firstPE returns the number in traces of a node's first PE, None for an unknown node.
func (ms *members) firstPE(id string) int32 {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if i, ok := ms.find(id); ok && ms.all[i].number > 0 {
		return int32(firstPE(ms.all[i].number))
	}
	return tracer.None
}

// died removes a node that is dead or has left.
func (ms *members) died(id string, left bool) {
	if id == ms.self {
		return
	}
	ms.mu.Lock()
	i, known := ms.find(id)
	var m member
	if known {
		m = *ms.all[i]
		ms.all = slices.Delete(ms.all, i, i+1)
	}
	if left {
		ms.left[id] = true
	}
	ms.mu.Unlock()
	if known && ms.lost != nil {
		ms.lost(m, left)
	}
}

// expire removes the nodes that have been silent for too long.
func (ms *members) expire() {
	var silent []string
	ms.mu.Lock()
	for _, m := range ms.all {
		if m.id != ms.self && time.Since(m.seen) > ms.silence {
			silent = append(silent, m.id)
		}
	}
	ms.mu.Unlock()
	for _, id := range silent {
		ms.died(id, false)
	}
}

// list returns the living nodes, ordered by id.
func (ms *members) list() []member {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	out := make([]member, len(ms.all))
	for i, m := range ms.all {
		out[i] = *m
	}
	return out
}

// silent returns the time since the last message of a node.
func (ms *members) silent(id string) time.Duration {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if i, ok := ms.find(id); ok {
		return time.Since(ms.all[i].seen)
	}
	return 0
}
