package nbody

import (
	"fmt"
	"math"
	"slices"
)

// A System is a set of moving bodies. Its fields may be changed between steps to finite values; Load and Pull ensure
// that.
type System struct {
	Model
	X, V  []Vec
	Mass  []float64
	Links []Link
	Pulls []Pull

	held  []Vec // forces of repulsion and links for the places in last
	last  []Vec
	apart []Vec // repulsion reused for several moves
	moves int   // since apart was computed
	force []Vec
	tree  tree
}

// New returns bodies of mass 1 at rest. It returns an error if a constant or a link is out of range.
func New(m Model, x []Vec, links []Link) (*System, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	n := len(x)
	for _, l := range links {
		if l.A < 0 || l.B < 0 || int(l.A) >= n || int(l.B) >= n {
			return nil, fmt.Errorf("a link between %d and %d: there are %d bodies", l.A, l.B, n)
		}
	}
	s := &System{Model: m, X: slices.Clone(x), V: make([]Vec, n), Mass: make([]float64, n), Links: links, force: make([]Vec, n), held: make([]Vec, n)}
	for i := range s.Mass {
		s.Mass[i] = 1
	}
	return s, nil
}

// Load sets the mass of a body, limited to lightest and largest.
func (s *System) Load(body int, mass float64) {
	if mass >= lightest && mass <= largest {
		s.Mass[body] = mass
	} else if !(mass > largest) {
		s.Mass[body] = lightest
	} else {
		s.Mass[body] = largest
	}
}

// Pull sets the pulls. It drops those with an invalid strength or a missing body.
func (s *System) Pull(pulls []Pull) {
	s.Pulls = s.Pulls[:0]
	for _, p := range pulls {
		if n := len(s.X); p.From != p.To && p.From >= 0 && p.To >= 0 && int(p.From) < n && int(p.To) < n && p.Strength >= 0 {
			p.Strength = min(p.Strength, largest)
			s.Pulls = append(s.Pulls, p)
		}
	}
}

// Limits of a move, whatever the constants are.
const (
	fastest  = 1e4 // speed
	farthest = 1e7 // coordinate
)

// Move makes a step of velocity Verlet: half of the forces and friction, the motion, and the other half at the new
// places.
func (s *System) Move() {
	h := s.Step
	s.push(h / 2)
	for i := range s.X {
		x, v := &s.X[i], &s.V[i]
		if _, square := minus(v, &Vec{}); !(square <= fastest*fastest) {
			*v = slowed(v)
		}
		for k := range x {
			if x[k] += float64(v[k] * h); math.Abs(x[k]) > farthest {
				x[k], v[k] = math.Copysign(farthest, x[k]), 0
			}
		}
	}
	s.moves++
	s.push(h / 2)
}

// slowed returns a velocity of the same direction with the speed fastest.
func slowed(v *Vec) Vec {
	most := max(math.Abs(v[0]), math.Abs(v[1]), math.Abs(v[2]))
	if !(most <= math.MaxFloat64) {
		return Vec{}
	}
	u := Vec{v[0] / most, v[1] / most, v[2] / most}
	_, square := minus(&u, &Vec{})
	long := math.Sqrt(square)
	return Vec{u[0] / long * fastest, u[1] / long * fastest, u[2] / long * fastest}
}

// push changes the velocities by the forces and friction of the given time.
func (s *System) push(time float64) {
	s.rest()
	copy(s.force, s.held)
	Attract(s.X, s.Pulls, s.Attraction, s.Symmetric, s.force)
	Push(s.V, s.force, s.Mass, s.Friction, time)
}

// rest computes the forces that depend on the places alone, unless no body has moved.
func (s *System) rest() {
	if len(s.last) == len(s.X) && slices.Equal(s.last, s.X) {
		return
	}
	s.last = append(s.last[:0], s.X...)
	clear(s.held)
	switch {
	case s.Repulsion == 0:
	case len(s.X) <= Exact:
		Repel(s.X, s.Repulsion, s.held)
	case s.Hold <= 1:
		s.repel(0, s.held)
	default:
		s.hold()
	}
	Stretch(s.X, s.Links, s.Elastic, s.held)
}

// repel adds the tree's repulsion to f.
func (s *System) repel(soft float64, f []Vec) {
	s.tree.soft = soft
	s.tree.build(s.X)
	s.tree.repel(s.Repulsion, s.Theta, s.Workers, f)
}

// heldSoft is the length, in units of Model.Length, below which a reused repulsion stops growing. Without it, two
// bodies that meet would be flung apart by a force that outlasts their encounter.
const heldSoft = 0.25

// hold recomputes the repulsion, which takes most of the time but changes slowly over distance, once in Hold moves.
// The first move of a System recomputes it, so that a System started from the state of another after a multiple of
// Hold moves continues identically.
func (s *System) hold() {
	if len(s.apart) != len(s.X) || s.moves >= s.Hold {
		s.apart = append(s.apart[:0], s.held...) // zeros
		s.repel(s.Length*heldSoft, s.apart)
		s.moves = 0
	}
	copy(s.held, s.apart)
}
