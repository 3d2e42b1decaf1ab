package parallelize

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// effects describe what a function does in addition to computing its results. A nil cause means that it does not do
// so.
type effects struct {
	acts   *cause         // visible to others: writes to memory that it did not make, output, channels, calls of unknown functions
	writes map[int]*cause // writes through parameters and, numbered after them, captured variables
	reads  *cause         // reads memory that others may write
	panics *cause         // may panic
	fresh  []bool         // for each result: the call itself made the memory that it refers to directly
}

// A cause is an instruction, with a description that completes a sentence about its function.
type cause struct {
	pos  token.Pos
	what string
}

// judge finds the effects of every function of the package, and the marked functions that can be forked. It assumes
// no effects at first and scans all instructions until nothing changes, so that mutually recursive functions are
// covered.
func (r *rewriter) judge() {
	var all []*ssa.Function
	var add func(f *ssa.Function)
	add = func(f *ssa.Function) {
		if f != nil && f.Blocks != nil {
			all = append(all, f)
			for _, a := range f.AnonFuncs {
				add(a)
			}
		}
	}
	add(r.prog.Package(r.pkg.Types).Func("init"))
	for _, obj := range r.pkg.TypesInfo.Defs {
		if fn, ok := obj.(*types.Func); ok {
			add(r.prog.FuncValue(fn))
		}
	}
	slices.SortFunc(all, func(a, b *ssa.Function) int { return int(a.Pos() - b.Pos()) })
	for _, f := range all {
		e := &effects{writes: map[int]*cause{}, fresh: make([]bool, f.Signature.Results().Len())}
		for i := range e.fresh {
			e.fresh[i] = true
		}
		r.effects[f] = e
	}
	for changed := true; changed; {
		changed = false
		for _, f := range all {
			l := scanner{r: r, fn: f, e: r.effects[f], anywhere: true}
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					l.instruction(in)
				}
			}
			changed = changed || l.changed
		}
	}
	if r.surveyAll(all); r.assume() {
		r.surveyAll(all)
	}
	for _, f := range r.funcs {
		if f.mark != nil {
			why := r.unfit(f)
			if f.fit = why == ""; !f.fit {
				r.left(f.decl.Name.Pos(), "%s stays sequential: it %s", f.title(), why)
			}
		}
	}
}

// A scanner collects the effects of instructions.
type scanner struct {
	r        *rewriter
	fn       *ssa.Function
	e        *effects
	changed  bool
	anywhere bool // it scans the whole function, so effects on memory made by the function do not count

	from, to token.Pos // else the range that it scans; threads may refer to memory made before
	inPlace  bool      // it leaves writes of functions that work in place to others
	rounds   bool      // it leaves all writes to slices to others
}

// makes reports whether an instruction allocates memory that others may refer to.
func (l *scanner) makes(in ssa.Instruction) bool {
	return l.anywhere || in.Pos() < l.from || l.to <= in.Pos()
}

func (l *scanner) set(c **cause, pos token.Pos, format string, args ...any) {
	if *c == nil {
		*c = &cause{pos, fmt.Sprintf(format, args...)}
		l.changed = true
	}
}

func (l *scanner) acts(pos token.Pos, format string, args ...any) {
	l.set(&l.e.acts, pos, format, args...)
}

// wrote records a write to the memory of v.
func (l *scanner) wrote(v ssa.Value, pos token.Pos, format string, args ...any) {
	if l.rounds && (isSlice(v.Type()) || ofSlice(v)) {
		return
	}
	at := l.root(v)
	switch {
	case at.other:
		l.acts(pos, format, args...)
	case !l.anywhere && (at.made || len(at.params) > 0):
		l.acts(pos, format, args...) // the thread may refer to it
	}
	for _, p := range at.params {
		if l.e.writes[p] == nil {
			l.e.writes[p] = &cause{pos, fmt.Sprintf(format, args...)}
			l.changed = true
		}
	}
}

// read records a read of the memory of v.
func (l *scanner) read(v ssa.Value, pos token.Pos) {
	if at := l.root(v); at.other || len(at.params) > 0 {
		l.set(&l.e.reads, pos, "reads %s", named(v))
	}
}

