package palette

import "sort"

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

// A Sharing gives each of N things in order (PEs) one of a few colours. Where there is a colour for each, thing i has colour i, so that a
// PE keeps its colour from run to run. Else only those that take part (the PEs that worked) share the colours, in groups of neighbours.
type Sharing struct {
	N    int
	Part []int32 // the things that take part, ascending; nil for all
	Groups
}

// Share shares at most most colours among n things, of which those of part, ascending, take part; none of them stands for all.
func Share(n int, part []int32, most int) Sharing {
	if n <= most || len(part) == 0 || len(part) == n {
		return Sharing{N: n, Groups: Group(n, most)}
	}
	return Sharing{N: n, Part: part, Groups: Group(len(part), most)}
}

// Of is the colour of thing i, 0 <= i < N; one that takes no part has that of the last one before it that does.
func (s Sharing) Of(i int) int {
	if s.Part != nil {
		i = max(sort.Search(len(s.Part), func(k int) bool { return int(s.Part[k]) > i })-1, 0)
	}
	return s.Groups.Of(i)
}

// Range is the first and the last thing that takes part in colour k.
func (s Sharing) Range(k int) (first, last int) {
	first, last = s.Groups.Range(k)
	if s.Part != nil {
		first, last = int(s.Part[first]), int(s.Part[last])
	}
	return first, last
}

// Span is the first and the last of all things that have colour k.
func (s Sharing) Span(k int) (first, last int) {
	first, last = s.Range(k)
	if s.Part != nil {
		if k == 0 {
			first = 0
		}
		last = s.N - 1
		if k+1 < s.Len() {
			last, _ = s.Range(k + 1)
			last--
		}
	}
	return first, last
}
