package lower

import (
	"fmt"

	"whorl/hpfsim/syntax"
)

// data sets the initial values of a DATA statement.
func (l *lowerer) data(d *syntax.Data) {
	for _, set := range d.Sets {
		values := l.dataValues(set.Values)
		taken := 0
		for _, t := range set.Targets {
			l.dataTarget(t, nil, func(s *Symbol, at int, cut *syntax.Section, pos syntax.Pos) bool {
				if taken == len(values) {
					return false
				}
				v := values[taken]
				taken++
				s.Saved = true
				if v.T.Base == syntax.CharacterType {
					if s.Type.Base != syntax.CharacterType {
						l.fail(pos, s.Type.String(), "%s is %v, but its value is characters", s.Name, s.Type)
						return false
					}
					text := v.Value
					if cut != nil {
						text.S = l.spliced(s, at, cut, v.S)
					}
					s.Initial = append(s.Initial, Init{at, text})
					return true
				}
				s.Initial = append(s.Initial, Init{at, l.fitting(v, s.Type, s.Name)})
				return true
			})
		}
		if wanted := l.dataCount(set.Targets); wanted >= 0 && wanted != len(values) {
			l.fail(set.Targets[0].Position(), "as many values as variables", "DATA has %d values for %d variables", len(values), wanted)
		}
	}
}

func (l *lowerer) dataValues(list []syntax.DataValue) []*Const {
	var out []*Const
	for _, v := range list {
		n := int64(1)
		if v.Repeat != nil {
			var ok bool
			if n, ok = l.constInt(v.Repeat, "a repeat count of DATA"); !ok || n < 0 || n > maxInitial {
				l.fail(v.Repeat.Position(), "0 to 4194304", "a value that is repeated %d times", n)
				continue
			}
		}
		x := l.expr(v.Value)
		c, ok := x.(*Const)
		if !ok {
			if x != nil {
				l.fail(v.Value.Position(), "a constant", "a value of DATA is not constant")
			}
			continue
		}
		if int64(len(out))+n > maxInitial {
			l.fail(v.Value.Position(), "at most 4194304", "too many values")
			return out
		}
		for range n {
			out = append(out, c)
		}
	}
	return out
}

// dataCount returns the number of elements of the targets, or -1 if it is not known.
func (l *lowerer) dataCount(targets []syntax.Expr) int {
	n := 0
	for _, t := range targets {
		before := len(l.errs)
		l.dataTarget(t, nil, func(*Symbol, int, *syntax.Section, syntax.Pos) bool { n++; return n < maxInitial })
		if len(l.errs) > before {
			l.errs = l.errs[:before]
			return -1
		}
	}
	return n
}

// dataTarget calls fill for each element of a DATA target, with its place in the array and the section of a substring,
// until fill returns false.
func (l *lowerer) dataTarget(e syntax.Expr, vars map[string]int64, fill func(s *Symbol, at int, cut *syntax.Section, pos syntax.Pos) bool) bool {
	switch e := e.(type) {
	case *syntax.Var:
		s := l.ownSymbol(e.Name)
		if s.Rank() == 0 {
			return fill(s, 0, nil, e.Pos)
		}
		n, ok := constSize(s)
		if !ok {
			l.fail(e.Pos, "constant bounds", "%s has an initial value but no constant size", s.Name)
			return false
		}
		for i := range n {
			if !fill(s, i, nil, e.Pos) {
				return false
			}
		}
		return true
	case *syntax.Apply:
		s := l.ownSymbol(e.Name)
		if (s.Rank() == 0 || s.Boxed) && len(e.Args) == 1 && isSection(e.Args[0].Value) {
			return fill(s, 0, e.Args[0].Value.(*syntax.Section), e.Pos)
		}
		at, ok := l.dataPlace(s, e, vars)
		return ok && fill(s, at, nil, e.Pos)
	case *syntax.Substring:
		return l.dataTarget(e.X, vars, func(s *Symbol, at int, _ *syntax.Section, pos syntax.Pos) bool {
			return fill(s, at, &syntax.Section{Pos: pos, Lo: l.inLoops(e.Lo, vars), Hi: l.inLoops(e.Hi, vars)}, pos)
		})
	case *syntax.ImpliedDo:
		lo, ok1 := l.dataInt(e.Lo, vars)
		hi, ok2 := l.dataInt(e.Hi, vars)
		step, ok3 := int64(1), true
		if e.Step != nil {
			step, ok3 = l.dataInt(e.Step, vars)
		}
		if !ok1 || !ok2 || !ok3 || step == 0 || (hi-lo)/step > maxInitial {
			return false
		}
		inner := map[string]int64{}
		for k, v := range vars {
			inner[k] = v
		}
		for i := lo; step > 0 && i <= hi || step < 0 && i >= hi; i += step {
			inner[e.Var.Text] = i
			for _, item := range e.Items {
				if !l.dataTarget(item, inner, fill) {
					return false
				}
			}
		}
		return true
	}
	l.fail(e.Position(), "a variable, an element or an implied loop", "DATA cannot give this a value")
	return false
}

