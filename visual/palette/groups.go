package palette

import "sort"

// Groups divides N ordered items (PEs) into groups of Size neighbours that share a colour.
type Groups struct{ N, Size int }

// Group divides n items into at least one and at most most groups. It chooses the smallest size that divides n evenly
// if that gives at least most/2 groups, and otherwise the smallest size that fits, with a smaller last group.
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

// Len returns the number of groups.
func (g Groups) Len() int {
	if g.N <= 0 {
		return 0
	}
	return (g.N-1)/g.Size + 1
}

// Index returns the group of item i, 0 <= i < N.
func (g Groups) Index(i int) int { return i / g.Size }

// Range returns the first and the last item of group k.
func (g Groups) Range(k int) (first, last int) {
	return k * g.Size, min((k+1)*g.Size, g.N) - 1
}

// A Sharing gives each of N ordered items (PEs) one of a few colours. If there are enough colours, item i has colour i,
// so that a PE keeps its colour from run to run. Otherwise only the participating items (the PEs that worked) have
// colours, alone as long as there are enough and then in groups of neighbours.
type Sharing struct {
	N    int
	Part []int32 // the participating items, ascending; nil if all participate
	Groups
}

// Share divides a number of colours among n items. part lists the participating items, ascending; if it is empty, all
// items participate. Each colour comes in several patterns. Patterns are used if each participating item has a colour
// and a pattern of its own then: colour k of the sharing is colour k%colours with pattern k/colours.
func Share(n int, part []int32, colours, patterns int) Sharing {
	most := func(n int) int {
		if n <= colours*patterns {
			return max(n, colours)
		}
		return colours
	}
	if n <= colours || len(part) == 0 || len(part) == n {
		return Sharing{N: n, Groups: Group(n, most(n))}
	}
	return Sharing{N: n, Part: part, Groups: Group(len(part), most(len(part)))}
}

// Index returns the colour of item i, 0 <= i < N. An item that does not participate has the colour of the last
// participating item before it.
func (s Sharing) Index(i int) int {
	if s.Part != nil {
		i = max(sort.Search(len(s.Part), func(k int) bool { return int(s.Part[k]) > i })-1, 0)
	}
	return s.Groups.Index(i)
}

// Range returns the first and the last participating item with colour k.
func (s Sharing) Range(k int) (first, last int) {
	first, last = s.Groups.Range(k)
	if s.Part != nil {
		first, last = int(s.Part[first]), int(s.Part[last])
	}
	return first, last
}

// Span returns the first and the last of all items with colour k.
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
