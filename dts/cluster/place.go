package cluster

import (
	"fmt"
	"slices"
	"strings"

	"whorl/internal/nearest"
	"whorl/sim"
	"whorl/sim/policy"
)

// DefaultPolicy sends a fork to the node with the fewest calls for each of its PEs.
const DefaultPolicy = "least-loaded"

// Policies returns the names of the policies that can place forks on nodes. Policies that steal are excluded, since
// nodes do not steal.
func Policies() []string {
	var names []string
	for _, k := range policy.All {
		if t := k.New().Traits(); !t.Central && (!t.Stays || k.Name == "static") {
			names = append(names, k.Name)
		}
	}
	return names
}

// findPolicy returns the policy with the given name, DefaultPolicy for "".
func findPolicy(name string) (sim.Policy, error) {
	if name == "" {
		name = DefaultPolicy
	}
	known := Policies()
	if slices.Contains(known, name) {
		return policy.Named(name)
	}
	if _, err := policy.Named(name); err == nil {
		return nil, fmt.Errorf("policy %s never sends work to another node: expected %s", name, strings.Join(known, ", "))
	}
	return nil, nearest.Unknown("placement policy", name, known)
}

// A placer chooses nodes for calls. Its caller holds a lock.
type placer struct {
	policy sim.Policy
	self   sim.Self
}

func newPlacer(p sim.Policy, seed uint64) *placer {
	return &placer{policy: p, self: sim.Self{Rand: sim.NewRand(seed, 0)}}
}

// node returns the id of the node for a call, which may be self. The list alive is ordered by id.
func (p *placer) node(alive []member, self string) string {
	i, ok := slices.BinarySearchFunc(alive, self, func(m member, id string) int { return strings.Compare(m.id, id) })
	if !ok || len(alive) < 2 {
		return self
	}
	v := placeView{alive, i}
	p.self.PE = int32(i)
	to := p.policy.Place(v, &p.self, -1)
	if to < 0 || to >= len(alive) {
		return self
	}
	return alive[to].id
}

// A placeView presents nodes to a policy as PEs, all of them neighbours.
type placeView struct {
	alive []member
	self  int
}

func (v placeView) PEs() int { return len(v.alive) }

// Load returns the number of calls at a node for each 64 of its PEs. This node counts as busy, since one of its
// threads forks.
func (v placeView) Load(pe int) int {
	if pe < 0 {
		return 0
	}
	m := &v.alive[pe]
	n := m.load + m.sent
	if pe == v.self {
		n = max(n, m.pes)
	}
	return n * 64 / max(1, m.pes)
}

func (v placeView) Distance(a, b int) int {
	if a == b {
		return 0
	}
	return 1
}

func (v placeView) Near(s *sim.Self, k int) int {
	if k+1 >= len(v.alive) {
		return -1
	}
	return (int(s.PE) + 1 + k) % len(v.alive)
}

func (v placeView) Outward(pe int, cursor *uint64) int {
	if int(*cursor)+1 >= len(v.alive) {
		return -1
	}
	*cursor++
	return (pe + int(*cursor)) % len(v.alive)
}

func (v placeView) Offered(int) int { return -1 }
