package term

// Pairs records the pairs of terms that a comparison has visited, so that the comparison of cyclic terms terminates. It starts to record pairs
// after longComparison steps.
type Pairs struct {
	steps int
	seen  map[[2]Word]struct{}
}

const longComparison = 1 << 20

// Visited reports whether a pair has been visited, and records it.
func (p *Pairs) Visited(a, b Word) bool {
	p.steps++
	return p.steps >= longComparison && p.known(a, b)
}

func (p *Pairs) known(a, b Word) bool {
	if p.seen == nil {
		p.seen = map[[2]Word]struct{}{}
	}
	k := [2]Word{a, b}
	_, ok := p.seen[k]
	p.seen[k] = struct{}{}
	return ok
}
