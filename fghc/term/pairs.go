package term

// Pairs are pairs of terms that a comparison has been through. It asks for each pair before it looks inside, so that it ends on terms that
// hold themselves; only a long one remembers any.
type Pairs struct {
	steps int
	seen  map[[2]Word]struct{}
}

const longComparison = 1 << 20

// Again says whether the pair need not be looked into once more.
func (p *Pairs) Again(a, b Word) bool {
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
