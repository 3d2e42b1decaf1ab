package sim

import (
	"fmt"
	"whorl/internal/nearest"
)

// MaxPEs is the largest number of PEs.
const MaxPEs = 1 << 20

// A Network says how far PEs are from each other. Hops are what a message pays latency for.
//
// Grids, tori and hypercubes that have more places than there are PEs leave the last places without a PE; a switch stands in every place,
// so distances are those of the complete shape.
type Network interface {
	Name() string
	PEs() int
	// Shared says that the PEs share one memory: reading needs no message.
	Shared() bool
	// Distance is the number of hops from a to b, 0 if they are the same PE.
	Distance(a, b int) int
	// Near is the k-th neighbour of s.PE, -1 past the last. See View.
	Near(s *Self, k int) int
	// Outward walks all other PEs by distance. See View.
	Outward(pe int, cursor *uint64) int
	// Coords is where a PE stands, one number for each dimension; nil where the network has none.
	Coords(pe int) []int32
}

// A NetworkKind is one of Networks.
type NetworkKind struct {
	Name, Doc string
	New       func(pes int) Network // 1 to MaxPEs
}

// Networks lists the networks there are.
var Networks = []NetworkKind{
	{"bus", "shared memory on a bus: every PE reaches every other in one hop, one transfer at a time", newBus},
	{"all", "every PE reaches every other in one hop", newAll},
	{"ring", "a closed ring", newRing},
	{"mesh2d", "a rectangle, as near to a square as it can be", newMesh2D},
	{"mesh3d", "a box, as near to a cube as it can be", newMesh3D},
	{"torus2d", "a rectangle whose opposite sides are joined", newTorus2D},
	{"torus3d", "a box whose opposite sides are joined", newTorus3D},
	{"hypercube", "PEs whose numbers differ in one bit are neighbours", newHypercube},
	{"fattree", "a tree of switches, four below each, that is not narrower at the top; a hop is a switch", newFatTree},
}

// NetworkNamed returns the network of that name for so many PEs. Its error names the nearest names.
func NetworkNamed(name string, pes int) (Network, error) {
	if pes < 1 || pes > MaxPEs {
		return nil, fmt.Errorf("%d PEs: expected 1 to %d", pes, MaxPEs)
	}
	known := make([]string, len(Networks))
	for i, k := range Networks {
		if k.Name == name {
			return k.New(pes), nil
		}
		known[i] = k.Name
	}
	return nil, nearest.Unknown("network", name, known)
}

// shells are the PEs around one, by distance. A shell lists candidates, some of which may not exist, because the complete shape is easier to
// count than one with places missing.
type shells interface {
	shell(pe, d, k int) int // k-th candidate at distance d >= 1 from pe: a PE, absent or past
	diameter() int          // no PE is further away
}

const (
	absent = -1 // the candidate is no PE
	past   = -2 // there are no more candidates
)

// walk is Network.Outward over shells; the cursor holds the distance and the candidate.
func walk(n shells, pe int, cursor *uint64) int {
	d, k := int(*cursor>>32), int(*cursor&(1<<32-1))
	for far := n.diameter(); d <= far; {
		q := past
		if d > 0 {
			q = n.shell(pe, d, k)
		}
		if q == past {
			d, k = d+1, 0
			continue
		}
		k++
		if q != absent {
			*cursor = uint64(d)<<32 | uint64(k)
			return q
		}
	}
	*cursor = uint64(d) << 32
	return -1
}

// near is Network.Near over shells: the k-th that exists at distance 1.
func near(n shells, pe, k int) int {
	for c := 0; ; c++ {
		switch q := n.shell(pe, 1, c); {
		case q == past:
			return -1
		case q == absent:
		case k == 0:
			return q
		default:
			k--
		}
	}
}
