// Package builtin is what FGHC can do beside calling procedures: the goals that a guard or a body may hold, one literal table of them, and
// what each does. The table is read by the checker, the compiler, the documentation and completion; the functions are run by every engine,
// through the Context that it offers. Nothing here knows of goals, PEs or time.
//
// A builtin reads its inputs and hands its outputs back; it never binds a variable of a caller in a guard. What it needs and does not find
// it notes (Context.Block), and is run again, from the start, when one of the noted variables has a value.
package builtin

import (
	"fmt"

	"whorl/fghc/term"
)

// A Builtin is a goal that the language defines.
type Builtin struct {
	Module string // "" for those that need none
	Name   string
	Class  string // of generic:new(Class, ...): the first argument that the program writes, which neither Args nor Run know of
	Guard  bool
	Body   bool
	Calls  bool // it calls a procedure of the program
	// Args has a letter for each argument:
	//
	//	i  an input. Run finds a value there, since its caller waits for one
	//	o  an output. Run leaves its value there; the caller compares it (guard) or unifies it (body) with what the program wrote
	//	s  a state: anything, like -, but when Run has to wait, or there is no memory left, what it has left there is what it gets when it is
	//	   run again. A builtin with a state may do things before it waits
	//	x  an expression (only where Run is nil)
	//	-  anything; it may be an unbound variable
	Args string
	Doc  string
	Run  func(c Context, args []term.Word) Verdict // nil for those that the compiler has instructions for
}

// Arity returns the number of arguments.
func (b *Builtin) Arity() int { return len(b.Args) }

// MaxArity is the largest number of arguments of a builtin.
const MaxArity = 8

// A Verdict is what became of a builtin.
type Verdict uint8

// The verdicts. In a body No is an error of the run.
const (
	Yes Verdict = iota
	No
	Unknown // a variable stands in the way, and is noted
	Rest    // as Unknown, but all is done that was asked for: to wait for ever is no fault
)

// A Context is what an engine offers to the builtins that it runs.
type Context interface {
	Symbols() *term.Symbols

	// Deref follows references: the result is a value, or a Ref to the cell of an unbound variable.
	Deref(w term.Word) term.Word
	// Same says whether two unbound variables are known to be one.
	Same(a, b term.Word) bool
	// Load returns the content of cell i, of a list, a structure or an array, as a word that can stand elsewhere.
	Load(i int) term.Word
	// Raw returns word i as it is: a header, a functor or a word of a box.
	Raw(i int) term.Word
	// Alloc returns the index of n new words. All of them have to be stored before anything else is allocated.
	Alloc(n int) int
	// Store fills a new word, or a word of a box that is locked.
	Store(i int, w term.Word)
	NewVar() term.Word
	// Lock keeps others from the box whose header is at i, which changes under their eyes. Nothing else is locked meanwhile.
	Lock(i int)
	Unlock(i int)

	// Block notes an unbound variable that the builtin needs. It then returns Unknown.
	Block(v term.Word)
	// Unify makes two terms equal by binding variables, in a body only, and says whether that can be done.
	Unify(a, b term.Word) bool
	// Fault says that argument number arg, from 0, is not what is wanted, and returns No. In a guard that is all; in a body it is the
	// error of the run. With an arg of -1 want is the whole message. It is a format, as of fmt, for what stands behind it.
	Fault(arg int, want string, values ...any) Verdict
	// Show returns a value as a program could hold it, shortened where it is long.
	Show(w term.Word) string
	// Work counts the components looked at, beyond one for each argument.
	Work(components int)

	// Call adds a goal to those that the body calls, and says whether the program has such a procedure.
	Call(module, name string, args []term.Word) bool
	// Fork adds goals of the builtin in hand, one for each list of arguments. The builtin is one of a body, and has a state.
	Fork(goals ...[]term.Word)
	// PE returns the number of the PE that runs the builtin, and how many there are.
	PE() (number, of int)
	// From returns a word of another PE as this one has it.
	From(pe int, w term.Word) term.Word

	// Priority is that of the goal in hand.
	Priority() int64
	// World is what the program can reach outside of itself.
	World() *World
	// Await says whether an input has been waited for, until there was more of it or its end. Otherwise something has been noted that will
	// have a value then, and the builtin returns Unknown.
	Await(in *Input) bool
}

// Find returns the index in All of the builtin that a goal calls, given its module as the program wrote it, its name, the number of its
// arguments, and for generic:new the first of them where it is an atom.
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

// Title is the builtin as a message names it: module:name/arity.
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

// Do runs a builtin on args, of which the inputs may still be references or unbound. It leaves the inputs dereferenced, and the outputs
// where they belong.
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

// Message says what is wrong with argument number arg of a builtin, from 0, as of Context.Fault; shown is what stands there. What was wanted
// instead is the second part.
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

// TopPriority is the priority of the first goals, and the highest there is; 0 is the lowest.
const TopPriority = term.MaxInt

// PriorityOf returns the priority n, or with lower one that is less by n than the parent's.
func PriorityOf(parent, n int64, lower bool) int64 {
	if lower {
		n = parent - max(0, n)
	}
	return max(0, n)
}
