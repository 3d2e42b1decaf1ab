package lower

// A closing is the answer of Closed, once it is known.
type closing uint8

const (
	unasked closing = iota
	isClosed
	notClosed
)

// Closed reports whether a procedure computes from its arguments alone: it is PURE, uses only its own unmapped variables,
// and calls only closed procedures. Several calls of it may run at the same time.
func (u *Unit) Closed() bool {
	if u.closed == unasked {
		u.closed = isClosed // for its recursive calls
		if !u.computesAlone() {
			u.closed = notClosed
		}
	}
	return u.closed == isClosed
}

func (u *Unit) computesAlone() bool {
	if !u.Pure || u.Local {
		return false
	}
	for _, s := range u.Symbols {
		if s.Place != nil || s.Block != nil || s.Dummy > 0 && s.Class == Procedure {
			return false
		}
	}
	ok := true
	own := func(x Expr) {
		Walk(x, func(e Expr) {
			switch e := e.(type) {
			case *Ref:
				ok = ok && (e.Sym.Unit == u || e.Sym.Class == Constant)
			case *Element:
				ok = ok && (e.Sym.Unit == u || e.Sym.Class == Constant)
			case *Invoke:
				ok = ok && e.Sym.Proc != nil && e.Sym.Proc.Closed()
			case *Call:
				ok = ok && e.Fn.Sort != Service
			}
		})
	}
	Statements(u.Body, func(s Stmt) {
		Expressions(s, own)
		switch s := s.(type) {
		case *Subcall:
			ok = ok && (s.Native != nil || s.Proc.Proc != nil && s.Proc.Proc.Closed())
		case *Output, *Input, *FileStmt, *Allocate, *Deallocate, *Define, *Associate, *Remap:
			ok = false
		}
	})
	return ok
}
