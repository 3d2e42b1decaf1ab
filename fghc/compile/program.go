// Package compile turns a checked FGHC program into code for the engine.
//
// All clauses of a procedure become one decision tree over its arguments (after the decision graphs of Kliger and Shapiro): a switch looks
// at an argument once and goes on with the clauses that may still commit; an unbound argument is noted and the clauses that do not need it
// go on. Only when no clause is left does the goal suspend, on all that was noted, or fail, if nothing was. Where guards say the opposite of
// each other the second is not tested again. The leaves are bodies: they build terms, unify, compute, and push goals in textual order.
//
// A builtin of a body that finds its operands unbound becomes a goal of a procedure of its own, which waits for them and is no reduction.
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

// A Program is code and what is said about it.
type Program struct {
	Symbols   *term.Symbols
	Code      []Ins // Code[0] is Invalid, so that label 0 is none
	Tables    []Table
	Args      []uint16 // registers of the arguments of Goal and Delay
	Constants []Constant
	Procs     []Proc
	Clauses   []Clause // index 0 is none; others are numbered as in the source
	Sites     []Site   // index 0 is none
	Files     []*syntax.File
	Registers int // that the code uses

	Priorities bool // some goal has a priority of its own

	modules   []string // in the order of the files
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

// A Proc is a procedure.
type Proc struct {
	Name    string // with its module before it in a program of several
	Module  string // of several, "" otherwise
	Arity   int
	Entry   int32
	Builtin bool // made by the compiler for a builtin that waits; its goals do not reduce
	State   bool // its goals keep in their arguments what is left to do
	Pos     syntax.Pos
}

// A Clause is what views and reports say of a clause.
type Clause struct {
	Proc   int
	Number int // in its file, from 1
	Pos    syntax.Pos
	Goals  int // goals in the body that reduce: the children of a reduction by this clause
}

// A Site is the place of a goal in a body or a query: where a goal that waits or fails was written.
type Site struct {
	Pos    syntax.Pos
	Clause int
	Text   string
}

// A procedure is told from others by its module, too; "" is that of a file without one.
type procedure struct {
	module, name string
	arity        int
}

// Proc returns the number of the procedure name/arity of a module.
func (p *Program) Proc(module, name string, arity int) (int, bool) {
	i, ok := p.procs[procedure{module, name, arity}]
	return i, ok
}

// maxRegisters is the largest number of registers that code may use.
const maxRegisters = 1<<16 - 1

// Compile compiles files that package check has passed: one program. Its errors are what is too large for the register file.
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

// declare numbers the procedures and clauses, in the order of the files, and returns the clauses of each procedure.
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
				pr := Proc{Name: name, Arity: len(args), Pos: cl.At}
				if len(p.modules) > 1 && cl.Module != "" {
					pr.Name, pr.Module = cl.Module+":"+name, cl.Module
				}
				p.Procs = append(p.Procs, pr)
				byProc = append(byProc, nil)
			}
			byProc[i] = append(byProc[i], cl)
			p.clauses[cl] = len(p.Clauses)
			p.Clauses = append(p.Clauses, Clause{Proc: i, Number: cl.Number, Pos: cl.At})
		}
	}
	for cl, i := range p.clauses { // once all procedures are known
		p.Clauses[i].Goals = p.countGoals(cl)
	}
	return byProc
}

// countGoals returns how many goals of a body reduce.
func (p *Program) countGoals(cl *syntax.Clause) int {
	n := 0
	for _, g := range cl.Body {
		if i, ok := p.builtin(cl.Module, g); !ok || builtin.All[i].Calls {
			n++
		}
	}
	return n
}

// A Query is the goals that a run begins with, compiled as a body without a head.
type Query struct {
	Entry     int32
	Variables []string // the named variables, in order
	Registers []uint16 // where each of them has to be, as a new variable, before the code at Entry runs
	Goals     []syntax.Goal
}

// Query compiles goals to begin with. They may be called more than once.
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
		walkVars(g.Term, note)
		walkVars(g.Node, note)
		walkVars(g.Priority, note)
	}
	q.Entry = int32(len(p.Code))
	b.goals(goals)
	if c.err != nil {
		return nil, syntax.Errors{c.err}
	}
	return q, c.builtins()
}

// constant returns the number of a boxed constant.
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
