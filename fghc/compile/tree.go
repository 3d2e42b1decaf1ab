package compile

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"

	"whorl/fghc/syntax"
	"whorl/fghc/term"
)

// A compiler generates the code of one procedure or query.
type compiler struct {
	p       *Program
	proc    int                 // -1 for a query
	next    int                 // first register without a position
	regs    map[position]uint16 // first register of the components
	memo    map[signature]int32
	tests   int   // number of tests
	suspend int32 // label of the Suspend that ends every path without a commit
	pending []waiter
	scratch []byte
	err     *syntax.Error
}

// A position names the components of the value in a register, taken as a list (listFunctor) or as a structure.
type position struct {
	reg     uint16
	functor int
}

const listFunctor = -1

// A test is one condition of a clause: the constructor of a register, or a goal of the guard.
type test struct {
	id    int
	reg   uint16
	want  term.Word // constructor: an Int or Atom word, List, or MakeStr(functor)
	guard *guard    // nil for a constructor test
}

// A row is a clause that may still commit, with its remaining tests.
type row struct {
	clause *clauseRow
	tests  []*test
}

type clauseRow struct {
	cl    *syntax.Clause
	index int // Program.Clauses
	vars  clauseVars
	body  int32 // label, 0 until it is compiled
}

// procedure compiles the clauses of a procedure.
func (c *compiler) procedure(clauses []*syntax.Clause) *syntax.Error {
	pr := &c.p.Procs[c.proc]
	c.regs, c.memo, c.next = map[position]uint16{}, map[signature]int32{}, pr.Arity
	c.reg(pr.Arity, pr.Pos)
	rows := make([]row, len(clauses))
	for i, cl := range clauses {
		rows[i] = c.heads(cl)
	}
	for i := range rows {
		c.guards(&rows[i])
	}
	c.suspend = c.emit(Ins{Op: Suspend})
	start := len(c.p.Code)
	byClause := make(map[int]row, len(rows))
	for _, rw := range rows {
		byClause[rw.clause.index] = rw
	}
	pr.Entry = c.tree(rows, 0)
	for i := start; i < len(c.p.Code); i++ {
		if in := &c.p.Code[i]; in.Op == Commit && in.Target == 0 {
			c.commit(byClause[int(in.K)], i)
		}
	}
	if errs := c.waiters(); len(errs) > 0 {
		return errs[0]
	}
	return c.err
}

// nextLabel returns the label of the next instruction.
func (c *compiler) nextLabel() int32 { return int32(len(c.p.Code)) }

// emit appends an instruction and returns its label.
func (c *compiler) emit(in Ins) int32 {
	c.p.Code = append(c.p.Code, in)
	return c.nextLabel() - 1
}

// reg returns n as a register, or notes that the clause needs too many.
func (c *compiler) reg(n int, pos syntax.Pos) uint16 {
	if n >= maxRegisters {
		c.fail(pos, fmt.Sprintf("this needs more than %d registers", maxRegisters), "a smaller clause or procedure")
		return 0
	}
	c.p.Registers = max(c.p.Registers, n+1)
	return uint16(n)
}

// arity notes an error if n arguments do not fit an instruction.
func (c *compiler) arity(n int, pos syntax.Pos) {
	if n >= maxRegisters {
		c.fail(pos, fmt.Sprintf("%d arguments are too many", n), fmt.Sprintf("at most %d", maxRegisters-1))
	}
}

// parts returns the first of the registers for the n components of the value in r.
func (c *compiler) parts(r uint16, functor, n int, pos syntax.Pos) uint16 {
	key := position{r, functor}
	if b, ok := c.regs[key]; ok {
		return b
	}
	b := c.reg(c.next, pos)
	c.reg(c.next+n, pos)
	c.next += n
	c.regs[key] = b
	return b
}

// heads returns the row of a clause with the tests of its head, from left to right.
func (c *compiler) heads(cl *syntax.Clause) row {
	cr := &clauseRow{cl: cl, index: c.p.clauses[cl], vars: clauseVars{env: map[string]uint16{}}}
	r := row{clause: cr}
	_, args := cl.Head.Name()
	for i, a := range args {
		c.pattern(&r, uint16(i), a)
	}
	return r
}

