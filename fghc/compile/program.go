// Package compile turns a checked FGHC program into code for the engines.
//
// All clauses of a procedure become one decision tree over its arguments, after S. Kliger and E. Shapiro, "From
// decision trees to decision graphs" (1990). A switch inspects an argument once and continues with the clauses that may
// still commit. An unbound argument is noted, and the clauses that do not need it continue. When no clause is left, the
// goal suspends on all noted variables, or fails if there are none. A guard that is the opposite of one already tested
// is not tested again. The leaves of the tree are bodies: they build terms, unify, compute, and push goals in textual
// order. A comment of the form "before opcode<operands> after" documents each opcode (instr.go).
//
// A body builtin whose operands are unbound becomes a goal of a procedure of its own, its waiter. A waiter's end is no
// reduction.
package compile

import (
	"math"
	"math/big"
	"slices"
	"strconv"

	"whorl/fghc/builtin"
	"whorl/fghc/syntax"
	"whorl/fghc/term"
)

// A Program is the code of a program with its procedures, clauses and sites.
type Program struct {
	Symbols   *term.Symbols
	Code      []Ins // Code[0] is Invalid, so that label 0 is none
	Tables    []Table
	Args      []uint16 // argument registers of Goal, Delay, Test and Call
	Constants []Constant
	Procs     []Proc
	Clauses   []Clause // in source order from 1; index 0 is none
	Sites     []Site   // index 0 is none
	Files     []*syntax.File
	Registers int // number of registers used

	Priorities bool // a goal has a priority pragma

	modules   []string // in file order
	procs     map[procedure]int
	clauses   map[*syntax.Clause]int
	constants map[string]int
}

// A Constant is a term that does not fit a word.
type Constant struct {
	Kind  int // KindString, KindBig for an integer of any size, or KindFloat
	Int   *big.Int
	Str   string
	Float float64
}

// Build builds the constant in the arena of an engine.
func (k *Constant) Build(c builtin.Context) term.Word {
	switch k.Kind {
	case term.KindBig:
		return builtin.NewInteger(c, k.Int)
	case term.KindFloat:
		return builtin.NewFloat(c, k.Float)
	}
	return builtin.NewString(c, k.Str)
}

// A Proc is a procedure.
type Proc struct {
	Name    string // prefixed with its module in a program of several modules
	Module  string // "" in a program of one module
	Arity   int
	Entry   int32
	Builtin bool // a waiter made by the compiler; its goals do not reduce
	State   bool // its goals keep the remaining work in their arguments
	Pos     syntax.Pos
}

// A Clause describes a clause for views and reports.
type Clause struct {
	Proc   int
	Number int // in its file, from 1
	Pos    syntax.Pos
	Goals  int // body goals that reduce: the children of a reduction by this clause
}

// A Site is the source position of a goal in a body or a query.
type Site struct {
	Pos    syntax.Pos
	Clause int
	Text   string
}

// A procedure is the key of a procedure; the module is "" in a file without one.
type procedure struct {
	module, name string
	arity        int
}

// Proc returns the number of the procedure name/arity of a module.
func (p *Program) Proc(module, name string, arity int) (int, bool) {
	i, ok := p.procs[procedure{module, name, arity}]
	return i, ok
}

// maxRegisters limits the number of registers.
const maxRegisters = 1<<16 - 1

// Compile compiles the files of one program, which package check has accepted. Errors name clauses that need too many
// registers.
func Compile(files ...*syntax.File) (*Program, syntax.Errors) {
	p := &Program{
		Symbols: term.NewSymbols(), Code: make([]Ins, 1), Clauses: make([]Clause, 1), Sites: make([]Site, 1),
		Files: files, procs: map[procedure]int{}, clauses: map[*syntax.Clause]int{}, constants: map[string]int{},
	}
	byProc := p.declare()
	var errs syntax.Errors
	for i, clauses := range byProc {
		c := &compiler{p: p, proc: i}
		if err := c.procedure(clauses); err != nil {
			errs = append(errs, err)
		}
	}
	return p, errs
}

// declare numbers the procedures and clauses in file order and returns the clauses of each procedure.
func (p *Program) declare() [][]*syntax.Clause {
	var byProc [][]*syntax.Clause
	for _, f := range p.Files {
		for _, cl := range f.Clauses {
			if !slices.Contains(p.modules, cl.Module) {
				p.modules = append(p.modules, cl.Module)
			}
		}
	}
	for _, f := range p.Files {
		for _, cl := range f.Clauses {
			name, args := cl.Head.Name()
			key := procedure{cl.Module, name, len(args)}
			p.Symbols.Atom(name)
			i, ok := p.procs[key]
			if !ok {
				i = len(p.Procs)
				p.procs[key] = i
				pr := Proc{Name: name, Arity: len(args), Pos: cl.Pos}
				if len(p.modules) > 1 && cl.Module != "" {
					pr.Name, pr.Module = cl.Module+":"+name, cl.Module
				}
				p.Procs = append(p.Procs, pr)
				byProc = append(byProc, nil)
			}
			byProc[i] = append(byProc[i], cl)
			p.clauses[cl] = len(p.Clauses)
			p.Clauses = append(p.Clauses, Clause{Proc: i, Number: cl.Number, Pos: cl.Pos})
		}
	}
	for cl, i := range p.clauses { // now that all procedures are known
		p.Clauses[i].Goals = p.countGoals(cl)
	}
	return byProc
}

// countGoals returns the number of goals of a body that reduce.
func (p *Program) countGoals(cl *syntax.Clause) int {
	n := 0
	for _, g := range cl.Body {
		if i, ok := p.builtin(cl.Module, g); !ok || builtin.All[i].Calls {
			n++
		}
	}
	return n
}

// A Query holds the goals that start a run, compiled as a body without a head.
type Query struct {
	Entry     int32
	Variables []string // the named variables in order
	Registers []uint16 // register of each, which must hold a new variable before the code at Entry runs
	Goals     []syntax.Goal
}

// Query compiles the goals that start a run. A program may have several queries.
func (p *Program) Query(goals []syntax.Goal) (*Query, syntax.Errors) {
	c := &compiler{p: p, proc: -1}
	q := &Query{Goals: goals}
	b := c.newBody(&clauseVars{env: map[string]uint16{}}, 0, "")
	seen := map[string]bool{}
	note := func(v *syntax.Var) {
		if v.Name != "_" && !seen[v.Name] {
			seen[v.Name] = true
			q.Variables = append(q.Variables, v.Name)
			r := b.temp()
			b.vars.env[v.Name] = r
			q.Registers = append(q.Registers, r)
		}
	}
	for _, g := range goals {
		syntax.Variables(note, g.Term, g.Node, g.Priority)
	}
	q.Entry = c.nextLabel()
	b.goals(goals)
	if c.err != nil {
		return nil, syntax.Errors{c.err}
	}
	return q, c.waiters()
}

// constant returns the number of a boxed constant, which it adds if it is new.
func (p *Program) constant(c Constant) int {
	key := "s" + c.Str
	switch c.Kind {
	case term.KindBig:
		key = "i" + c.Int.String()
	case term.KindFloat:
		key = "f" + strconv.FormatUint(math.Float64bits(c.Float), 16)
	}
	if i, ok := p.constants[key]; ok {
		return i
	}
	i := len(p.Constants)
	p.Constants = append(p.Constants, c)
	p.constants[key] = i
	return i
}
