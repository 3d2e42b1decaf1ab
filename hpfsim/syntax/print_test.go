package syntax

import (
	"fmt"
	"strings"
)

// Text writes an expression in lower case, as in free form. Reading it again gives the same expression.
func Text(e Expr) string {
	var b strings.Builder
	write(&b, e)
	return b.String()
}

func write(b *strings.Builder, e Expr) {
	switch e := e.(type) {
	case nil:
	case *Var:
		b.WriteString(strings.ToLower(e.Text))
	case *Boz:
		fmt.Fprintf(b, "z'%X'", e.Bits)
	case *Int:
		fmt.Fprint(b, e.Value)
		kind(b, e.Kind)
	case *Real:
		text := strings.ToLower(e.Text)
		if e.Double {
			text = strings.Replace(text, "e", "d", 1)
		}
		b.WriteString(text)
		kind(b, e.Kind)
	case *Complex:
		b.WriteByte('(')
		write(b, e.Re)
		b.WriteString(", ")
		write(b, e.Im)
		b.WriteByte(')')
	case *Logical:
		fmt.Fprintf(b, ".%v.", e.Value)
	case *Str:
		b.WriteString("'" + strings.ReplaceAll(e.Value, "'", "''") + "'")
	case *Unary:
		b.WriteString(e.Op.String())
		if e.Op == Not {
			b.WriteByte(' ')
		}
		write(b, e.X)
	case *Paren:
		b.WriteByte('(')
		write(b, e.X)
		b.WriteByte(')')
	case *Binary:
		write(b, e.X)
		if e.Op == Pow || e.Op == Mul || e.Op == Div {
			b.WriteString(e.Op.String())
		} else {
			b.WriteString(" " + e.Op.String() + " ")
		}
		write(b, e.Y)
	case *Defined:
		if e.X != nil {
			write(b, e.X)
			b.WriteByte(' ')
		}
		b.WriteString(e.Op + " ")
		write(b, e.Y)
	case *Apply:
		b.WriteString(strings.ToLower(e.Text))
		writeArgs(b, e.Args)
	case *Substring:
		write(b, e.X)
		b.WriteByte('(')
		write(b, e.Lo)
		b.WriteByte(':')
		write(b, e.Hi)
		b.WriteByte(')')
	case *Section:
		write(b, e.Lo)
		b.WriteByte(':')
		write(b, e.Hi)
		if e.Step != nil {
			b.WriteByte(':')
			write(b, e.Step)
		}
	case *Star:
		b.WriteByte('*')
	case *Constructor:
		b.WriteString("(/ ")
		list(b, e.Items)
		b.WriteString(" /)")
	case *ImpliedDo:
		b.WriteByte('(')
		list(b, e.Items)
		b.WriteString(", ")
		writeControl(b, &e.Control, ", ")
		b.WriteByte(')')
	}
}

func kind(b *strings.Builder, k string) {
	if k != "" {
		b.WriteString("_" + strings.ToLower(k))
	}
}

func list(b *strings.Builder, items []Expr) {
	for i, e := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		write(b, e)
	}
}

func writeArgs(b *strings.Builder, args []Arg) {
	b.WriteByte('(')
	for i, a := range args {
		if i > 0 {
			b.WriteString(", ")
		}
		if a.Keyword != "" {
			b.WriteString(strings.ToLower(a.Keyword) + "=")
		}
		write(b, a.Value)
	}
	b.WriteByte(')')
}

// writeControl writes v = lo, hi, step, or with colons between.
func writeControl(b *strings.Builder, c *Control, between string) {
	b.WriteString(strings.ToLower(c.Var.Text) + " = ")
	write(b, c.Lo)
	b.WriteString(between)
	write(b, c.Hi)
	if c.Step != nil {
		b.WriteString(between)
		write(b, c.Step)
	}
}
