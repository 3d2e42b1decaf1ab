package lower

import (
	"strings"

	"whorl/hpfsim/syntax"
)

// pool enters a pool, whose arrays are declared before.
func (l *lowerer) pool(s *syntax.Pool) {
	p := l.symbol(s.Live).Pool
	for _, x := range s.Parts {
		a := l.symbol(x.Array)
		a.Pool = p
		p.Parts = append(p.Parts, Part{a, l.symbol(x.Default)})
	}
}

// leads notes that a variable has handles of a pool.
func (l *lowerer) leads(s *Symbol, t *syntax.Type) {
	if t != nil && t.Base == syntax.IntegerType && t.Of.Text != "" {
		live := s
		if s.Name == t.Of.Text {
			s.Pool = &Pool{Live: s}
		} else {
			live = l.find(t.Of.Text)
		}
		if live != nil { // an interface does not use the module of pools
			s.Leads = live.Pool
		}
	}
}

// targets resolves variables for handles.
func (l *lowerer) targets(all []syntax.Pooled) []Pooled {
	var out []Pooled
	for _, t := range all {
		if x := l.left(t.Handles); x != nil {
			out = append(out, Pooled{l.symbol(t.Pool).Pool, x})
		}
	}
	return out
}

// tested returns the handle that a comparison tests for ASSOCIATED, nil for other operators.
func tested(e *Binary) Expr {
	zero, ok := e.Y.(*Const)
	if !ok || e.Op != syntax.NE || zero.I != 0 {
		return nil
	}
	switch x := e.X.(type) {
	case *Ref:
		if x.Sym.Leads != nil {
			return x
		}
	case *Element:
		if x.Sym.Leads != nil {
			return x
		}
	}
	return nil
}

// isTarget returns the subscript of an element of a pool, which is that of a target, and nil for other elements.
func isTarget(e *Element) Expr {
	if e.Sym.Pool == nil {
		return nil
	}
	return e.Subs[len(e.Subs)-1].Index
}

// writeTarget writes an element of a pool as the program does.
func writeTarget(b *strings.Builder, e *Element) {
	write(b, isTarget(e))
	_, component, _ := strings.Cut(e.Sym.Name, "%%")
	if component == "" { // the target itself
		return
	}
	b.WriteString("%" + strings.ToLower(component))
	if rest := e.Subs[:len(e.Subs)-1]; len(rest) > 0 {
		subscripts(b, rest)
	}
}
