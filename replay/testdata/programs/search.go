package main

import "sync"

func search(k *kit) (uint64, error) {
	s := &hunt{k: k, mu: k.mutex(), visiting: k.work("visit", 40), improving: k.work("improve", 10)}
	s.below(k.times(5000), 1)
	return s.sum, nil
}

// A hunt is a search for the best node of a tree.
type hunt struct {
	k                   *kit
	visiting, improving work
	mu                  sync.Locker
	sum                 uint64
}

// below visits a node and the others of a tree of some nodes: seven tenths of them lie below one child, which the seed chooses. Large trees
// have goroutines.
func (s *hunt) below(nodes int, seed uint64) {
	x := visit(s.visiting)
	if nodes--; nodes <= 16 {
		for range nodes {
			x += visit(s.visiting)
		}
		s.mu.Lock()
		s.sum += x + improve(s.improving)
		s.mu.Unlock()
		return
	}
	s.mu.Lock()
	s.sum += x
	s.mu.Unlock()
	parts := [3]int{nodes / 10, nodes / 5}
	parts[2] = nodes - parts[0] - parts[1]
	g := s.k.group()
	for i := range uint64(3) {
		if part := parts[(i+seed)%3]; part > 0 {
			g.Go(func() { s.below(part, seed*3+i) })
		}
	}
	g.Wait()
}

//go:noinline
func visit(w work) uint64 { return w.do() }

//go:noinline
func improve(w work) uint64 { return w.do() }
