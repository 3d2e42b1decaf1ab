package bodies

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/traffic"
	"whorl/visual/layout/nbody"
)

// A Mapping says what of a trace becomes what of the bodies.
type Mapping struct {
	nbody.Model
	Force string  // what pulls: bytes or messages
	Mass  string  // what makes a body heavy: nothing, busy, queue, reductions or ticks
	Links bool    // neighbours in the network are joined, and bodies begin where their PEs stand in it
	Paths bool    // bodies are joined between which there is ever traffic
	Most  float64 // that a pull may be in proportion to the mean, 0 for no bound
}

// Measures that Force and Mass take.
var (
	forces = []string{"bytes", "messages"}
	masses = []string{"nothing", "busy", "queue", "reductions", "ticks"}
)

// Cube and Mesh are the mappings of the two cases of the paper.
func Cube() Mapping { return Mapping{Model: nbody.Cube(), Force: "bytes", Mass: "nothing"} }

// Mesh is that of a network in which PEs have neighbours.
func Mesh() Mapping { return Mapping{Model: nbody.Mesh(), Force: "bytes", Mass: "busy", Links: true} }

// Calls is that of procedures, which are joined to those that they ever call: where there are calls they come together, slowly, and one that has much
// to do is heavy. Some call a single time, which does not fling them away.
func Calls() Mapping {
	m := Cube()
	m.Force, m.Mass, m.Symmetric, m.Paths, m.Most = "messages", "reductions", true, true, 4
	m.Repulsion, m.Elastic, m.Friction = 2, 2, 10
	return m
}

// amount is what of a flow pulls.
func (m *Mapping) amount(f *traffic.Flow) int64 {
	if m.Force == "messages" {
		return f.Messages
	}
	return f.Bytes
}

// weight is what of a load makes heavy.
func (m *Mapping) weight(l *traffic.Load) int64 {
	switch m.Mass {
	case "busy":
		return l.Busy
	case "queue":
		return l.Queue
	case "reductions":
		return l.Reductions
	case "ticks":
		return l.Ticks
	}
	return 0
}

// Check says what a trace lacks, or which constant is out of range.
func (m *Mapping) Check(t *traffic.Traffic) error {
	if err := m.Model.Check(); err != nil {
		return err
	}
	var messages, amount int64
	for i := range t.Flows {
		if f := &t.Flows[i]; f.From != f.To {
			messages += f.Messages
			amount += m.amount(f)
		}
	}
	switch {
	case t.PEs < 2:
		return errors.New("there is one PE: bodies move where several send to each other")
	case messages == 0:
		return errors.New("no PE sent anything to another one, and no work went to another: there is nothing that moves bodies")
	case t.From == t.To:
		return errors.New("all that happened is at one instant: there is no time in which bodies could move")
	case amount == 0:
		return errors.New("all messages are of 0 bytes: let messages pull, and not bytes")
	}
	return nil
}

// farthestPE is how far from 0 a coordinate in a network may be: what is further says nothing of a network.
const farthestPE = 1 << 20

// unplaced says whether a PE has no place of one to three coordinates in a network.
func unplaced(p tracer.PE) bool {
	return len(p.Coords) == 0 || len(p.Coords) > 3 || slices.ContainsFunc(p.Coords, func(c int32) bool { return c < -farthestPE || c > farthestPE })
}

// arrange is where the bodies of a trace begin, and the links between them.
func (m *Mapping) arrange(meta *tracer.Meta, t *traffic.Traffic) ([]nbody.Vec, []nbody.Link) {
	n := t.Nodes()
	if m.Paths {
		return nbody.Lattice(n, m.Length), paths(t)
	}
	if !m.Links {
		return nbody.Lattice(n, m.Length), nil
	}
	if t.Group > 1 || len(meta.PEInfo) < n || slices.ContainsFunc(meta.PEInfo[:n], unplaced) {
		x, y, z := nbody.Sides(n)
		return nbody.Grid(x, y, z, n, m.Length), nbody.GridLinks(x, y, z, n)
	}
	at := make(map[[3]int32]int32, n)
	x := make([]nbody.Vec, n)
	for i := range n {
		var c [3]int32
		copy(c[:], meta.PEInfo[i].Coords)
		at[c] = int32(i)
		for k := range c {
			x[i][k] = float64(c[k]) * m.Length
		}
	}
	var links []nbody.Link
	for i := range n {
		var c [3]int32
		copy(c[:], meta.PEInfo[i].Coords)
		for k := range c {
			next := c
			next[k]++
			if j, ok := at[next]; ok && int(j) != i {
				links = append(links, nbody.Link{A: int32(i), B: j})
			}
		}
	}
	centre := nbody.Centre(x)
	for i := range x {
		for k := range x[i] {
			x[i][k] -= centre[k]
		}
	}
	return x, links
}

// paths are the pairs between which there is traffic, in order.
func paths(t *traffic.Traffic) []nbody.Link {
	pairs := map[nbody.Link]bool{}
	for i := range t.Flows {
		if f := &t.Flows[i]; f.From != f.To {
			pairs[nbody.Link{A: min(f.From, f.To), B: max(f.From, f.To)}] = true
		}
	}
	return slices.SortedFunc(maps.Keys(pairs), func(a, b nbody.Link) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
}
