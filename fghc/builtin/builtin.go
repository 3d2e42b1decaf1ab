// Package builtin defines the builtins of FGHC: the goals of guards and bodies other than calls of procedures. One literal table lists them
// for the checker, the compiler, the documentation and completion; engines run their functions through a Context. The package is
// independent of goals, PEs and time.
//
// A builtin reads its inputs and returns its outputs; in a guard it never binds variables of the caller. If it needs the value of an unbound
// variable it calls Context.Block, and runs again from the start when one of these variables is bound.
package builtin

import (
	"fmt"
	"math"

	"whorl/fghc/term"
	"whorl/fghc/world"
)

// A Builtin is an entry of the table.
type Builtin struct {
	Module string // or ""
	Name   string
	Class  string // the first argument of generic:new, which is not among Args and the arguments of Run
	Guard  bool
	Body   bool
	Calls  bool // calls a procedure of the program
	// Args has a letter for each argument:
	//
	//	i  an input; Run finds a bound value
	//	o  an output; Run stores its value, which the caller compares (guard) or unifies (body) with the argument
	//	s  a state; like -, but if Run waits or runs out of memory it finds the stored value again in the next run. A builtin with a state
	//	   may have effects before it waits
	//	x  an expression (only if Run is nil)
	//	-  anything, possibly an unbound variable
	Args string
	Doc  string
	Run  func(c Context, args []term.Word) Verdict // nil if the compiler has instructions for the builtin
}

// Arity returns the number of arguments.
func (b *Builtin) Arity() int { return len(b.Args) }

// MaxArity is the largest number of arguments of a builtin.
const MaxArity = 8

// A Verdict is the outcome of a builtin.
type Verdict uint8

// The verdicts. In a body No is a run-time error.
const (
	Yes Verdict = iota
	No
	Unknown // waits for the variables passed to Context.Block
	Rest    // like Unknown, but waiting forever is not a deadlock
)

// A Context is the interface of an engine to builtins.
type Context interface {
	Symbols() *term.Symbols

	// Deref follows references and returns a value, or a Ref to the cell of an unbound variable.
	Deref(w term.Word) term.Word
	// Same reports whether two unbound variables are known to be the same.
	Same(a, b term.Word) bool
	// Load returns the content of cell i of a list, a structure or an array as a word that can be stored elsewhere.
	Load(i int) term.Word
	// Raw returns word i unchanged: a header, a functor or a word of a box.
	Raw(i int) term.Word
	// Alloc returns the index of n new words. All of them must be stored before the next allocation.
	Alloc(n int) int
	// Store stores a new word, or a word of a locked box.
	Store(i int, w term.Word)
	NewVar() term.Word
	// Lock gives exclusive access to the box whose header is at i. At most one box is locked at a time.
	Lock(i int)
	Unlock(i int)

	// Block records an unbound variable that the builtin needs before it returns Unknown.
	Block(v term.Word)
	// Unify unifies two terms, in a body only, and reports whether they are unifiable.
	Unify(a, b term.Word) bool
	// Fault reports that argument arg, from 0, does not match want, and returns No. In a body this is a run-time error. If arg is -1, want is
	// the whole message. want is a format for values as in package fmt.
	Fault(arg int, want string, values ...any) Verdict
	// Show returns a value as source text, shortened if it is long.
	Show(w term.Word) string
	// Work counts the components examined, beyond one for each argument.
	Work(components int)

	// Call adds a call to the body and reports whether the program has the procedure.
	Call(module, name string, args []term.Word) bool
	// Fork adds goals of the current builtin, one for each list of arguments. Only a body builtin with a state may call it.
	Fork(goals ...[]term.Word)
	// PE returns the number of the current PE and the number of PEs.
	PE() (number, count int)
	// From converts a word of another PE to a word of the current one.
	From(pe int, w term.Word) term.Word

	// Priority returns the priority of the current goal.
	Priority() int64
	// World returns the outside world of the program.
	World() *world.World
	// Await reports whether more of an input, or its end, has arrived since the last call. Otherwise it blocks the goal until then, and the
	// builtin returns Unknown.
	Await(in *world.Input) bool
	// AwaitDemand blocks the goal until another goal waits for the unbound variable v, which belongs to the current PE, and no goal can run.
	AwaitDemand(v term.Word)
}

// Find returns the index in All of the builtin that a goal calls, by its module, name and arity, and for generic:new by its class, the first
// argument.
func Find(module, name string, arity int, class string) (int, bool) {
	if module == "generic" && name == "new" {
		i, ok := index[key{module, name, class, arity - 1}]
		return i, ok
	}
	i, ok := index[key{module, name, "", arity}]
	return i, ok
}

type key struct {
	module, name, class string
	arity               int
}

var index = func() map[key]int {
	m := make(map[key]int, len(All))
	for i := range All {
		b := &All[i]
		m[key{b.Module, b.Name, b.Class, len(b.Args)}] = i
	}
	return m
}()

// Title returns module:name/arity.
func (b *Builtin) Title() string {
	name, arity := b.Name, len(b.Args)
	if b.Module != "" {
		name = b.Module + ":" + name
	}
	if b.Class != "" {
		arity++
	}
	return fmt.Sprintf("%s/%d", name, arity)
}

// Do runs a builtin on args, whose inputs need not be dereferenced. It blocks on unbound inputs, leaves inputs dereferenced and stores the
// outputs in args.
func (b *Builtin) Do(c Context, args []term.Word) Verdict {
	v := Yes
	for k := range args {
		switch b.Args[k] {
		case 'i':
			if args[k] = c.Deref(args[k]); args[k].Tag() == term.Ref {
				c.Block(args[k])
				v = Unknown
			}
		case 'o':
			args[k] = term.Nil
		}
	}
	if v != Yes {
		return v
	}
	return b.Run(c, args)
}

// Message returns the error message for argument number arg, from 0, and what was expected, for the arguments of Context.Fault; shown is the
// value of the argument.
func (b *Builtin) Message(arg int, text, shown string) (msg, want string) {
	switch {
	case text == "":
		return b.Title() + " fails", ""
	case arg < 0:
		return b.Title() + ": " + text, ""
	}
	if b.Class != "" {
		arg++
	}
	return fmt.Sprintf("%s: argument %d is %s", b.Title(), arg+1, shown), text
}

// TopPriority is the highest priority, which the first goals have; the lowest is 0.
const TopPriority = term.MaxInt

// PriorityOf returns the priority n or, with lower, the parent's priority minus n, which is at least 0.
func PriorityOf(parent, n int64, lower bool) int64 {
	if lower {
		n = parent - max(0, n)
	}
	return max(0, n)
}

// NodeOf returns the PE that the value of a node pragma names, -1 if it names none.
func NodeOf(w term.Word) int32 {
	if w.Tag() == term.Int && w.Value() >= 0 && w.Value() <= math.MaxInt32 {
		return int32(w.Value())
	}
	return -1
}
