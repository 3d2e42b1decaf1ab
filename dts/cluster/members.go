package cluster

import (
	"slices"
	"strings"
	"sync"
	"time"

	"whorl/tracer"
)

// A member is a node as the others know it. Its id is its name and something that no other start of a node of that name has, so that a
// node which comes back after a crash is another member.
type member struct {
	id   string
	name string
	host string
	pes  int
	// number is what the cluster has given it, from which those of its PEs follow.
	number uint64
	load   int // calls at hand there, as it last said
	sent   int // calls sent there since
	seen   time.Time
}

// members are the nodes that are heard of, this one included. A node that is not heard of for a while is dead, until it is heard of
// again: taking a living node for dead costs work that is done twice, and nothing else.
type members struct {
	self    string
	silence time.Duration              // after which a node counts as dead
	lost    func(id string, left bool) // in good order, or not
	came    func(id string)

	mu   sync.Mutex
	all  []*member // alive, by id
	gone map[string]bool
}

func newMembers(self member, silence time.Duration) *members {
	self.seen = time.Now()
	return &members{self: self.id, silence: silence, all: []*member{&self}, gone: map[string]bool{}}
}

// nodeID makes the id of a node; memberName finds the name in it. Neither is more than one token of a subject.
func nodeID(name, start string) string { return name + "~" + start }

func memberName(id string) string {
	name, _, _ := strings.Cut(id, "~")
	return name
}

func (ms *members) find(id string) (int, bool) {
	return slices.BinarySearchFunc(ms.all, id, func(m *member, id string) int { return strings.Compare(m.id, id) })
}

// heard notes a sign of life of the node m, as it describes itself.
func (ms *members) heard(m member) {
	m.seen = time.Now()
	ms.mu.Lock()
	i, known := ms.find(m.id)
	if known {
		old := ms.all[i]
		old.seen, old.load, old.sent = m.seen, m.load, 0
		old.pes, old.host, old.number = m.pes, m.host, m.number
	} else {
		ms.all = slices.Insert(ms.all, i, &m)
		delete(ms.gone, m.id)
	}
	ms.mu.Unlock()
	if !known && ms.came != nil {
		ms.came(m.id)
	}
}

// loaded notes what a message of a node says of its load.
func (ms *members) loaded(id string, load int) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if i, ok := ms.find(id); ok {
		ms.all[i].load, ms.all[i].sent, ms.all[i].seen = load, 0, time.Now()
	}
}

// sentTo notes that a call goes to a node.
func (ms *members) sentTo(id string) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if i, ok := ms.find(id); ok {
		ms.all[i].sent++
	}
}

// firstPE is the first PE of a node, as traces count; None where the node is not known.
func (ms *members) firstPE(id string) int32 {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if i, ok := ms.find(id); ok && ms.all[i].number > 0 {
		return int32(firstPE(ms.all[i].number))
	}
	return tracer.None
}

// died notes that a node is dead or, in good order, has left.
func (ms *members) died(id string, left bool) {
	if id == ms.self {
		return
	}
	ms.mu.Lock()
	i, known := ms.find(id)
	if known {
		ms.all = slices.Delete(ms.all, i, i+1)
		ms.gone[id] = true
	}
	ms.mu.Unlock()
	if known && ms.lost != nil {
		ms.lost(id, left)
	}
}

// expire takes all nodes for dead that have been silent for too long.
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

// list returns the nodes that are alive, by id.
func (ms *members) list() []member {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	out := make([]member, len(ms.all))
	for i, m := range ms.all {
		out[i] = *m
	}
	return out
}

// silent is how long nothing was heard of a node.
func (ms *members) silent(id string) time.Duration {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if i, ok := ms.find(id); ok {
		return time.Since(ms.all[i].seen)
	}
	return 0
}
