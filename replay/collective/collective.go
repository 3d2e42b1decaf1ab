// Package collective makes messages of collective operations.
//
// A Kind with an algorithm becomes steps of its members, which are numbered from 0, the root, on. The steps of a member
// follow one another. Reducing takes no time.
package collective

import (
	"math/bits"
	"slices"

	"whorl/internal/nearest"
)

// Algorithms are those of all-reduce operations. In a ring, each rank sends parts of the data to the next one, 2 (P - 1)
// times (P. Patarasuk, X. Yuan: "Bandwidth Optimal All-reduce Algorithms for Clusters of Workstations", 2009). Recursive
// doubling exchanges all data log2 P times (R. Thakur, R. Rabenseifner, W. Gropp: "Optimization of Collective
// Communication Operations in MPICH", 2005).
var Algorithms = []string{Ring, doubling}

// Ring is the default algorithm.
const (
	Ring     = "ring"
	doubling = "doubling"
)

// CheckAlgorithm returns an error for a name that is not one of some known algorithms.
func CheckAlgorithm(name string, known []string) error {
	if !slices.Contains(known, name) {
		return nearest.Unknown("algorithm", name, known)
	}
	return nil
}

// A Kind is a kind of collective operations.
type Kind uint8

// The kinds. The comments name the data that the bytes of an operation count.
const (
	AllReduce     Kind = iota // of the data of a member
	Reduce                    // of the data of a member
	AllGather                 // of the part of a member
	Gather                    // of the part of a member
	Scatter                   // of all parts
	Broadcast                 // of the data
	AllToAll                  // that a member sends, its part for itself included
	ReduceScatter             // of the data of a member
	Scan                      // of the data of a member
	Barrier
	NumKinds
)

var names = [NumKinds]string{"all-reduce", "reduce", "all-gather", "gather", "scatter", "broadcast", "all-to-all", "reduce-scatter", "scan", "barrier"}

func (k Kind) String() string { return names[k] }

// Members take the steps of an operation. Messages between two members arrive in the order in which they are sent.
type Members interface {
	Send(m int, bytes int64, to int)
	Receive(m int, bytes int64, from int)
	Swap(m int, bytes int64, to, from int) // sends and receives at the same time
}

// MaxOps bounds the messages and receipts of a program that come from collective operations, which may be many more than these.
const MaxOps = 1 << 26

// Most returns how many messages and receipts Run makes at most.
func Most(kind Kind, algorithm string, members int) int {
	steps := 1 // in which each member sends once and receives once
	switch {
	case kind == AllReduce && algorithm != doubling:
		steps = 2 * (members - 1)
	case kind == AllReduce, kind == Barrier, kind == Scan:
		steps = bits.Len(uint(members))
	case kind == AllGather, kind == ReduceScatter, kind == AllToAll:
		steps = members - 1
	}
	return 2 * steps * members
}

// Run makes the steps of p members in an operation of some bytes.
func Run(kind Kind, algorithm string, bytes int64, p int, x Members) {
	part := (bytes + int64(p) - 1) / int64(p)
	switch kind {
	case AllReduce:
		if algorithm == doubling {
			double(bytes, p, x)
			return
		}
		ring(2*(p-1), part, p, x)
	case AllGather:
		ring(p-1, bytes, p, x)
	case ReduceScatter:
		ring(p-1, part, p, x)
	case AllToAll:
		for k := 1; k < p; k++ {
			shift(part, k, p, x)
		}
	case Barrier: // dissemination
		for k := 1; k < p; k *= 2 {
			shift(0, k, p, x)
		}
	case Scan: // doubling
		for k := 1; k < p; k *= 2 {
			for m := range p - k {
				x.Send(m, bytes, m+k)
			}
			for m := k; m < p; m++ {
				x.Receive(m, bytes, m-k)
			}
		}
	case Broadcast: // binomial tree
		for k := 1; k < p; k *= 2 {
			for m := range min(k, p-k) {
				give(m, bytes, m+k, x)
			}
		}
	case Reduce:
		k := 1
		for 2*k < p {
			k *= 2
		}
		for ; k > 0; k /= 2 {
			for m := range min(k, max(0, p-k)) {
				give(m+k, bytes, m, x)
			}
		}
	case Gather:
		for m := 1; m < p; m++ {
			give(m, bytes, 0, x)
		}
	case Scatter:
		for m := 1; m < p; m++ {
			give(0, part, m, x)
		}
	}
}

// give sends from one member to another.
func give(from int, bytes int64, to int, x Members) {
	x.Send(from, bytes, to)
	x.Receive(to, bytes, from)
}

// shift has each member send to the one that is k further.
func shift(bytes int64, k, p int, x Members) {
	for m := range p {
		x.Swap(m, bytes, (m+k)%p, (m-k+p)%p)
	}
}

// ring has each member send to the next one some times.
func ring(steps int, bytes int64, p int, x Members) {
	for range steps {
		shift(bytes, 1, p, x)
	}
}

// double has members exchange data over distances that double. Members beyond a power of two send their data to others before, and receive the result
// afterwards.
func double(bytes int64, p int, x Members) {
	n := 1
	for 2*n <= p {
		n *= 2
	}
	for m := n; m < p; m++ {
		give(m, bytes, m-n, x)
	}
	for k := 1; k < n; k *= 2 {
		for m := range n {
			x.Swap(m, bytes, m^k, m^k)
		}
	}
	for m := n; m < p; m++ {
		give(m-n, bytes, m, x)
	}
}
