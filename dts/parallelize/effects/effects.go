package effects

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Effects describe what a function does in addition to computing its results. A nil cause means that the function does
// not have that effect.
type Effects struct {
	Acts   *Cause         // visible to others: writes to memory that it did not make, output, channels, calls of unknown functions
	Writes map[int]*Cause // writes through parameters and, numbered after them, captured variables
	Reads  *Cause         // reads memory that others may write
	Panics *Cause         // may panic
	Fresh  []bool         // for each result: the call itself made the memory that it refers to directly
}

// A Cause is an instruction, with a description that completes a sentence about its function.
type Cause struct {
	Pos  token.Pos
	What string
}

// A Scanner collects the effects of instructions.
type Scanner struct {
	a        *Analysis
	fn       *ssa.Function
	Effects  *Effects
	changed  bool
	anywhere bool // it scans the whole function, whose effects on memory that it makes do not count

	from, to token.Pos // the range that it scans otherwise; threads may refer to memory made before it
	inPlace  bool      // it ignores writes of functions that work in place: their accesses are compared instead
	Rounds   bool      // it ignores all writes to slices: the accesses of rounds are compared instead
}

// makes reports whether an instruction allocates memory that others may refer to.
func (l *Scanner) makes(in ssa.Instruction) bool {
	return l.anywhere || in.Pos() < l.from || l.to <= in.Pos()
}

func (l *Scanner) set(c **Cause, pos token.Pos, format string, args ...any) {
	if *c == nil {
		*c = &Cause{pos, fmt.Sprintf(format, args...)}
		l.changed = true
	}
}

func (l *Scanner) acts(pos token.Pos, format string, args ...any) {
	l.set(&l.Effects.Acts, pos, format, args...)
}

// wrote records a write to the memory of v.
func (l *Scanner) wrote(v ssa.Value, pos token.Pos, format string, args ...any) {
	if l.Rounds && (IsSlice(v.Type()) || ofSlice(v)) {
		return
	}
	origin := l.root(v)
	if origin.other || !l.anywhere && (origin.made || len(origin.params) > 0) { // threads may refer to values made before
		l.acts(pos, format, args...)
	}
	for _, p := range origin.params {
		if l.Effects.Writes[p] == nil {
			l.Effects.Writes[p] = &Cause{pos, fmt.Sprintf(format, args...)}
			l.changed = true
		}
	}
}

// read records a read of the memory of v.
func (l *Scanner) read(v ssa.Value, pos token.Pos) {
	if l.root(v).shared() {
		l.set(&l.Effects.Reads, pos, "reads %s", named(v))
	}
}

func (l *Scanner) panics(pos token.Pos, format string, args ...any) {
	l.set(&l.Effects.Panics, pos, format, args...)
}