// spliced returns the initial text of an element of characters with some of them replaced.
func (l *lowerer) spliced(s *Symbol, at int, cut *syntax.Section, by string) string {
	n := l.constLength(s, 0)
	text := pad("", n)
	for _, x := range s.Initial {
		if x.Index == at {
			text = pad(x.Value.S, n)
		}
	}
	lo, hi, ok := int64(1), int64(n), true
	if cut.Lo != nil {
		lo, ok = l.constInt(cut.Lo, "a bound of a substring")
	}
	if cut.Hi != nil && ok {
		hi, ok = l.constInt(cut.Hi, "a bound of a substring")
	}
	switch {
	case !ok || lo > hi:
		return text
	case lo < 1 || hi > int64(n):
		l.fail(cut.Pos, fmt.Sprintf("1 to %d", n), "characters %d to %d of a text of %d", lo, hi, n)
		return text
	}
	return text[:lo-1] + pad(by, int(hi-lo+1)) + text[hi:]
}

// dataPlace returns the place of an element in the order of Fortran's arrays.
func (l *lowerer) dataPlace(s *Symbol, e *syntax.Apply, vars map[string]int64) (int, bool) {
	lo, hi, ok := constBounds(s)
	if !ok || len(lo) != len(e.Args) || len(lo) == 0 {
		l.fail(e.Pos, "an array with constant bounds", "an element of %s gets a value by DATA", s.Name)
		return 0, false
	}
	at, weight := 0, 1
	for d, a := range e.Args {
		i, ok := l.dataInt(a.Value, vars)
		if !ok {
			return 0, false
		}
		if i < int64(lo[d]) || i > int64(hi[d]) {
			l.fail(a.Value.Position(), "an index within the bounds", "index %d is outside of dimension %d of %s, which runs from %d to %d", i, d+1, s.Name, lo[d], hi[d])
			return 0, false
		}
		at += (int(i) - lo[d]) * weight
		weight *= hi[d] - lo[d] + 1
	}
	return at, true
}

// inLoops returns a bound of a substring with the values of the variables of implied loops. Other bounds stay as they are.
func (l *lowerer) inLoops(e syntax.Expr, vars map[string]int64) syntax.Expr {
	if e == nil || len(vars) == 0 {
		return e
	}
	if v, ok := l.dataInt(e, vars); ok {
		return &syntax.Int{Pos: e.Position(), Value: v, Kind: "8"}
	}
	return e
}

// dataInt returns the value of an integer expression in the variables of implied loops.
func (l *lowerer) dataInt(e syntax.Expr, vars map[string]int64) (int64, bool) {
	switch e := e.(type) {
	case *syntax.Var:
		if v, ok := vars[e.Text]; ok {
			return v, true
		}
	case *syntax.Paren:
		return l.dataInt(e.X, vars)
	case *syntax.Unary:
		v, ok := l.dataInt(e.X, vars)
		if e.Op == syntax.Sub {
			v = -v
		}
		return v, ok
	case *syntax.Binary:
		a, ok1 := l.dataInt(e.X, vars)
		b, ok2 := l.dataInt(e.Y, vars)
		if !ok1 || !ok2 || e.Op > syntax.Pow {
			return 0, false
		}
		v, ok := Apply2(e.Op, Value{I: a}, Value{I: b}, Type{syntax.IntegerType, 8}, Type{syntax.IntegerType, 8})
		return v.I, ok
	}
	return l.constInt(e, "a subscript in DATA")
}