func (l *scanner) panics(pos token.Pos, format string, args ...any) {
	l.set(&l.e.panics, pos, format, args...)
}

// instruction records the effects of an instruction.
func (l *scanner) instruction(in ssa.Instruction) {
	pos := in.Pos()
	switch in := in.(type) {
	case *ssa.Store:
		l.wrote(in.Addr, pos, "writes to %s", named(in.Addr))
	case *ssa.MapUpdate:
		l.wrote(in.Map, pos, "writes to %s", named(in.Map))
		if _, ok := in.Map.(*ssa.MakeMap); !ok {
			l.panics(pos, "writes to a map that may be nil")
		}
	case *ssa.UnOp:
		switch in.Op {
		case token.MUL:
			l.read(in.X, pos)
			l.deref(in.X, pos)
		case token.ARROW:
			l.acts(pos, "receives from a channel")
		}
	case *ssa.FieldAddr:
		l.deref(in.X, pos)
	case *ssa.IndexAddr:
		l.index(in.X, in.Index, pos)
	case *ssa.Index:
		l.index(in.X, in.Index, pos)
	case *ssa.Lookup:
		if _, ok := in.X.Type().Underlying().(*types.Map); ok {
			l.read(in.X, pos)
		} else {
			l.panics(pos, "uses an index that may be out of range")
		}
	case *ssa.Slice:
		if in.Low != nil || in.High != nil || in.Max != nil {
			l.panics(pos, "uses slice bounds that may be out of range")
		}
	case *ssa.Range:
		if _, ok := in.X.Type().Underlying().(*types.Map); ok {
			l.read(in.X, pos)
		}
	case *ssa.BinOp:
		l.binary(in)
	case *ssa.TypeAssert:
		if !in.CommaOk {
			l.panics(pos, "asserts a type")
		}
	case *ssa.MakeSlice:
		if _, ok := in.Len.(*ssa.Const); !ok {
			l.panics(pos, "makes a slice whose length may be negative")
		}
	case *ssa.SliceToArrayPointer:
		l.panics(pos, "turns a slice into an array")
	case *ssa.Panic:
		l.panics(pos, "panics")
	case *ssa.Send:
		l.acts(pos, "sends on a channel")
	case *ssa.Select:
		l.acts(pos, "waits for channels")
	case *ssa.Go:
		l.acts(pos, "starts a goroutine")
	case *ssa.Defer:
		l.acts(pos, "defers a call")
	case *ssa.Call:
		l.call(in.Common(), pos)
	case *ssa.Return:
		for i, v := range in.Results {
			if at := l.root(v); l.anywhere && l.e.fresh[i] && (at.other || len(at.params) > 0) {
				l.e.fresh[i] = false
				l.changed = true
			}
		}
	}
}

// deref records that a pointer may be nil.
func (l *scanner) deref(p ssa.Value, pos token.Pos) {
	switch p.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar, *ssa.FieldAddr, *ssa.IndexAddr: // addresses of existing memory
	default:
		l.panics(pos, "follows a pointer that may be nil")
	}
}

// index records that an index may be out of range.
func (l *scanner) index(x, index ssa.Value, pos token.Pos) {
	t := x.Type().Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
		if _, ok := index.(*ssa.Const); ok {
			l.deref(x, pos)
			return // checked by the compiler
		}
	}
	if _, ok := t.(*types.Array); ok {
		if _, ok := index.(*ssa.Const); ok {
			return
		}
	}
	l.panics(pos, "uses an index that may be out of range")
}

func (l *scanner) binary(in *ssa.BinOp) {
	switch in.Op {
	case token.QUO, token.REM:
		b, ok := in.Type().Underlying().(*types.Basic)
		if ok && b.Info()&types.IsInteger == 0 {
			return
		}
		if c, ok := in.Y.(*ssa.Const); ok && c.Value != nil && constant.Sign(c.Value) != 0 {
			return
		}
		l.panics(in.Pos(), "divides by a value that may be 0")
	case token.SHL, token.SHR:
		if _, ok := in.Y.(*ssa.Const); ok {
			return
		}
		if b, ok := in.Y.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned != 0 {
			return
		}
		l.panics(in.Pos(), "shifts by a value that may be negative")
	case token.EQL, token.NEQ:
		if types.IsInterface(in.X.Type()) && types.IsInterface(in.Y.Type()) {
			l.panics(in.Pos(), "compares interfaces")
		}
	}
}

