package nbody

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"whorl/testdata/must"
)

// TestPush compares a velocity under friction and a force with the formula, for weak and strong friction.
func TestPush(t *testing.T) {
	for _, c := range []struct{ friction, mass, time, within float64 }{{0, 2, 1, 1e-12}, {1, 2, 0.01, 1e-6}, {1, 2, 0.1, 1e-4}, {1e4, 2, 1, 1e-9}, {1e6, 1e-3, 1, 1e-12}} {
		v := []Vec{{1, -2, 0}}
		Push(v, []Vec{{3, 0, 0}}, []float64{c.mass}, c.friction, c.time)
		left := math.Exp(-c.friction * c.time / c.mass)
		by := c.time / c.mass
		if c.friction > 0 {
			by = (1 - left) / c.friction
		}
		want := Vec{left + 3*by, -2 * left, 0}
		if _, d := minus(&v[0], &want); math.Sqrt(d) > c.within {
			t.Errorf("%+v: %v, want %v", c, v[0], want)
		}
	}
}

// mesh is a distorted mesh of 27 bodies without friction, in the model of the second case.
func mesh(t testing.TB, change func(*Model)) *System {
	t.Helper()
	m := Mesh()
	m.Friction = 0
	change(&m)
	x, links := Grid(Cells(27), m.Length)
	for i := range x {
		x[i][i%3] += 0.2 * float64(i%5-2)
	}
	return must.Get(New(m, x, links))(t)
}

// TestEnergyIsKept checks that without friction the error of the energy stays small over many steps and falls to a
// quarter with half the step.
func TestEnergyIsKept(t *testing.T) {
	worst := func(step, time float64) float64 {
		s := mesh(t, func(m *Model) { m.Step = step })
		before, most := s.energy(), 0.0
		for i := range int(time / step) {
			if s.Move(); i%7 == 0 {
				most = max(most, math.Abs(s.energy()-before)/before)
			}
		}
		return most
	}
	long := worst(0.01, 100)
	if long > 2e-4 {
		t.Errorf("within 10,000 steps the relative error of the energy reached %g", long)
	}
	one, half := worst(0.02, 5), worst(0.01, 5)
	if r := one / half; r < 3 || r > 5 {
		t.Errorf("halving the step reduces the error %g times, want 4", r)
	}
	// Friction consumes the energy.
	s := mesh(t, func(m *Model) { m.Friction = 1 })
	before := s.energy()
	for range 2000 {
		s.Move()
	}
	if after := s.energy(); after > 0.9*before {
		t.Errorf("with friction the energy is %g of %g", after, before)
	}
}

// TestTwoBodies compares the motion of two bodies that repel each other with the closed formula.
func TestTwoBodies(t *testing.T) {
	m := Model{Repulsion: 2, Length: 1, Step: 0.001}
	s := must.Get(New(m, []Vec{{-0.5, 0, 0}, {0.5, 0, 0}}, nil))(t)
	for range 3000 {
		s.Move()
	}
	// For masses of 1 the distance r obeys r'^2 / 4 + R/r = R, so the time to reach r is the integral of sqrt(r /
	// (r-1)) from 1 to r over sqrt(4R).
	r := s.X[1][0] - s.X[0][0]
	time := (math.Sqrt(r*(r-1)) + math.Log(math.Sqrt(r)+math.Sqrt(r-1))) / math.Sqrt(4*m.Repulsion)
	if math.Abs(time-3) > 1e-4 {
		t.Errorf("at %g after %g, want after 3", r, time)
	}
}

// TestSame checks that a motion is reproducible, from the start and from a state on the way, with any number of
// workers.
func TestSame(t *testing.T) {
	for _, n := range []int{27, 700} {
		run := func(workers, steps int, s *System) *System {
			if s == nil {
				m := Mesh()
				m.Workers = workers
				var err error
				if s, err = New(m, Lattice(n, 1), nil); err != nil {
					t.Fatal(err)
				}
			}
			for i := range steps {
				s.Pull([]Pull{{int32(i % n), int32((i + 1) % n), 3}})
				s.Move()
			}
			return s
		}
		a, b := run(1, 12, nil), run(4, 12, nil)
		half := run(1, 6, nil)
		c := must.Get(New(half.Model, half.X, nil))(t)
		copy(c.V, half.V)
		for i := 6; i < 12; i++ {
			c.Pull([]Pull{{int32(i % n), int32((i + 1) % n), 3}})
			c.Move()
		}
		if !slices.Equal(a.X, b.X) || !slices.Equal(a.V, b.V) || !slices.Equal(a.X, c.X) {
			t.Errorf("%d bodies: the second run differs", n)
		}
	}
}

