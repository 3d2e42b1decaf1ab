// Package nbody moves bodies under forces, as the dynamic-system animation paper does to show how a parallel machine computes and communicates
// (Osawa, Morita, Yuba, "Animation for performance debugging of parallel computing systems", 1997): a PE is a body, what it sends pulls it
// towards the receiver, repulsion keeps bodies apart, friction calms them, elastic links hold the shape of the network.
//
// Forces are functions over arrays that add to an array of forces (forces.go, tree.go); a Model has their constants, and a System moves its
// bodies by velocity Verlet with a fixed step. What a System does is a pure function of what it was given: the same on every machine, with
// any number of workers. Lengths, times and masses have units of their own.
package nbody

import (
	"fmt"
	"math"
)

// A Vec is a point, a velocity or a force.
type Vec [3]float64

// A Link is elastic, between two bodies.
type Link struct{ A, B int32 }

// A Pull draws the body From towards To with a force of Strength times Model.Attraction, however far they are apart.
type Pull struct {
	From, To int32
	Strength float64
}

// A Model is the constants of an equation of motion,
//
//	m x'' = Repulsion * sum of (x - y) / |x - y|^3 over all others
//	      + Attraction * sum of strength * (y - x) / |y - x| over the pulls
//	      + Elastic * sum of (Length - |x - y|) * (x - y) / |x - y| over the links
//	      - Friction * x'
//
// which is that of both cases of the paper: in the first masses are 1 and there are no links, in the second pulls are symmetric.
type Model struct {
	Repulsion  float64
	Attraction float64
	Symmetric  bool // a pull acts on its receiver, too, and not on the sender alone
	Friction   float64
	Elastic    float64
	Length     float64 // of a link at rest, and of the lattice
	Step       float64 // of time
	Theta      float64 // how large a cell looks, its side by its distance, that acts as one body where there are more than Exact
	Workers    int     // goroutines that compute forces; 0 is 1
	Hold       int     // moves for which the repulsion of more than Exact bodies stays as it is; 0 is 1
}

// Exact is up to how many bodies all pairs are computed; more repel each other by the method of Barnes and Hut.
const Exact = 512

// Cube is the first case of the paper: Fibonacci numbers on 8 PEs, which stand at the corners of a cube.
func Cube() Model {
	return Model{Repulsion: 1, Attraction: 2, Friction: 1, Length: 2, Step: 0.01, Theta: 0.9}
}

// Mesh is the second case: PEs of a network in three dimensions, whose masses are their loads.
func Mesh() Model {
	return Model{Repulsion: 0.05, Attraction: 2, Symmetric: true, Friction: 3, Elastic: 4, Length: 1, Step: 0.01, Theta: 0.9}
}

// soft is the length below which repulsion grows no more, so that bodies that meet do not leap. Masses are not less than lightest.
const (
	soft     = 1e-3
	lightest = 1e-3
	largest  = 1e6 // of constants
)

// Check returns an error that names the constant that is out of range.
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
		case !(c.v >= c.from && c.v <= c.to): // nor is NaN
			return fmt.Errorf("%s %g: want a number from %g to %g", c.name, c.v, c.from, c.to)
		case c.notAtFrom && c.v == c.from:
			return fmt.Errorf("%s %g: want more than %g, and at most %g", c.name, c.v, c.from, c.to)
		}
	}
	return nil
}

// Lattice returns the places of n bodies in a lattice of the shape of a cube, as near as there is one, around the origin. Eight are the corners of
// a cube.
func Lattice(n int, length float64) []Vec {
	x, y, z := Sides(n)
	return Grid(x, y, z, n, length)
}

// Sides are those of the lattice of n bodies.
func Sides(n int) (x, y, z int) {
	side := max(int(math.Ceil(math.Cbrt(float64(n))-1e-9)), 1)
	return side, side, (n + side*side - 1) / (side * side)
}

// Grid returns the places of the first n bodies of a lattice of nx by ny by nz, around the origin: body x + nx * (y + ny * z) is at x, y, z.
func Grid(nx, ny, nz, n int, length float64) []Vec {
	at := func(i, n int) float64 { return (float64(i) - float64(n-1)/2) * length }
	x := make([]Vec, n)
	for i := range x {
		x[i] = Vec{at(i%nx, nx), at(i/nx%ny, ny), at(i/nx/ny, nz)}
	}
	return x
}

// GridLinks joins the neighbours of a Grid.
func GridLinks(nx, ny, nz, n int) []Link {
	var links []Link
	for i := range n {
		for _, d := range [3]struct{ at, of, by int }{{i % nx, nx, 1}, {i / nx % ny, ny, nx}, {i / nx / ny, nz, nx * ny}} {
			if j := i + d.by; d.at+1 < d.of && j < n {
				links = append(links, Link{int32(i), int32(j)})
			}
		}
	}
	return links
}
