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

// A Mapping selects the model of motion, and the measures of a trace that become force and mass.
type Mapping struct {
	nbody.Model
	Force   string  // measure of traffic: bytes or messages
	Mass    string  // measure of load: nothing, busy, queue, reductions or ticks
	Links   bool    // join neighbours in the network; bodies start in its shape
	Paths   bool    // join each pair of bodies with any traffic in the run
	MaxPull float64 // bound of a pull, as a multiple of the mean; 0 for none
	MaxLoad float64 // bound of a load that gives mass, as a multiple of the mean; 0 for none
}

// Values of Force and Mass.
var (
	forces = []string{"bytes", "messages"}
	masses = []string{"nothing", "busy", "queue", "reductions", "ticks"}
)

// Cube returns the mapping of the first case of the paper: free bodies without mass differences.
func Cube() Mapping { return Mapping{Model: nbody.Cube(), Force: "bytes", Mass: "nothing"} }

// Mesh returns the mapping of the second case of the paper: PEs with neighbours in a network.
func Mesh() Mapping { return Mapping{Model: nbody.Mesh(), Force: "bytes", Mass: "busy", Links: true} }

// Calls returns the mapping for procedures. Elastic links join procedures with calls between them, strong friction
// averages the motion, and procedures with much work are heavy. The bound of a pull keeps a single call from flinging
// bodies away.
func Calls() Mapping {
	m := Cube()
	m.Force, m.Mass, m.Symmetric, m.Paths, m.MaxPull = "messages", "reductions", true, true, 4
	m.Repulsion, m.Elastic, m.Friction = 2, 2, 10
	return m
}

// amount returns the measure of a flow that pulls.
func (m *Mapping) amount(f *traffic.Flow) int64 {
	if m.Force == "messages" {
		return f.Messages
	}
	return f.Bytes
}

// weight returns the measure of a load that gives mass.
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

// Check reports which constant is out of range, or what a trace lacks for motion.
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
		return errors.New("there is only one PE: bodies move if several PEs send to each other")
	case messages == 0:
		return errors.New("no PE sent messages or work to another PE: nothing moves the bodies")
	case t.From == t.To:
		return errors.New("all events happened at one instant: there is no time for motion")
	case amount == 0:
		return errors.New("all messages have 0 bytes: set force=messages")
	}
	return nil
}

// farthestPE bounds the coordinates of PEs in a network. PEs with coordinates beyond it count as unplaced.
const farthestPE = 1 << 20

// unplaced reports whether a PE lacks valid coordinates in a network.
func unplaced(p tracer.PE) bool {
	return len(p.Coords) == 0 || slices.ContainsFunc(p.Coords, func(c int32) bool { return c < -farthestPE || c > farthestPE })
}

// arrange returns the initial positions of the bodies of a trace and the links between them.
func (m *Mapping) arrange(meta *tracer.Meta, t *traffic.Traffic) ([]nbody.Vec, []nbody.Link) {
	n := t.Nodes()
	switch {
	case m.Paths:
		return nbody.Lattice(n, m.Length), paths(t, m.Length)
	case !m.Links:
		return nbody.Lattice(n, m.Length), nil
	case t.Group > 1 || len(meta.PEInfo) < n || slices.ContainsFunc(meta.PEInfo[:n], unplaced):
		return nbody.Grid(nbody.Cells(n), m.Length)
	case meta.Network == "ring":
		return nbody.Ring(n, m.Length)
	case meta.Network == "hypercube":
		return nbody.Hypercube(n, m.Length)
	}
	cells := make([]nbody.Cell, n)
	for i := range cells {
		copy(cells[i][:], meta.PEInfo[i].Coords)
	}
	switch meta.Network {
	case "torus2d", "torus3d":
		return nbody.Torus(cells, m.Length)
	case "fattree":
		return nbody.FatTree(cells, m.Length)
	}
	return nbody.Grid(cells, m.Length)
}

// paths returns links of the given length between the pairs of bodies with traffic, in order.
func paths(t *traffic.Traffic, length float64) []nbody.Link {
	pairs := map[nbody.Link]bool{}
	for i := range t.Flows {
		if f := &t.Flows[i]; f.From != f.To {
			pairs[nbody.Link{A: min(f.From, f.To), B: max(f.From, f.To), Rest: length}] = true
		}
	}
	return slices.SortedFunc(maps.Keys(pairs), func(a, b nbody.Link) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
}
