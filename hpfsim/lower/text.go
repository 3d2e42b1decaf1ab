package lower

import (
	"fmt"
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
		b.WriteString(strings.ToLower(e.Sym.Name))
	case *Element:
		b.WriteString(strings.ToLower(e.Sym.Name) + "(")
		for i, s := range e.Subs {
			if i > 0 {
				b.WriteString(",")
			}
			write(b, s.At)
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
	case *Substring:
		write(b, e.X)
		b.WriteString("(")
		write(b, e.Lo)
		b.WriteString(":")
		write(b, e.Hi)
		b.WriteString(")")
	case *Unary:
		b.WriteString(e.Op.String())
		write(b, e.X)
	case *Binary:
		if x, ok := e.X.(*Binary); ok && e.Op >= syntax.Mul && e.Op <= syntax.Pow && x.Op <= syntax.Sub {
			b.WriteString("(")
			write(b, e.X)
			b.WriteString(")")
		} else {
			write(b, e.X)
		}
		b.WriteString(e.Op.String())
		if y, ok := e.Y.(*Binary); ok && y.Op <= syntax.Sub {
			b.WriteString("(")
			write(b, e.Y)
			b.WriteString(")")
			return
		}
		write(b, e.Y)
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