// call records the effects of a call.
func (l *scanner) call(c *ssa.CallCommon, pos token.Pos) {
	if b, ok := c.Value.(*ssa.Builtin); ok {
		l.builtin(b.Name(), c.Args, pos)
		return
	}
	if c.IsInvoke() {
		l.acts(pos, "calls %s through an interface", c.Method.Name())
		return
	}
	callee := c.StaticCallee()
	if callee == nil {
		l.acts(pos, "calls a function value")
		return
	}
	if o := callee.Origin(); o != nil {
		callee = o
	}
	e := l.r.effects[callee]
	name := callee.Name()
	if callee.Parent() != nil {
		name = "a function literal"
	}
	if e == nil {
		if !harmless(callee) {
			l.acts(pos, "calls %s, whose effects are unknown", callee.RelString(nil))
		} else {
			l.panics(pos, "calls %s", callee.RelString(nil))
		}
		for _, a := range c.Args {
			if leads(a.Type()) {
				l.read(a, pos)
			}
		}
		return
	}
	if e.acts != nil {
		l.acts(pos, "calls %s, which %s%s", name, e.acts.what, l.r.where(e.acts))
	}
	if e.reads != nil {
		l.set(&l.e.reads, pos, "calls %s, which %s", name, e.reads.what)
	}
	if e.panics != nil {
		l.panics(pos, "calls %s, which %s", name, e.panics.what)
	}
	for i, w := range e.writes {
		if l.inPlace && l.r.inPlace(callee) {
			break // apart compares what it writes
		}
		if v := argument(c, callee, i); v != nil {
			l.wrote(v, pos, "calls %s, which %s", name, w.what)
		}
	}
}

// argument returns the value of parameter i or, after the parameters, of a captured variable.
func argument(c *ssa.CallCommon, callee *ssa.Function, i int) ssa.Value {
	if i < len(c.Args) {
		return c.Args[i]
	}
	if m, ok := c.Value.(*ssa.MakeClosure); ok && i-len(callee.Params) < len(m.Bindings) {
		return m.Bindings[i-len(callee.Params)]
	}
	return nil
}

func (l *scanner) builtin(name string, args []ssa.Value, pos token.Pos) {
	switch name {
	case "append":
		l.wrote(args[0], pos, "appends to %s", named(args[0]))
		if len(args) > 1 && leads(args[1].Type()) {
			l.read(args[1], pos)
		}
	case "copy":
		l.wrote(args[0], pos, "copies to %s", named(args[0]))
		if leads(args[1].Type()) {
			l.read(args[1], pos)
		}
	case "delete", "clear":
		l.wrote(args[0], pos, "deletes from %s", named(args[0]))
	case "len", "cap", "min", "max", "complex", "real", "imag", "new", "ssa:wrapnilchk":
	case "recover":
		l.acts(pos, "recovers from panics")
		if !l.r.recover.IsValid() {
			l.r.recover = pos
		}
	default:
		l.acts(pos, "calls %s", name)
	}
}

// harmless reports whether a function of another package only computes its result.
func harmless(f *ssa.Function) bool {
	if f.Pkg == nil || f.Signature.Recv() != nil {
		return false
	}
	for i := range f.Signature.Params().Len() {
		if _, ok := f.Signature.Params().At(i).Type().Underlying().(*types.Signature); ok {
			return false // it calls its argument
		}
	}
	name := f.Name()
	switch f.Pkg.Pkg.Path() {
	case "math", "math/bits", "math/cmplx", "unicode", "unicode/utf8", "unicode/utf16", "cmp":
		return true
	case "strings":
		return !slices.Contains([]string{"NewReader", "NewReplacer"}, name)
	case "strconv":
		return true
	}
	return false
}
