package cluster

import (
	"fmt"
	"slices"
	"strings"

	"whorl/internal/nearest"
	"whorl/sim"
	"whorl/sim/policy"
)

// DefaultPolicy places a fork on the node with the fewest calls for each of its PEs.
const DefaultPolicy = "least-loaded"

// Policies are the names of the policies that place work, which are those that there can be between nodes: nobody steals over a network.
func Policies() []string {
	var names []string
	for _, k := range policy.All {
		if t := k.New().Traits(); !t.Central && (!t.Stays || k.Name == "static") {
			names = append(names, k.Name)
		}
	}
	return names
}

// findPolicy returns the policy of that name, DefaultPolicy for "".
func findPolicy(name string) (sim.Policy, error) {
	if name == "" {
		name = DefaultPolicy
	}
	known := Policies()
	if slices.Contains(known, name) {
		return policy.Named(name)
	}
	if _, err := policy.Named(name); err == nil {
		return nil, fmt.Errorf("policy %s keeps work where it was forked, which between nodes is nowhere else: expected %s", name, strings.Join(known, ", "))
	}
	text := fmt.Sprintf("there is no policy %q between nodes: expected %s", name, strings.Join(known, ", "))
	if near := nearest.Names(name, known); len(near) > 0 {
		text += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return nil, fmt.Errorf("%s", text)
}

// A placer finds nodes for calls. Its caller holds a lock.
type placer struct {
	policy sim.Policy
	self   sim.Self
}

func newPlacer(p sim.Policy, seed uint64) *placer {
	return &placer{policy: p, self: sim.Self{Rand: sim.NewRand(seed, 0)}}
}

// node returns the id of the node for a call out of those alive, the id self for this one.
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

// A placeView shows nodes to a policy as PEs, each of which is a neighbour of all others.
type placeView struct {
	alive []member
	self  int
}

func (v placeView) PEs() int { return len(v.alive) }

// Load is the number of calls at a node for each 64 of its PEs. This node is taken to be busy, since one of its threads forks.
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
