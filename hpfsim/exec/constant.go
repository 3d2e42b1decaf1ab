package exec

import (
	"math"

	"whorl/hpfsim/charge"
	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/sim"
)

const (
	constantBytes  = 256 << 20 // memory of arrays while a constant is computed
	constantValues = 1 << 22   // elements of one
)

// Constant computes a constant expression as a run would. It is a lower.Evaluator. It knows only the bounds of variables.
func Constant(x lower.Expr) (shape []int, values []lower.Value, problem *syntax.Error) {
	m := &Machine{plain: true, left: math.MaxInt, limits: Limits{Bytes: constantBytes}, ranks: []int32{0}, clocks: charge.New(1, charge.Options{Model: sim.Model{InstructionPs: 1}})}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *RunError:
			problem = &syntax.Error{Pos: r.Pos, Msg: r.Text}
		case *LimitError:
			problem = &syntax.Error{Pos: x.Position(), Msg: "a constant with too many elements", Want: "at most 4194304"}
		default:
			panic(r)
		}
	}()
	f := m.constants(x)
	a := f.array(x)
	m.reserve(a.t, a.length, a.size())
	if a.size() > constantValues {
		panic(&LimitError{"memory"})
	}
	a.eachElement(func(at int) { values = append(values, a.get(at)) })
	return a.n, values, nil
}

// constants makes frames with the constants and variables of an expression.
func (m *Machine) constants(x lower.Expr) *frame {
	f := &frame{Machine: m, code: &code{nests: map[any]*nest{}}, who: []int32{0}}
	lower.Walk(x, func(e lower.Expr) {
		var s *lower.Symbol
		switch e := e.(type) {
		case *lower.Ref:
			s = e.Sym
		case *lower.Element:
			s = e.Sym
		default:
			return
		}
		g := f
		for g.unit != nil && g.unit != s.Unit {
			if g.host == nil {
				g.host = &frame{Machine: m, code: f.code, who: f.who}
			}
			g = g.host
		}
		if g.unit == nil {
			g.unit, g.vars = s.Unit, make([]*array, len(s.Unit.Symbols))
		}
		if g.vars[s.Index] == nil {
			g.vars[s.Index] = g.constant(s)
		}
	})
	return f
}

// constant makes a constant array, or the bounds of another array without its elements.
func (f *frame) constant(s *lower.Symbol) *array {
	lo, n := f.bounds(s.Bounds, s.Pos)
	if s.Class != lower.Constant {
		return &array{t: s.Type, lo: lo, n: n, step: packedSteps(n)}
	}
	length := 0
	for _, v := range s.Elements {
		length = max(length, len(v.S))
	}
	a := f.newArray(s.Type, length, lo, n)
	for i, v := range s.Elements {
		a.set(i, v)
	}
	return a
}
