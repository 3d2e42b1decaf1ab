package lower

import (
	"slices"
	"strings"

	"whorl/hpfsim/syntax"
)

// passable lists the intrinsic functions that may be arguments, by the types of their arguments and their result
// (Fortran 95, section 13.14).
var passable = []struct {
	argument, result syntax.BaseType
	names            string
}{
	{syntax.RealType, syntax.RealType, "ABS ACOS AINT ALOG ALOG10 AMOD ANINT ASIN ATAN ATAN2 COS COSH DIM EXP SIGN SIN SINH SQRT TAN TANH"},
	{syntax.RealType, syntax.IntegerType, "NINT"},
	{syntax.RealType, syntax.DoubleType, "DPROD"},
	{syntax.IntegerType, syntax.IntegerType, "IABS IDIM ISIGN MOD"},
	{
		syntax.DoubleType, syntax.DoubleType,
		"DABS DACOS DASIN DATAN DATAN2 DCOS DCOSH DDIM DEXP DINT DLOG DLOG10 DMOD DNINT DSIGN DSIN DSINH DSQRT DTAN DTANH",
	},
	{syntax.DoubleType, syntax.IntegerType, "IDNINT"},
	{syntax.ComplexType, syntax.ComplexType, "CCOS CEXP CLOG CONJG CSIN CSQRT"},
	{syntax.ComplexType, syntax.RealType, "AIMAG CABS"},
}

// passed returns the procedure for an intrinsic function that is an argument: a function of the program that calls
// it. It returns nil for other names.
func (l *lowerer) passed(n syntax.Name) *Symbol {
	declared := false
	for u := l.unit; u != nil && !declared; u = u.Host {
		declared = u.intrinsics[n.Text]
	}
	if !declared {
		return nil
	}
	if s := l.wrapped[n.Text]; s != nil {
		return s
	}
	fn := intrinsics[n.Text]
	for _, row := range passable {
		if slices.Contains(strings.Fields(row.names), n.Text) {
			s := procedure(l.wrapper(fn, n, row.argument, row.result))
			l.wrapped[n.Text] = s
			return s
		}
	}
	l.fail(n.Pos, "one with a specific name, such as SIN or DSIN", "the intrinsic procedure %s cannot be an argument", n.Text)
	return &Symbol{Name: n.Text, Class: Unusable, Index: -1}
}

// wrapper adds a function to the program that returns the value of an intrinsic one.
func (l *lowerer) wrapper(fn *Intrinsic, at syntax.Name, takes, gives syntax.BaseType) *Unit {
	name := func(text string) syntax.Name { return syntax.Name{Text: text, Pos: at.Pos} }
	u := &syntax.Unit{Kind: syntax.Function, Name: fn.Name, Pos: at.Pos, End: at.Pos, Pure: true, Result: "RESULT", Type: &syntax.Type{Pos: at.Pos, Base: gives}}
	d := &syntax.Declare{Pos: at.Pos, Type: &syntax.Type{Pos: at.Pos, Base: takes}, Intent: "IN"}
	call := &syntax.Apply{Name: at}
	for _, p := range fn.Params[:fn.least] {
		u.Params = append(u.Params, name(p.Name))
		d.Entities = append(d.Entities, syntax.Entity{Name: name(p.Name)})
		call.Args = append(call.Args, syntax.Arg{Value: &syntax.Var{Name: name(p.Name)}})
	}
	u.Specs = []syntax.Spec{d}
	u.Body = []syntax.Stmt{&syntax.Assign{Head: syntax.Head{Pos: at.Pos, To: at.Pos}, Left: &syntax.Var{Name: name(u.Result)}, Right: call}}
	around, open := l.unit, l.open
	defer func() { l.unit, l.open = around, open }()
	n := l.declareUnit(&part{Unit: u}, nil)
	l.unitSymbols(n)
	l.open = nil
	l.body(n)
	return n
}