// pattern adds the tests for register r to match t. It does not recurse on the tails of lists, which can be long.
func (c *compiler) pattern(rw *row, r uint16, t syntax.Term) {
	for tail := syntax.Term(nil); ; t, tail = tail, nil {
		switch t := t.(type) {
		case *syntax.Var:
			if known, ok := rw.clause.vars.env[t.Name]; ok && t.Name != "_" {
				rw.tests = append(rw.tests, &test{id: c.testID(), guard: &guard{op: Equal, a: known, b: r, pos: t.Pos}})
			} else if t.Name != "_" {
				rw.clause.vars.env[t.Name] = r
			}
			return
		case *syntax.Int, *syntax.Float, *syntax.Atom, *syntax.Str:
			if w, ok := c.constant(t); ok {
				rw.tests = append(rw.tests, &test{id: c.testID(), reg: r, want: w})
			} else {
				rw.tests = append(rw.tests, &test{id: c.testID(), guard: &guard{op: Equal, a: r, term: t, pos: t.Position()}})
			}
			return
		case *syntax.List:
			b := c.parts(r, listFunctor, 2, t.Pos)
			rw.tests = append(rw.tests, &test{id: c.testID(), reg: r, want: term.List})
			c.pattern(rw, b, t.Head)
			r, tail = b+1, t.Tail
		case *syntax.Compound:
			c.structure(rw, r, c.p.Symbols.Functor(t.Name, len(t.Args)), t.Args, t.Pos)
			return
		case *syntax.Vector:
			c.structure(rw, r, c.p.Symbols.FunctorOf(term.Vector, len(t.Args)), t.Args, t.Pos)
			return
		default:
			panic(fmt.Sprintf("compile: unknown term %T", t))
		}
	}
}

func (c *compiler) structure(rw *row, r uint16, functor int, args []syntax.Term, pos syntax.Pos) {
	rw.tests = append(rw.tests, &test{id: c.testID(), reg: r, want: term.MakeStr(functor)})
	c.arity(len(args), pos)
	b := c.parts(r, functor, len(args), pos)
	for i, a := range args {
		c.pattern(rw, b+uint16(i), a)
	}
}

// constant returns the word for a term, if it fits a word.
func (c *compiler) constant(t syntax.Term) (term.Word, bool) {
	switch t := t.(type) {
	case *syntax.Int:
		if t.Big == "" && term.FitsWord(t.Value) {
			return term.MakeInt(t.Value), true
		}
	case *syntax.Atom:
		return term.MakeAtom(c.p.Symbols.Atom(t.Name)), true
	}
	return 0, false
}

func (c *compiler) testID() int {
	c.tests++
	return c.tests
}

// tree returns the label of code that decides among rows. The clauses of group are tried first; those of a later group,
// behind an otherwise, only if nothing has blocked.
func (c *compiler) tree(rows []row, group int) int32 {
	if len(rows) == 0 {
		return c.suspend
	}
	key := c.signature(rows, group)
	if l, ok := c.memo[key]; ok {
		return l
	}
	l := c.node(rows, group)
	c.memo[key] = l
	return l
}

// A signature identifies a state of the decision: the remaining clauses and their tests. It is a 128-bit hash.
type signature [16]byte

func (c *compiler) signature(rows []row, group int) signature {
	b := binary.AppendUvarint(c.scratch[:0], uint64(group))
	for _, r := range rows {
		b = binary.AppendUvarint(b, uint64(r.clause.index)<<1)
		for _, t := range r.tests {
			b = binary.AppendUvarint(b, uint64(t.id)<<1|1)
		}
	}
	c.scratch = b
	h := fnv.New128a()
	_, _ = h.Write(b) // never fails
	return signature(h.Sum(nil))
}

