package lower

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"whorl/hpfsim/syntax"
)

// text writes an expression as a listing shows it.
func text(x Expr) string {
	var b strings.Builder
	write(&b, x)
	return b.String()
}

// Text writes an expression as messages show it.
func Text(x Expr) string { return text(x) }

func write(b *strings.Builder, x Expr) {
	list := func(items []Expr) {
		for i, e := range items {
			if i > 0 {
				b.WriteString(",")
			}
			write(b, e)
		}
	}
	switch e := x.(type) {
	case nil:
	case *Const:
		switch e.T.Base {
		case syntax.CharacterType:
			fmt.Fprintf(b, "'%s'", e.S)
		case syntax.LogicalType:
			fmt.Fprintf(b, ".%t.", e.I != 0)
		case syntax.IntegerType:
			fmt.Fprint(b, e.I)
		case syntax.ComplexType:
			fmt.Fprintf(b, "(%g,%g)", real(e.Z), imag(e.Z))
		case syntax.RealType:
			b.WriteString(strconv.FormatFloat(e.F, 'g', -1, 32))
		default:
			b.WriteString(strconv.FormatFloat(e.F, 'g', -1, 64))
		}
	case *Ref:
		writeSlot(b, e.Sym)
	case *Element:
		if e.Sym.Pool != nil {
			writeTarget(b, e)
			return
		}
		writeSlot(b, e.Sym)
		if e.Sym.Slot == nil || !e.Sym.Boxed {
			subscripts(b, e.Subs)
		}
	case *Substring:
		write(b, e.X)
		b.WriteString("(")
		write(b, e.Lo)
		b.WriteString(":")
		write(b, e.Hi)
		b.WriteString(")")
	case *Unary:
		b.WriteString(e.Op.String())
		operand(b, e.X, precedence(e.Op)+1)
	case *Binary:
		if p := tested(e); p != nil {
			b.WriteString("associated(")
			write(b, p)
			b.WriteString(")")
			return
		}
		n := precedence(e.Op)
		left, right := n, n+1
		if e.Op == syntax.Pow {
			left, right = n+1, n
		}
		operand(b, e.X, left)
		b.WriteString(e.Op.String())
		operand(b, e.Y, right)
	case *Conv:
		write(b, e.X)
	case *Call:
		b.WriteString(strings.ToLower(e.Fn.Name) + "(")
		for i, a := range e.Args {
			if a != nil {
				if i > 0 {
					b.WriteString(",")
				}
				write(b, a)
			}
		}
		b.WriteString(")")
	case *Invoke:
		b.WriteString(strings.ToLower(e.Sym.Name) + "(")
		list(e.Args)
		b.WriteString(")")
	case *List:
		b.WriteString("(/")
		list(e.Items)
		b.WriteString("/)")
	case *Loop:
		b.WriteString("(")
		list(e.Items)
		b.WriteString("," + strings.ToLower(e.Var.Name) + "=")
		list([]Expr{e.Lo, e.Hi})
		b.WriteString(")")
	}
}

// subscripts writes subscripts in parentheses.
func subscripts(b *strings.Builder, all []Sub) {
	b.WriteString("(")
	for i, s := range all {
		if i > 0 {
			b.WriteString(",")
		}
		write(b, s.Index)
		if s.Section {
			write(b, s.Lo)
			b.WriteString(":")
			write(b, s.Hi)
			if s.Step != nil {
				b.WriteString(":")
				write(b, s.Step)
			}
		}
	}
	b.WriteString(")")
}

// operand writes an operand, in parentheses if its operator has a lower precedence than least.
func operand(b *strings.Builder, x Expr, least int) {
	n := 100
	switch e := bare(x).(type) {
	case *Unary:
		n = precedence(e.Op)
	case *Binary:
		n = precedence(e.Op)
	case *Const:
		if e.I < 0 || math.Signbit(e.F) {
			n = precedence(syntax.Sub)
		}
	}
	if n >= least {
		write(b, x)
		return
	}
	b.WriteString("(")
	write(b, x)
	b.WriteString(")")
}

// bare returns an expression without its outer conversions, which are not written.
func bare(x Expr) Expr {
	for {
		c, ok := x.(*Conv)
		if !ok {
			return x
		}
		x = c.X
	}
}

// precedence returns that of an operator.
func precedence(op syntax.Op) int {
	switch op {
	case syntax.Pow:
		return 8
	case syntax.Mul, syntax.Div:
		return 7
	case syntax.Add, syntax.Sub:
		return 6
	case syntax.Concat:
		return 5
	case syntax.Not:
		return 3
	case syntax.And:
		return 2
	case syntax.Or:
		return 1
	case syntax.Eqv, syntax.Neqv:
		return 0
	}
	return 4
}
