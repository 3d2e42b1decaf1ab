package sim

// A Policy decides where new work goes and what a PE without work does. It keeps its state in the Self of the PE, so
// that one value serves all PEs, simulated PEs and real workers alike.
type Policy interface {
	Traits() Traits
	// Place returns the PE for the work that s.PE has just spawned, or Central. hint is the PE that the program asks
	// for (not reduced to the number of PEs), or -1.
	Place(v View, s *Self, hint int) int
	// Idle returns what s.PE does without work.
	Idle(v View, s *Self) Ask
}

// Traits are properties of a policy.
type Traits struct {
	LIFO    bool // a PE takes its newest work first, otherwise its oldest
	Newest  bool // without LIFO: a PE takes the work that it has made ready last before its oldest, once
	Stays   bool // work stays where it was spawned, unless the program gives a hint
	Central bool // spawned work goes to the central queue
	Goals   Goals
}

// Goals orders the goals of simulated runs of FGHC where work stays. Threads and live runs follow the zero
// Goals only.
type Goals struct {
	Reversed bool // the goals of a body run from the last to the first, otherwise from the first to the last
	Binder   bool // in shared memory a resumed goal goes to the PE whose step resumes it, otherwise to the PE where it waited
	Resumed  Turn // the place of a resumed goal in the queue of its PE
}

// A Turn is the place of resumed work in the queue of a PE that takes its newest work first.
type Turn uint8

const (
	Next  Turn = iota // after the works of the step that resumes it, before all others
	First             // before the works of the step that resumes it, too
	Last              // behind all works; the first to be given to another PE
)

// Values in place of a PE, for Policy.Place and Ask.From.
const (
	Central = -1 // the central queue
	Nobody  = -2 // wait for work from others, forever or for Ask.Wait
	Later   = -3 // sleep until another PE offers work
)

// An Ask is the action of a PE without work.
type Ask struct {
	From  int   // a PE, Central, Nobody or Later
	Share Share // how much to ask a PE for; the central queue gives one work
	Wait  Time  // with Nobody: call Idle again after this time; 0 is never
}

// A Share is the part of its queue that an asked PE gives away: always its oldest works, and at least one.
type Share uint8

const (
	One     Share = iota // the oldest work
	Surplus              // half of the works beyond the first eight, rounded down
	Half                 // half of the works, rounded up
)

// Count returns how many of the n works of a queue the asked PE gives away.
func (s Share) Count(n int) int {
	switch s {
	case Surplus:
		return min(n, max(1, (n-8)/2))
	case Half:
		return (n + 1) / 2
	}
	return min(n, 1)
}

// A Self is a PE as its policy sees it.
type Self struct {
	PE    int32
	Tries int32 // number of asks since it last had work or slept
	Rand  Rand
	Mem   uint64 // for the policy, initially 0
}

// A View is a policy's view of the other PEs. In the simulation it is exact.
type View interface {
	PEs() int
	// Load returns the number of works that wait at pe or are on their way to it. For Central it is the number of works
	// that no PE has claimed.
	Load(pe int) int
	// Distance returns the number of hops from a to b.
	Distance(a, b int) int
	// Near returns the k-th neighbour of s.PE in the network, -1 past the last. On a bus and on a uniform network it
	// is, for k < 2, a random other PE, drawn from s.Rand.
	Near(s *Self, k int) int
	// Outward returns the next of all other PEs in order of their distance from pe, -1 after the last. *cursor is initially 0.
	Outward(pe int, cursor *uint64) int
	// Offered returns the first PE after the given one, in cyclic order, that has more works waiting than asks for
	// them; -1 for none. The given PE comes last.
	Offered(after int) int
}