func (c *compiler) node(rows []row, group int) int32 {
	first := rows[0]
	if g := first.clause.cl.Group; g > group {
		l := c.emit(Ins{Op: Otherwise, Target: c.suspend})
		c.follow(rows, g)
		return l
	}
	if len(first.tests) == 0 {
		return c.emit(Ins{Op: Commit, K: int64(first.clause.index)})
	}
	if t := first.tests[0]; t.guard != nil {
		return c.guardNode(rows, group, t)
	}
	return c.switchNode(rows, group, first.tests[0].reg)
}

// follow emits code so that execution continues with tree(rows).
func (c *compiler) follow(rows []row, group int) {
	here := c.nextLabel()
	if l := c.tree(rows, group); l != here {
		if here != c.nextLabel() {
			panic("compile: code before its label")
		}
		c.emit(Ins{Op: Jump, Target: l})
	}
}

// switchNode emits a switch on register r, which the first row tests.
func (c *compiler) switchNode(rows []row, group int, r uint16) int32 {
	ti := len(c.p.Tables)
	c.p.Tables = append(c.p.Tables, Table{})
	l := c.emit(Ins{Op: Switch, A: r, K: int64(ti)})
	var t Table
	done := map[term.Word]bool{}
	for _, rw := range rows {
		for _, want := range rw.wants(r) {
			if done[want] {
				continue
			}
			done[want] = true
			label := c.branch(rows, group, r, want)
			if want == term.List {
				t.List = label
			} else {
				t.Keys = append(t.Keys, want)
				t.Labels = append(t.Labels, label)
			}
		}
	}
	var other, unbound []row
	for _, rw := range rows {
		if len(rw.wants(r)) == 0 {
			other = append(other, rw)
			if rw.clause.cl.Group == group {
				unbound = append(unbound, rw)
			}
		}
	}
	t.Default = c.tree(other, group)
	t.Blocked = c.tree(unbound, group)
	if t.List == 0 {
		t.List = t.Default
	}
	t.Complete()
	c.p.Tables[ti] = t
	return l
}

// branch returns the label for the case that register r has the constructor want. The code loads the components and
// continues with the rows that accept want.
func (c *compiler) branch(rows []row, group int, r uint16, want term.Word) int32 {
	var left []row
	for _, rw := range rows {
		wants := rw.wants(r)
		if len(wants) == 0 {
			left = append(left, rw)
		} else if !slices.ContainsFunc(wants, func(w term.Word) bool { return w != want }) {
			left = append(left, rw.without(r))
		}
	}
	if want == term.List {
		if b, ok := c.regs[position{r, listFunctor}]; ok {
			l := c.emit(Ins{Op: LoadList, A: r, B: b})
			c.follow(left, group)
			return l
		}
	}
	if want.Tag() == term.Str {
		f := c.p.Symbols.Lookup(want.Index())
		if b, ok := c.regs[position{r, want.Index()}]; ok && f.Arity > 0 {
			l := c.emit(Ins{Op: LoadArgs, A: r, B: b, N: uint16(f.Arity)})
			c.follow(left, group)
			return l
		}
	}
	return c.tree(left, group)
}

// wants returns the constructors that a row still requires of register r. A row that requires two different ones can
// never commit.
func (rw row) wants(r uint16) (wants []term.Word) {
	for _, t := range rw.tests {
		if t.guard == nil && t.reg == r {
			wants = append(wants, t.want)
		}
	}
	return wants
}

// without returns the row without its constructor tests of register r.
func (rw row) without(r uint16) row {
	out := row{clause: rw.clause, tests: make([]*test, 0, len(rw.tests))}
	for _, t := range rw.tests {
		if t.guard != nil || t.reg != r {
			out.tests = append(out.tests, t)
		}
	}
	return out
}

// commit sets the target of the Commit at label i, after it has compiled the clause's body if need be.
func (c *compiler) commit(rw row, i int) {
	if rw.clause.body == 0 {
		b := c.newBody(&rw.clause.vars, rw.clause.index, rw.clause.cl.Module)
		rw.clause.body = c.nextLabel()
		b.goals(rw.clause.cl.Body)
	}
	c.p.Code[i].Target = rw.clause.body
}
