package sim

// A Policy says where new work goes and what a PE without work does. It is pure: everything it remembers is in the Self it is given, so
// that one value serves all PEs, simulated ones and real workers alike.
type Policy interface {
	Traits() Traits
	// Place returns the PE that gets the work which s.PE has just spawned, or Central. Hint is the PE that the program asked for (not
	// reduced to the number of PEs), or -1.
	Place(v View, s *Self, hint int) int
	// Idle says what s.PE does now that it has no work.
	Idle(v View, s *Self) Ask
}

// Traits of a policy are what others need to know of it.
type Traits struct {
	LIFO    bool // a PE takes its newest work first; otherwise its oldest
	Stays   bool // spawned work stays where it was spawned, unless the program gave a hint
	Central bool // spawned work goes to the one central queue
}

// Whom an idle PE asks, and where work is placed, when it is no PE.
const (
	Central = -1 // the central queue
	Nobody  = -2 // wait for work that comes by itself, for ever or for Ask.Wait
	Later   = -3 // sleep until somebody offers work
)

// An Ask is what a PE without work does.
type Ask struct {
	From int  // a PE, Central, Nobody or Later
	Half bool // ask a PE for the older half of its queue, rounded up; otherwise for its oldest work
	Wait Time // with Nobody: be asked again after so long; 0 is never
}

// Self is a PE as its own policy sees it.
type Self struct {
	PE    int32
	Tries int32 // how often it asked since it last had work or slept
	Rand  Rand
	Mem   uint64 // the policy's own, 0 at the start
}

// A View is what a policy may know of the other PEs. In the simulation it is exact.
type View interface {
	PEs() int
	// Load is the number of works that wait at pe or are on their way to it. For Central it is what nobody has come for yet.
	Load(pe int) int
	// Distance is the number of hops from a to b.
	Distance(a, b int) int
	// Near is the k-th neighbour of s.PE in the network, -1 past the last. On a bus and on a uniform network it is, for k < 2, a random
	// other PE, drawn from s.Rand.
	Near(s *Self, k int) int
	// Outward walks all other PEs in order of their distance from pe. *cursor starts at 0; the answer is -1 after the last.
	Outward(pe int, cursor *uint64) int
	// Offered is the first PE after the given one, in cyclic order, that has more work waiting than others have come for; -1 for none.
	// The given PE comes last.
	Offered(after int) int
}
