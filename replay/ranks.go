package replay

import (
	"cmp"
	"math"
	"slices"

	"whorl/sim"
)

// Ranks are the tasks of a program that stay on their PEs, such as the processes of MPI, in the order of their PEs in the
// recording.
type Ranks struct {
	tasks []uint32 // by rank
	rank  []int32  // by task; -1 for other tasks
	links [][]link // by rank
}

// A link is the traffic of a rank with another one.
type link struct {
	to    int32
	bytes int64 // in both directions
}

// Ranks returns the tasks that ask for a PE, and the traffic between them.
func (g *Graph) Ranks() *Ranks {
	r := &Ranks{rank: make([]int32, len(g.tasks))}
	for n := range g.tasks {
		r.rank[n] = -1
		if g.tasks[n].hint >= 0 {
			r.tasks = append(r.tasks, uint32(n))
		}
	}
	slices.SortStableFunc(r.tasks, func(a, b uint32) int { return cmp.Compare(g.tasks[a].hint, g.tasks[b].hint) })
	for i, n := range r.tasks {
		r.rank[n] = int32(i)
	}
	sums := map[[2]int32]int64{}
	for i := range g.messages {
		m := &g.messages[i]
		a, b := r.rank[m.from], r.rank[m.to]
		if a >= 0 && b >= 0 && a != b {
			sums[[2]int32{min(a, b), max(a, b)}] += m.bytes + 1 // an empty message counts too
		}
	}
	r.links = make([][]link, len(r.tasks))
	for pair, bytes := range sums {
		r.links[pair[0]] = append(r.links[pair[0]], link{pair[1], bytes})
		r.links[pair[1]] = append(r.links[pair[1]], link{pair[0], bytes})
	}
	for _, l := range r.links {
		slices.SortFunc(l, func(a, b link) int { return cmp.Compare(a.to, b.to) })
	}
	return r
}

// Len returns the number of ranks.
func (r *Ranks) Len() int { return len(r.tasks) }

// Homes returns the PE of each task from that of each rank; -1 for tasks that are not ranks.
func (r *Ranks) Homes(pes []int32) []int32 {
	homes := make([]int32, len(r.rank))
	for n, k := range r.rank {
		homes[n] = -1
		if k >= 0 {
			homes[n] = pes[k]
		}
	}
	return homes
}

// Block places neighbouring ranks on one PE, or on neighbouring ones. It returns the PE of each rank.
func (r *Ranks) Block(pes int) []int32 {
	out := make([]int32, len(r.tasks))
	for i := range out {
		out[i] = int32(i * min(pes, len(out)) / len(out))
	}
	return out
}

// Cyclic deals the ranks to the PEs in turn. It returns the PE of each rank.
func (r *Ranks) Cyclic(pes int) []int32 {
	out := make([]int32, len(r.tasks))
	for i := range out {
		out[i] = int32(i % pes)
	}
	return out
}

// Hops returns the sum of bytes times hops of all messages between ranks on the given PEs.
func (r *Ranks) Hops(net sim.Network, pes []int32) (sum int64) {
	for i := range r.links {
		sum += r.hops(net, pes, int32(i))
	}
	return sum / 2
}

func (r *Ranks) hops(net sim.Network, pes []int32, i int32) (sum int64) {
	for _, l := range r.links[i] {
		sum += l.bytes * int64(net.Distance(int(pes[i]), int(pes[l.to])))
	}
	return sum
}

// Near looks for a placement with a small sum of bytes times hops, with as many ranks on each PE as Block has. It
// exchanges pairs of places by simulated annealing (S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by
// Simulated Annealing", 1983). It returns the PE of each rank;
// the same seed gives the same ones.
func (r *Ranks) Near(net sim.Network, seed uint64) []int32 {
	pes := net.PEs()
	each := (len(r.tasks) + pes - 1) / pes
	places := make([]int32, pes*each) // place i is on PE i / each and holds a rank, or -1
	at := r.Block(pes)
	for i := range places {
		places[i] = -1
	}
	place := make([]int, len(at)) // by rank
	next := make([]int, pes)
	for k, pe := range at {
		place[k] = int(pe)*each + next[pe]
		next[pe]++
		places[place[k]] = int32(k)
	}
	best, least := slices.Clone(at), r.Hops(net, at)
	now := least
	rng := sim.NewRand(seed, 0)
	steps := min(400*len(places), 4_000_000)
	if len(places) < 2 || now == 0 {
		return best
	}
	// The first temperature accepts most exchanges, the last one nearly none.
	hot := 2 * float64(now) / float64(len(at))
	for i := range steps {
		a, b := rng.N(len(places)), rng.N(len(places))
		x, y := places[a], places[b]
		if a/each == b/each || x < 0 && y < 0 {
			continue
		}
		change := r.exchange(net, at, x, y, int32(a/each), int32(b/each))
		cold := hot * math.Pow(1e-4, float64(i)/float64(steps))
		if change > 0 && float64(rng.N(1<<30))/(1<<30) >= math.Exp(-float64(change)/cold) {
			r.exchange(net, at, x, y, int32(b/each), int32(a/each)) // take it back
			continue
		}
		places[a], places[b] = y, x
		if now += change; now < least {
			least = now
			copy(best, at)
		}
	}
	return best
}

// exchange moves rank x from PE a to b, and rank y from b to a. It returns the change of bytes times hops. A rank of -1 is
// an empty place.
func (r *Ranks) exchange(net sim.Network, at []int32, x, y, a, b int32) int64 {
	sum := func() (sum int64) {
		if x >= 0 {
			sum += r.hops(net, at, x)
		}
		if y >= 0 {
			sum += r.hops(net, at, y)
		}
		return sum
	}
	before := sum()
	if x >= 0 {
		at[x] = b
	}
	if y >= 0 {
		at[y] = a
	}
	return sum() - before
}
