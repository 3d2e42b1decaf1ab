// Package syntax reads and prints the text of FGHC programs.
//
// Parse makes a File of a source, ParseGoals the goals of a query. Both read on after an error, at the end of the clause, and report all
// errors in the order of the text. A source is data from outside: no input makes them panic, lists and conjunctions of any length are
// read without recursion, and terms nest at most 10,000 levels deep, so that what walks a term may recurse into it (but should follow
// the tail of a list in a loop). Format prints a term so that reading it again gives the same term.
//
// The language is flat guarded Horn clauses as in K. Ueda, "Guarded Horn Clauses" (ICOT TR-103, 1985), written as in KL1; operators are
// those of operator.go.
package syntax

import "fmt"

// A Term is a term as it is read: *Var, *Int, *Float, *Atom, *Str, *List, *Compound or *Vector.
type Term interface {
	Pos() Pos
}

type (
	// A Var is an occurrence of a variable. Every "_" is a variable of its own, with the name "_".
	Var struct {
		At   Pos
		Name string
	}
	// An Int is an integer. Big is its decimal text where it does not fit 64 bits, otherwise empty.
	Int struct {
		At    Pos
		Value int64
		Big   string
	}
	// A Float is a floating-point number of 64 bits, never infinite and never NaN.
	Float struct {
		At    Pos
		Value float64
	}
	// An Atom is a constant, [] among them.
	Atom struct {
		At   Pos
		Name string
	}
	// A Str is a string object: "...".
	Str struct {
		At    Pos
		Value string
	}
	// A List is [Head|Tail]; a written list of n elements nests n of them. [] is an Atom.
	List struct {
		At         Pos
		Head, Tail Term
	}
	// A Compound is name(args), operators included: 1+2 is +(1,2). len(Args) > 0. An operator's place is that of its sign.
	Compound struct {
		At   Pos
		Name string
		Args []Term
	}
	// A Vector is {a, b, c}, possibly empty.
	Vector struct {
		At   Pos
		Args []Term
	}
)

func (t *Var) Pos() Pos      { return t.At }
func (t *Int) Pos() Pos      { return t.At }
func (t *Float) Pos() Pos    { return t.At }
func (t *Atom) Pos() Pos     { return t.At }
func (t *Str) Pos() Pos      { return t.At }
func (t *List) Pos() Pos     { return t.At }
func (t *Compound) Pos() Pos { return t.At }
func (t *Vector) Pos() Pos   { return t.At }

// A Goal is one goal of a guard or a body with its pragmas, or a head. Its term is an Atom or a Compound in a program that has been checked.
type Goal struct {
	Term     Term
	Node     Term   // N of @node(N), nil for none
	Priority Term   // N of @priority(N), or with Lower of @lower_priority(N), which is 1 where it is not written; nil for none
	Lower    bool   // the goal's priority is that of its parent less N, and not N
	Module   string // m of m:goal; "" for a builtin, or for the module that the clause is of
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

// A Clause is Head :- Guard | Body, in textual order; `true` is left out. Number counts the clauses of the file from 1, as VISTA's record
// does; clauses that Expand made of one share its number.
//
// Clauses before an `otherwise.` and behind it are of different Groups: those of a Group may commit only when every clause of all smaller
// ones has failed for good. Clauses before an `alternatively.` and behind it are of one Group and of different Ranks: those of a Rank may
// also commit while clauses of smaller ones wait for variables, but of two clauses that can both commit at one attempt the one of the
// smaller Rank does. Whoever tries the clauses of a procedure in textual order therefore need not look at the Rank.
type Clause struct {
	At     Pos
	Number int
	Module string // of the :- module before it, "" for none
	Head   Goal   // without pragma
	Guard  []Goal
	Body   []Goal
	Group  int // 0 before the first `otherwise` of its procedure, 1 after it, and so on
	Rank   int // 0 before the first `alternatively` of its Group, 1 after it, and so on
}

// A File is one source file as it was read.
type File struct {
	Name    string
	Source  string      // in UTF-8
	Modules []Module    // as :- module names them, in the order of the text; empty for none
	Public  []Procedure // of :- public
	Clauses []*Clause
	Damaged []Procedure // of the clauses with syntax errors, which are not in Clauses
	Library bool        // it came with the language
}

// A Module is a part of a file, from its :- module to the next one.
type Module struct {
	At   Pos
	Name string
}

// A Procedure names a procedure. In File.Damaged an Arity of -1 is one that could not be read.
type Procedure struct {
	Name  string
	Arity int
}

// String returns name/arity.
func (p Procedure) String() string { return fmt.Sprintf("%s/%d", FormatName(p.Name), p.Arity) }
