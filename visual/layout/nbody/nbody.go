// Package nbody moves bodies under forces, as the dynamic-system animation of parallel machines does (Osawa, Morita,
// Yuba, "Animation for performance debugging of parallel computing systems", 1997). A PE is a body; a message pulls
// its sender towards the receiver, repulsion keeps bodies apart, friction slows them, and elastic links hold the shape
// of the network.
//
// Forces are functions that add to an array of forces (forces.go, tree.go). A Model holds their constants, and a
// System moves bodies by velocity Verlet with a fixed step. The motion is a pure function of the input: it is the same
// on every machine and with any number of workers. Lengths, times and masses have units of their own.
package nbody

import "fmt"

// A Vec is a point, a velocity or a force.
type Vec [3]float64

// A Link is an elastic connection of two bodies. Rest is its length without forces.
type Link struct {
	A, B int32
	Rest float64
}

// A Pull draws the body From towards To with the force Strength times Model.Attraction, independent of their distance.
type Pull struct {
	From, To int32
	Strength float64
}

// A Model holds the constants of the equation of motion:
//
//	m x'' = Repulsion * sum of (x - y) / |x - y|^3 over all others
//	      + Attraction * sum of strength * (y - x) / |y - x| over the pulls
//	      + Elastic * sum of (Rest - |x - y|) * (x - y) / |x - y| over the links
//	      - Friction * x'
//
// It covers both cases of the paper: in the first, masses are 1 and there are no links; in the second, pulls are
// symmetric.
type Model struct {
	Repulsion  float64
	Attraction float64
	Symmetric  bool // a pull acts on its receiver as well as on its sender
	Friction   float64
	Elastic    float64
	Length     float64 // distance between neighbours at the start
	Step       float64 // time step
	Theta      float64 // with more than Exact bodies: the largest ratio of a cell's side to its distance at which it acts as one body
	Workers    int     // goroutines that compute forces; 0 is 1
	Hold       int     // moves that reuse the repulsion of more than Exact bodies; 0 is 1
}

// Exact is the largest number of bodies whose repulsion is computed pair by pair; for more, the method of Barnes and
// Hut is used.
const Exact = 512

// Cube returns the model of the paper's first case: Fibonacci numbers on 8 PEs at the corners of a cube.
func Cube() Model {
	return Model{Repulsion: 1, Attraction: 2, Friction: 1, Length: 2, Step: 0.01, Theta: 0.9}
}

// Mesh returns the model of the second case: PEs of a three-dimensional network, whose masses are their loads.
func Mesh() Model {
	return Model{Repulsion: 0.05, Attraction: 2, Symmetric: true, Friction: 3, Elastic: 4, Length: 1, Step: 0.01, Theta: 0.9}
}

// soft is the length below which repulsion stops growing, so that colliding bodies are not flung apart. lightest is
// the least mass.
const (
	soft     = 1e-3
	lightest = 1e-3
	largest  = 1e6 // bound of constants and masses
)

// Check returns an error that names the first constant out of range.
func (m *Model) Check() error {
	for _, c := range []struct {
		name      string
		v         float64
		from, to  float64
		notAtFrom bool
	}{
		{"repulsion", m.Repulsion, 0, largest, false},
		{"attraction", m.Attraction, 0, largest, false},
		{"friction", m.Friction, 0, largest, false},
		{"elastic", m.Elastic, 0, largest, false},
		{"length", m.Length, 0, largest, true},
		{"step", m.Step, 0, 1, true},
		{"theta", m.Theta, 0, 2, false},
	} {
		switch {
		case !(c.v >= c.from && c.v <= c.to): // also for NaN
			return fmt.Errorf("%s %g: expected a number from %g to %g", c.name, c.v, c.from, c.to)
		case c.notAtFrom && c.v == c.from:
			return fmt.Errorf("%s %g: expected more than %g, and at most %g", c.name, c.v, c.from, c.to)
		}
	}
	return nil
}
