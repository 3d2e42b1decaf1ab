package reference

import (
	"errors"
	"fmt"
	"math/big"

	"whorl/fghc/syntax"
)

// errNone says that an expression has no value: it divides by zero, or an operand is no integer.
var errNone = errors.New("there is no such number")

// evaluate computes expressions from left to right, or says which variables they wait for. Unless wide is set no operand and no result of
// an operation may leave 64 bits.
func (e env) evaluate(ts []syntax.Term, wide bool) (ns []*big.Int, on []*variable, err error) {
	values := make([]term, len(ts))
	for i, t := range ts {
		name, args, ok := children(t)
		if !ok {
			values[i] = deref(e.build(t))
			continue
		}
		operands, on, err := e.evaluate(args, wide)
		if on != nil || err != nil {
			return nil, on, err
		}
		n, err := operate(fmt.Sprint(name, len(args)), operands)
		for _, m := range append(operands, n) {
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
			return n.Rem(x[0], x[1]), nil // the sign of the dividend
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
