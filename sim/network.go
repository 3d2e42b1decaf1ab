package sim

import (
	"fmt"

	"whorl/internal/figures"
	"whorl/internal/nearest"
)

// MaxPEs is the largest number of PEs.
const MaxPEs = 1 << 20

// A Network defines the distances between PEs in hops. A message pays the latency for each hop.
//
// Grids, tori and hypercubes with more places than PEs leave the last places without a PE. Every place has a switch, so
// that distances are those of the complete shape.
type Network interface {
	Name() string
	PEs() int
	// Shared reports whether the PEs share a memory, so that reading needs no message.
	Shared() bool
	// Distance returns the number of hops from a to b, 0 for the same PE.
	Distance(a, b int) int
	// Near returns the k-th neighbour of s.PE, -1 past the last. See View.
	Near(s *Self, k int) int
	// Outward iterates over all other PEs by distance. See View.
	Outward(pe int, cursor *uint64) int
	// Coords returns the coordinates of a PE, nil if the network has none.
	Coords(pe int) []int32
}

// A NetworkKind is a kind of network.
type NetworkKind struct {
	Name, Doc string
	New       func(pes int) Network // 1 to MaxPEs
}

// Networks lists all kinds of networks.
var Networks = []NetworkKind{
	{"bus", "shared memory on a bus: every PE reaches every other in one hop, one transfer at a time", newBus},
	{"all", "every PE reaches every other in one hop", newAll},
	{"ring", "a closed ring", newRing},
	{"mesh2d", "a rectangle, as close to a square as possible", newMesh2D},
	{"mesh3d", "a box, as close to a cube as possible", newMesh3D},
	{"torus2d", "a rectangle with opposite sides joined", newTorus2D},
	{"torus3d", "a box with opposite sides joined", newTorus3D},
	{"hypercube", "PEs whose numbers differ in one bit are neighbours", newHypercube},
	{"fattree", "a tree of switches with four children each and full bandwidth at the top; a hop is a switch", newFatTree},
}

// NetworkNamed returns the network with the given name and number of PEs. The error for an unknown name suggests similar ones.
func NetworkNamed(name string, pes int) (Network, error) {
	if pes < 1 || pes > MaxPEs {
		return nil, fmt.Errorf("%s: expected 1 to %s", figures.Counted(int64(pes), "PE"), figures.Count(MaxPEs))
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

// shells enumerate the PEs around a PE by distance. A shell lists candidates of the complete shape. Some candidates may
// not exist: listing them is easier than counting a shape with missing places.
type shells interface {
	shell(pe, d, k int) int // k-th candidate at distance d >= 1 from pe: a PE, absent or past
	diameter() int          // largest distance
}

const (
	absent = -1 // the candidate is not a PE
	past   = -2 // there are no more candidates
)

// walk implements Network.Outward with shells. The cursor holds the distance and the candidate.
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

// near implements Network.Near with shells: it returns the k-th existing candidate at distance 1.
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