// TestMeshReturns checks that a distorted mesh returns to its shape if its bodies repel each other weakly. Without
// repulsion it stays folded, since in many shapes all links have their rest length (section 5 of the paper).
func TestMeshReturns(t *testing.T) {
	settle := func(m Model, pulls []Pull, drawn float64) []Vec {
		x, links := Grid(Cells(27), m.Length)
		s := must.Get(New(m, x, links))(t)
		s.Pull(pulls)
		for range int(drawn / m.Step) {
			s.Move()
		}
		s.Pull(nil)
		for range int(100 / m.Step) {
			s.Move()
		}
		return s.X
	}
	// wrong returns the largest difference of a distance between two bodies.
	wrong := func(a, b []Vec) (most float64) {
		for i := range a {
			for j := range i {
				_, p := minus(&a[i], &a[j])
				_, q := minus(&b[i], &b[j])
				most = max(most, math.Abs(math.Sqrt(p)-math.Sqrt(q)))
			}
		}
		return most
	}
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 3))
		var pulls []Pull
		for range 6 {
			pulls = append(pulls, Pull{r.Int32N(27), r.Int32N(27), 1})
		}
		m := Mesh()
		m.Step = 0.02
		shape := settle(m, nil, 0)
		if e := wrong(shape, settle(m, pulls, 20)); e > 0.01 {
			t.Errorf("seed %d: the mesh returns with distances wrong by %.3f", seed, e)
		}
		m.Repulsion = 0
		if e := wrong(Lattice(27, m.Length), settle(m, pulls, 20)); e < 0.5 {
			t.Errorf("seed %d: the lattice is restored even without repulsion, with distances wrong by %.3f", seed, e)
		}
	}
}

// TestHold checks that reusing the repulsion for a few moves changes the motion little and reusing it for many moves
// does not, and that a system started from the state of another after a multiple of Hold moves continues identically.
func TestHold(t *testing.T) {
	run := func(hold, moves int, from *System) *System {
		m := Cube()
		m.Step, m.Hold = 0.1, hold
		m.Repulsion = 0.1
		x := Lattice(2000, m.Length)
		if from != nil {
			x = from.X
		}
		s := must.Get(New(m, x, nil))(t)
		if from != nil {
			copy(s.V, from.V)
		}
		var pulls []Pull
		for i := range int32(2000) {
			pulls = append(pulls, Pull{i, (i*7919 + 13) % 2000, 1})
		}
		s.Pull(pulls)
		for range moves {
			s.Move()
		}
		return s
	}
	exact := run(1, 48, nil)
	wrong := func(s *System) float64 {
		sum := 0.0
		for i := range s.X {
			_, square := minus(&s.X[i], &exact.X[i])
			sum += square / float64(len(s.X))
		}
		return math.Sqrt(sum) / Spread(exact.X)
	}
	few, many := wrong(run(4, 48, nil)), wrong(run(48, 48, nil))
	if few > 0.05 || many < 1.3*few {
		t.Errorf("held for 4 moves, places are wrong by %.4f of the spread, for 48 by %.4f", few, many)
	}
	for _, c := range []struct {
		hold int
		most float64
	}{{4, 0.006}, {12, 0.015}} {
		if s := Spread(run(c.hold, 48, nil).X) / Spread(exact.X); math.Abs(s-1) > c.most {
			t.Errorf("held for %d moves, the spread is %.4f times that without holding", c.hold, s)
		}
	}
	if s := Spread(run(48, 48, nil).X) / Spread(exact.X); math.Abs(s-1) < 0.03 {
		t.Errorf("held for 48 moves, the spread is %.4f times that without holding: Hold has no effect", s)
	}
	for _, hold := range []int{4, 12} {
		if again := run(hold, 24, run(hold, 24, nil)); !slices.Equal(again.X, run(hold, 48, nil).X) {
			t.Errorf("held for %d moves, a continued system moves differently", hold)
		}
	}
	if again := run(5, 24, run(5, 24, nil)); slices.Equal(again.X, run(5, 48, nil).X) {
		t.Error("the continued system moves identically although 24 is not a multiple of 5")
	}
}

// energy returns the kinetic and potential energy of all bodies, without pulls, which have no potential.
func (s *System) energy() float64 {
	e := 0.0
	for i := range s.X {
		_, square := minus(&s.V[i], &Vec{})
		e += float64(0.5 * s.Mass[i] * square)
		for j := range i {
			_, square := minus(&s.X[i], &s.X[j])
			e += s.Repulsion / math.Sqrt(square+soft*soft)
		}
	}
	for _, l := range s.Links {
		_, square := minus(&s.X[l.A], &s.X[l.B])
		d := math.Sqrt(square) - s.Length
		e += float64(0.5 * s.Elastic * d * d)
	}
	return e
}
