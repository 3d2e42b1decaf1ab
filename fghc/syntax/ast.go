// Package syntax parses and formats FGHC programs.
//
// Parse turns a source into a File, ParseGoals a query into its goals. After an error both continue at the next clause and report all
// errors in source order. No input makes them panic: lists and conjunctions of any length are read without recursion, and terms nest at
// most 10,000 levels deep. Code that walks a term may therefore recurse into it, but must follow the tail of a list in a loop. Format
// prints a term so that parsing it gives the same term.
//
// The language is flat guarded Horn clauses (K. Ueda, "Guarded Horn Clauses", ICOT TR-103, 1985) in the notation of KL1, with the
// operators of operator.go.
package syntax

import "fmt"

// A Term is a parsed term: *Var, *Int, *Float, *Atom, *Str, *List, *Compound or *Vector.
type Term interface {
	Position() Pos
}

type (
	// A Var is an occurrence of a variable. Every "_" is a different variable; all have the name "_".
	Var struct {
		Pos
		Name string
	}
	// An Int is an integer. Big is its decimal text if it does not fit in 64 bits, otherwise empty.
	Int struct {
		Pos
		Value int64
		Big   string
	}
	// A Float is a 64-bit floating-point number, never infinite or NaN.
	Float struct {
		Pos
		Value float64
	}
	// An Atom is a constant, including [].
	Atom struct {
		Pos
		Name string
	}
	// A Str is a string object: "...".
	Str struct {
		Pos
		Value string
	}
	// A List is [Head|Tail]; a list of n elements nests n Lists. The empty list is the Atom [].
	List struct {
		Pos
		Head, Tail Term
	}
	// A Compound is name(args); 1+2 is +(1,2). Args is not empty. An operator's position is that of its sign.
	Compound struct {
		Pos
		Name string
		Args []Term
	}
	// A Vector is {a, b, c}; it may be empty.
	Vector struct {
		Pos
		Args []Term
	}
)

// A Goal is a goal of a guard or a body with its pragmas, or a head. In a checked program its term is an Atom or a Compound.
type Goal struct {
	Term     Term
	Node     Term   // N of @node(N), or nil
	Priority Term   // N of @priority(N) or @lower_priority(N), 1 for @lower_priority, or nil
	Lower    bool   // Priority is subtracted from the parent's priority
	Module   string // m of m:goal; "" for a builtin or a procedure of the clause's own module
}

// Name returns the goal's name and arguments.
func (g Goal) Name() (string, []Term) {
	switch t := g.Term.(type) {
	case *Atom:
		return t.Name, nil
	case *Compound:
		return t.Name, t.Args
	}
	return "", nil
}

// A Clause is Head :- Guard | Body, in textual order; `true` is omitted. Number counts the clauses of the file from 1, as VISTA's record
// does; clauses that Expand makes from one clause share its number.
//
// `otherwise.` starts a new Group: clauses of a Group may commit only after every clause of all smaller Groups has failed for good.
// `alternatively.` starts a new Rank within the Group: clauses of a Rank may commit while clauses of smaller Ranks still wait for
// variables, but if two clauses can commit in the same attempt the one with the smaller Rank does. An implementation that tries the
// clauses of a procedure in textual order can therefore ignore Rank.
type Clause struct {
	Pos    Pos
	Number int
	Module string // of the preceding :- module directive, or ""
	Head   Goal   // without pragmas
	Guard  []Goal
	Body   []Goal
	Group  int // number of `otherwise` separators before the clause in its procedure
	Rank   int // number of `alternatively` separators before the clause in its Group
}

// A File is a parsed source file.
type File struct {
	Name    string
	Source  string      // in UTF-8
	Modules []Module    // the :- module directives in source order
	Public  []Procedure // the procedures of :- public directives
	Clauses []*Clause
	Damaged []Procedure // procedures of the clauses with syntax errors, which are not in Clauses
	Library bool        // the file belongs to the standard library
}

// A Module is the part of a file from a :- module directive to the next one.
type Module struct {
	Pos  Pos
	Name string
}

// A Procedure is a name and an arity. In File.Damaged, Arity is -1 if it could not be read.
type Procedure struct {
	Name  string
	Arity int
}

// String returns name/arity.
func (p Procedure) String() string { return fmt.Sprintf("%s/%d", FormatName(p.Name), p.Arity) }
