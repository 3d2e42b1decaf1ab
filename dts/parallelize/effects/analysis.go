package effects

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Functions describes the functions of a package to Analyse.
type Functions struct {
	Marked    []*ssa.Function            // those that may be forked
	Rewritten func(*types.Func) bool     // reports whether a function may get a version for workers
	InPlace   func(*ssa.Function) bool   // reports whether calls of a function are compared by the memory that they use
	Place     func(pos token.Pos) string // names a position in a sentence
}

// An Analysis holds the effects and the memory of all functions of a package.
type Analysis struct {
	functions Functions
	Effects   map[*ssa.Function]*Effects
	Summaries map[*ssa.Function]*Summary
	related   map[*ssa.Function]bool // functions that assume relations between the lengths of their slices
	Recover   token.Pos              // a call of recover in the package
	Deferred  token.Pos              // a deferred call that may read memory, and runs after a panic too
}

// Analyse finds the effects of every function of a package. It assumes no effects at first and scans all instructions
// until nothing changes, so that mutually recursive functions are covered.
func Analyse(prog *ssa.Program, pkg *types.Package, info *types.Info, functions Functions) *Analysis {
	a := &Analysis{functions: functions, Effects: map[*ssa.Function]*Effects{}, Summaries: map[*ssa.Function]*Summary{}, related: map[*ssa.Function]bool{}}
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
	add(prog.Package(pkg).Func("init"))
	for _, obj := range info.Defs {
		if fn, ok := obj.(*types.Func); ok {
			add(prog.FuncValue(fn))
		}
	}
	slices.SortFunc(all, func(a, b *ssa.Function) int { return int(a.Pos() - b.Pos()) })
	for _, f := range all {
		e := &Effects{Writes: map[int]*Cause{}, Fresh: make([]bool, f.Signature.Results().Len())}
		for i := range e.Fresh {
			e.Fresh[i] = true
		}
		a.Effects[f] = e
	}
	for changed := true; changed; {
		changed = false
		for _, f := range all {
			l := Scanner{a: a, fn: f, Effects: a.Effects[f], anywhere: true}
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					l.Instruction(in)
				}
			}
			changed = changed || l.changed
		}
	}
	if a.surveyAll(all); a.assume() {
		a.surveyAll(all)
	}
	return a
}

// During returns a Scanner of the code of a function from one position to before another.
func (a *Analysis) During(fn *ssa.Function, from, to token.Pos) *Scanner {
	return &Scanner{a: a, fn: fn, Effects: &Effects{Writes: map[int]*Cause{}}, from: from, to: to, inPlace: true}
}

// Where returns the place of a cause as the end of a sentence.
func (a *Analysis) Where(c *Cause) string {
	if !c.Pos.IsValid() {
		return ""
	}
	return " in " + a.functions.Place(c.Pos)
}

// Callee returns the function that a call names, in its generic form. It returns nil for the call of a function value or
// through an interface.
func Callee(c *ssa.CallCommon) *ssa.Function {
	callee := c.StaticCallee()
	if callee == nil {
		return nil
	}
	if o := callee.Origin(); o != nil {
		return o
	}
	return callee
}
