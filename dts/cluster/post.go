package cluster

import (
	"sync"
	"sync/atomic"
)

// A post sends the messages of a node and counts those that may let a thread run elsewhere.
type post struct {
	net    sender
	mu     sync.RWMutex // for writing: no message is being sent
	starts atomic.Uint64
}

func (p *post) send(to string, m *message) error {
	p.mu.RLock()
	defer p.mu.RUnlock()
	switch m.kind {
	case msgCall, msgResult, msgUnknown:
		p.starts.Add(1)
	}
	return p.net.send(to, m)
}

// flush sends a message to all nodes of a list but self, and returns what progress returned between two messages of the
// node: messages sent before arrive before the flush.
func (p *post) flush(m message, self string, nodes []string, progress func() uint64) uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := progress()
	for _, to := range nodes {
		if to != self {
			flush := m
			_ = p.net.send(to, &flush) // if it is lost, the cut is never complete
		}
	}
	return now
}
