package reference

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"

	"whorl/fghc/syntax"
)

// errNone reports that an expression has no value: it divides by zero, or an operand is not an integer.
var errNone = errors.New("there is no such number")

// evaluate evaluates expressions from left to right, or returns the variables that they wait for. Unless wide is set,
// all operands and results must fit 64 bits.
func (e env) evaluate(ts []syntax.Term, wide bool) (ns []*big.Int, on []*variable, err error) {
	values := make([]term, len(ts))
	for i, t := range ts {
		name, args, ok := children(t)
		if !ok {
			values[i] = deref(e.build(t))
			continue
		}
		if name == "int/" && len(args) == 1 {
			f, on, err := e.float(args[0])
			if on != nil || err != nil {
				return nil, on, err
			}
			n, _ := big.NewFloat(f).Int(nil)
			if !n.IsInt64() {
				return nil, nil, errors.New("integer overflow")
			}
			values[i] = integer{n}
			continue
		}
		operands, on, err := e.evaluate(args, wide)
		if on != nil || err != nil {
			return nil, on, err
		}
		n, err := operate(fmt.Sprint(name, len(args)), operands)
		for _, m := range append(operands, n) {
			if err == nil && !wide && !m.IsInt64() && strings.HasSuffix(t.Position().File, ".kl1") {
				m.SetInt64(int64(new(big.Int).And(m, new(big.Int).SetUint64(math.MaxUint64)).Uint64()))
			}
			if err == nil && !wide && !m.IsInt64() {
				err = errors.New("integer overflow")
			}
		}
		if err != nil {
			return nil, nil, err
		}
		values[i] = integer{n}
	}
	for _, v := range values {
		switch v := v.(type) {
		case *variable:
			on = append(on, v)
		case integer:
			ns = append(ns, v.Int)
		default:
			err = errNone
		}
	}
	if on != nil {
		return nil, on, nil
	}
	return ns, nil, err
}

// operate applies the operator name/arity.
func operate(name string, x []*big.Int) (*big.Int, error) {
	n := new(big.Int)
	switch name {
	case "+/2":
		return n.Add(x[0], x[1]), nil
	case "-/2":
		return n.Sub(x[0], x[1]), nil
	case "*/2":
		return n.Mul(x[0], x[1]), nil
	case "//2", "mod/2":
		if x[1].Sign() == 0 {
			return nil, errNone
		}
		if name == "mod/2" {
			return n.Rem(x[0], x[1]), nil // with the sign of the dividend
		}
		return n.Quo(x[0], x[1]), nil
	case `/\/2`:
		return n.And(x[0], x[1]), nil
	case `\//2`:
		return n.Or(x[0], x[1]), nil
	case "xor/2":
		return n.Xor(x[0], x[1]), nil
	case "<</2", ">>/2":
		if x[1].Sign() < 0 || x[1].Cmp(big.NewInt(1<<20)) > 0 {
			return nil, errors.New("the shift is out of range")
		}
		if name == "<</2" {
			return n.Lsh(x[0], uint(x[1].Int64())), nil
		}
		return n.Rsh(x[0], uint(x[1].Int64())), nil
	case "-/1":
		return n.Neg(x[0]), nil
	case "+/1":
		return x[0], nil
	case `\/1`:
		return n.Not(x[0]), nil
	}
	return nil, fmt.Errorf("there is no operator %s", name)
}

// value evaluates the right side of an assignment.
func (e env) value(t syntax.Term, assignment string) (term, []*variable, error) {
	if assignment == "$:=/2" {
		f, on, err := e.float(t)
		return float(f), on, err
	}
	n, on, err := e.evaluate([]syntax.Term{&syntax.Compound{Name: "+", Args: []syntax.Term{t}}}, assignment == "bigint/2")
	if on != nil || err != nil {
		return nil, on, err
	}
	return integer{n[0]}, nil, nil
}

// float evaluates an expression of floats.
func (e env) float(t syntax.Term) (f float64, on []*variable, err error) {
	name, args, ok := children(t)
	if !ok {
		switch v := deref(e.build(t)).(type) {
		case *variable:
			return 0, []*variable{v}, nil
		case float:
			return float64(v), nil, nil
		}
		return 0, nil, errNone
	}
	if name == "float/" {
		n, on, err := e.evaluate(args, false)
		if on != nil || err != nil {
			return 0, on, err
		}
		f, _ = new(big.Float).SetInt(n[0]).Float64()
		return f, nil, nil
	}
	x := make([]float64, len(args))
	for i, a := range args {
		if _, _, nested := children(a); nested {
			if x[i], on, err = e.float(a); on != nil || err != nil {
				return 0, on, err
			}
		}
	}
	bad := false
	for i, a := range args {
		if _, _, nested := children(a); !nested {
			v, more, err := e.float(a)
			x[i], on, bad = v, append(on, more...), bad || err != nil
		}
	}
	switch {
	case on != nil:
		return 0, on, nil
	case bad:
		return 0, nil, errNone
	}
	switch fmt.Sprint(name, len(args)) {
	case "+/2":
		f = x[0] + x[1]
	case "-/2":
		f = x[0] - x[1]
	case "*/2":
		f = x[0] * x[1]
	case "//2":
		f = x[0] / x[1]
	case "-/1":
		f = -x[0]
	case "+/1":
		f = x[0]
	case "pow/2":
		f = math.Pow(x[0], x[1])
	case "sqrt/1":
		f = math.Sqrt(x[0])
	case "floor/1":
		f = math.Floor(x[0])
	case "ceil/1":
		f = math.Ceil(x[0])
	case "exp/1":
		f = math.Exp(x[0])
	default:
		return 0, nil, fmt.Errorf("there is no function %s", name)
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, nil, errNone
	}
	return f + 0, nil, nil
}
