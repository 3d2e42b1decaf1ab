package palette

// Groups shares n things that have an order (PEs) among colours: neighbours get one colour when there are more things than colours.
type Groups struct{ N, Size int }

// Group makes the groups of n things for at most most colours (at least 1): the smallest that divide n evenly, where such groups need
// at least half of the colours; otherwise the smallest that fit, the last of which is not full.
func Group(n, most int) Groups {
	most = max(most, 1)
	least := max((n-1)/most+1, 1)
	for size := least; size < 2*least && size <= n; size++ {
		if n%size == 0 {
			return Groups{n, size}
		}
	}
	return Groups{n, least}
}

// Len is the number of groups.
func (g Groups) Len() int {
	if g.N <= 0 {
		return 0
	}
	return (g.N-1)/g.Size + 1
}

// Of is the group of thing i, 0 <= i < N.
func (g Groups) Of(i int) int { return i / g.Size }

// Range is the first and the last thing of group k.
func (g Groups) Range(k int) (first, last int) {
	return k * g.Size, min((k+1)*g.Size, g.N) - 1
}