// Instruction records the effects of an instruction.
func (l *Scanner) Instruction(in ssa.Instruction) {
	pos := in.Pos()
	switch in := in.(type) {
	case *ssa.Store:
		l.wrote(in.Addr, pos, "writes to %s", named(in.Addr))
		l.deref(in.Addr, pos)
	case *ssa.MapUpdate:
		l.wrote(in.Map, pos, "writes to %s", named(in.Map))
		if _, ok := in.Map.(*ssa.MakeMap); !ok {
			l.panics(pos, "writes to a map that may be nil")
		}
		l.hash(in.Key, pos)
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
		if isTypeParam(in.X.Type()) {
			l.read(in.X, pos)
		}
	case *ssa.Lookup: // of a map
		l.read(in.X, pos)
		l.hash(in.Index, pos)
	case *ssa.Slice:
		if isPointer(in.X.Type()) {
			l.deref(in.X, pos)
		}
		if in.Low != nil || in.High != nil || in.Max != nil {
			l.panics(pos, "uses slice bounds that may be out of range")
		}
	case *ssa.Range: // over a map or a string
		l.read(in.X, pos)
	case *ssa.Convert:
		if ReadsOperand(in.X.Type(), in.Type()) {
			l.read(in.X, pos)
		}
	case *ssa.MultiConvert:
		if ReadsOperand(in.X.Type(), in.Type()) {
			l.read(in.X, pos)
			l.panics(pos, "converts a value that may be a slice")
		}
	case *ssa.BinOp:
		l.binary(in)
	case *ssa.TypeAssert:
		if !in.CommaOk {
			l.panics(pos, "asserts a type")
		}
	case *ssa.MakeSlice:
		_, ok1 := in.Len.(*ssa.Const)
		_, ok2 := in.Cap.(*ssa.Const)
		if !ok1 || !ok2 {
			l.panics(pos, "makes a slice whose length may be negative or above its capacity")
		}
	case *ssa.MakeChan:
		if _, ok := in.Size.(*ssa.Const); !ok {
			l.panics(pos, "makes a channel whose size may be negative")
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
		if !l.a.Deferred.IsValid() && l.mayRead(in.Common()) {
			l.a.Deferred = pos
		}
	case *ssa.Call:
		l.call(in.Common(), pos)
	case *ssa.Return:
		for i, v := range in.Results {
			if l.anywhere && l.Effects.Fresh[i] && l.root(v).shared() {
				l.Effects.Fresh[i] = false
				l.changed = true
			}
		}
	}
}

// call records the effects of a call.
func (l *Scanner) call(c *ssa.CallCommon, pos token.Pos) {
	if b, ok := c.Value.(*ssa.Builtin); ok {
		l.builtin(b.Name(), c.Args, pos)
		return
	}
	if c.IsInvoke() {
		l.acts(pos, "calls %s through an interface", c.Method.Name())
		return
	}
	callee := Callee(c)
	if callee == nil {
		l.acts(pos, "calls a function value")
		return
	}
	e := l.a.Effects[callee]
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
			if Leads(a.Type()) {
				l.read(a, pos)
			}
		}
		return
	}
	if e.Acts != nil {
		l.acts(pos, "calls %s, which %s%s", name, e.Acts.What, l.a.Where(e.Acts))
	}
	if e.Reads != nil {
		l.set(&l.Effects.Reads, pos, "calls %s, which %s", name, e.Reads.What)
	}
	if e.Panics != nil {
		l.panics(pos, "calls %s, which %s", name, e.Panics.What)
	}
	if l.inPlace && l.a.functions.InPlace(callee) {
		return // its accesses are compared instead
	}
	for _, i := range slices.Sorted(maps.Keys(e.Writes)) {
		w := e.Writes[i]
		if v := argument(c, callee, i); v != nil {
			l.wrote(v, pos, "calls %s, which %s", name, w.What)
		}
	}
}

// mayRead reports whether a deferred call may read memory that the functions of the package write. Methods of other
// packages, such as those that close and unlock, read only what their arguments refer to.
func (l *Scanner) mayRead(c *ssa.CallCommon) bool {
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return false
	}
	args := c.Args
	if !c.IsInvoke() {
		callee := Callee(c)
		switch {
		case callee == nil:
			return true
		case l.a.Effects[callee] != nil:
			return l.a.Effects[callee].Reads != nil
		case callee.Signature.Recv() != nil:
			args = args[1:]
		}
	}
	return slices.ContainsFunc(args, func(v ssa.Value) bool {
		_, constant := v.(*ssa.Const)
		return !constant && Leads(v.Type())
	})
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

func (l *Scanner) builtin(name string, args []ssa.Value, pos token.Pos) {
	switch name {
	case "append":
		l.wrote(args[0], pos, "appends to %s", named(args[0]))
		if len(args) > 1 && Leads(args[1].Type()) {
			l.read(args[1], pos)
		}
	case "copy":
		l.wrote(args[0], pos, "copies to %s", named(args[0]))
		if Leads(args[1].Type()) {
			l.read(args[1], pos)
		}
	case "delete", "clear":
		l.wrote(args[0], pos, "deletes from %s", named(args[0]))
		if name == "delete" {
			l.hash(args[1], pos)
		}
	case "len", "cap":
		if CountsEntries(args[0].Type()) {
			l.read(args[0], pos)
		}
	case "min", "max", "complex", "real", "imag", "new", "ssa:wrapnilchk":
	case "recover":
		l.acts(pos, "recovers from panics")
		if !l.a.Recover.IsValid() {
			l.a.Recover = pos
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
	name, path := f.Name(), f.Pkg.Pkg.Path()
	if strings.HasPrefix(name, "Append") || path == "unicode/utf8" && name == "EncodeRune" {
		return false // it writes to its argument
	}
	switch path {
	case "math", "math/bits", "math/cmplx", "unicode", "unicode/utf8", "unicode/utf16", "cmp":
		return true
	case "strings":
		return !slices.Contains([]string{"NewReader", "NewReplacer"}, name)
	case "strconv":
		return true
	}
	return false
}
