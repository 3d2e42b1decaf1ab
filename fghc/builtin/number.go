package builtin

import (
	"bytes"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"whorl/fghc/arith"
	"whorl/fghc/term"
)

// Integer returns the value of an integer term.
func Integer(c Context, w term.Word) (*big.Int, bool) {
	if v, ok := Small(c, w); ok {
		return big.NewInt(v), true
	}
	if w.Tag() != term.Box || c.Raw(w.Index()).BoxKind() != term.KindBig {
		return nil, false
	}
	i := w.Index() + 1
	bits := make([]big.Word, c.Raw(i-1).BoxWords()-1)
	for k := range bits {
		bits[k] = big.Word(c.Raw(i + 1 + k))
	}
	v := new(big.Int).SetBits(bits)
	if c.Raw(i) == 1 {
		v.Neg(v)
	}
	return v, true
}

// IsInteger reports whether a term is an integer of any size.
func IsInteger(c Context, w term.Word) bool {
	if w.Tag() == term.Box {
		kind := c.Raw(w.Index()).BoxKind()
		return kind == term.KindInt || kind == term.KindBig
	}
	return w.Tag() == term.Int
}

// Small returns the value of an integer term that fits in 64 bits.
func Small(c Context, w term.Word) (int64, bool) {
	switch {
	case w.Tag() == term.Int:
		return w.Value(), true
	case w.Tag() == term.Box && c.Raw(w.Index()).BoxKind() == term.KindInt:
		return int64(c.Raw(w.Index() + 1)), true
	}
	return 0, false
}

// NewInteger makes an integer term in the shortest representation of v.
func NewInteger(c Context, v *big.Int) term.Word {
	if v.IsInt64() {
		return NewSmall(c, v.Int64())
	}
	bits := v.Bits()
	i, w := newBox(c, term.KindBig, 1+len(bits))
	if v.Sign() < 0 {
		c.Store(i, 1)
	} else {
		c.Store(i, 0)
	}
	for k, b := range bits {
		c.Store(i+1+k, term.Word(b))
	}
	return w
}

// NewSmall makes an integer term.
func NewSmall(c Context, v int64) term.Word {
	if term.FitsWord(v) {
		return term.MakeInt(v)
	}
	i, w := newBox(c, term.KindInt, 1)
	c.Store(i, term.Word(v))
	return w
}

// Float returns the value of a float term.
func Float(c Context, w term.Word) (float64, bool) {
	if w.Tag() != term.Box || c.Raw(w.Index()).BoxKind() != term.KindFloat {
		return 0, false
	}
	return math.Float64frombits(uint64(c.Raw(w.Index() + 1))), true
}

// NewFloat makes a float term. It normalizes -0 to 0.
func NewFloat(c Context, v float64) term.Word {
	if v == 0 {
		v = 0 // instead of -0
	}
	i, w := newBox(c, term.KindFloat, 1)
	c.Store(i, term.Word(math.Float64bits(v)))
	return w
}

// newBox makes a box. The caller must store its words, which begin at index i, next.
func newBox(c Context, kind, words int) (i int, w term.Word) {
	i = c.Alloc(1 + words)
	c.Store(i, term.BoxHeader(kind, words))
	return i + 1, term.MakeBox(i)
}

func isFloat(c Context, args []term.Word) Verdict {
	_, ok := Float(c, args[0])
	return holds(ok)
}

func holds(b bool) Verdict {
	if b {
		return Yes
	}
	return No
}

// method returns a builtin for an operation on floats, with the arguments (operand, ..., result).
func method(op arith.Op) func(c Context, args []term.Word) Verdict {
	return func(c Context, args []term.Word) Verdict {
		y := args[0]
		if len(args) == 3 {
			y = args[1]
		}
		w, problem, text := Arith(c, op, args[0], y)
		if problem != None {
			return c.Fault(-1, "%s", text)
		}
		args[len(args)-1] = w
		return Yes
	}
}

// objectTest returns a test whether the comparison of two floats, or of two strings, has one of the given signs.
func objectTest(signs ...int) func(c Context, args []term.Word) Verdict {
	return func(c Context, args []term.Word) Verdict {
		if a, ok := Text(c, args[0]); ok {
			b, ok := Text(c, args[1])
			return holds(ok && slices.Contains(signs, bytes.Compare(a, b)))
		}
		sign, ok := Sign(c, true, args[0], args[1])
		return holds(ok && slices.Contains(signs, sign))
	}
}

// newFloat has the arguments (float, integer or string).
func newFloat(c Context, args []term.Word) Verdict {
	if b, ok := Text(c, args[1]); ok {
		v, err := strconv.ParseFloat(strings.TrimSpace(string(b)), 64)
		if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			return c.Fault(1, aNumber)
		}
		args[0] = NewFloat(c, v)
		return Yes
	}
	w, problem, _ := Arith(c, arith.ToFloat, args[1], args[1])
	if problem != None {
		return c.Fault(1, aNumber)
	}
	args[0] = w
	return Yes
}

const aNumber = `an integer, or a string such as "2.5"`
