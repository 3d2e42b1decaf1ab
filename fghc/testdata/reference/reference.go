// Package reference is a simple interpreter of FGHC, the oracle for tests of the compiler and the engines. Terms are Go
// values, goals are in one queue, a clause is tried by reading its syntax tree, and nothing is compiled, indexed or
// collected.
//
// A goal takes the first clause, in textual order, whose head matches and whose guard holds without binding variables.
// It fails when no clause can ever commit, and otherwise waits for every variable that a clause needs. Clauses behind
// an `otherwise` are tried when all before them have failed. The unifications of a body happen at the commit; := and
// bigint wait for their operands and are no reductions.
//
// An Order decides which goal is next. The answer and the tree of a program whose clauses exclude each other must not
// depend on it.
package reference

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"whorl/fghc/syntax"
)

// An Order decides which ready goal is next.
type Order uint8

// The orders.
const (
	DepthFirst   Order = iota // the newest goal, the first of a body before the second
	BreadthFirst              // the oldest
	Random                    // a random one, by Config.Seed
)

func (o Order) String() string { return [...]string{"depth-first", "breadth-first", "random"}[o] }

// A Config configures a run. The zero Config is depth-first without a limit.
type Config struct {
	Order         Order
	Seed          uint64
	MaxReductions int // 0 for no limit
	// Lazy makes tries know less: a try of a clause ends at the first test that blocks, even if a later one fails, and
	// two occurrences of an unbound variable are not known to be equal. The language leaves that open (two PEs may each
	// hold one occurrence). The difference matters only for variables that are never bound.
	Lazy bool
}

// The errors of a run. Result.Err wraps one of them.
var (
	ErrDeadlock = errors.New("deadlock")
	ErrNoClause = errors.New("no clause can commit")
	ErrUnify    = errors.New("unification failed")
	ErrValue    = errors.New("no value") // of an expression: overflow, division by zero, no integer
	ErrStopped  = errors.New("stopped by the limit")
)

// A Node is a reduction.
type Node struct {
	Proc   string // name/arity
	Line   int32  // of the clause
	Parent int    // index in Result.Nodes, -1 for a goal of the query
	Child  int    // index in the parent's body or the query, which includes goals that do not reduce
	Level  int
}

// An Answer is a variable of the query with its value.
type Answer struct {
	Name  string
	Value syntax.Term
}

// A Result is the result of a run.
type Result struct {
	Err         error // nil if all goals have ended
	Answers     []Answer
	Nodes       []Node // in order of reduction
	Height      int    // the largest level
	Suspensions int
	Waiting     []syntax.Goal // goals that wait forever, as written, in textual order
}

// Reductions returns the number of reductions by procedure.
func (r *Result) Reductions() map[string]int {
	m := map[string]int{}
	for _, n := range r.Nodes {
		m[n.Proc]++
	}
	return m
}

// String formats the answers, one line each.
func (r *Result) String() string {
	var b strings.Builder
	for _, a := range r.Answers {
		fmt.Fprintf(&b, "%s = %s\n", a.Name, syntax.Format(a.Value))
	}
	return b.String()
}

// Shape formats the tree of reductions in preorder, children in the order of the body. It does not depend on the order
// of the run.
func (r *Result) Shape() string {
	children := make([][]int, len(r.Nodes)+1)
	for i, n := range r.Nodes {
		children[n.Parent+1] = append(children[n.Parent+1], i)
	}
	var b strings.Builder
	stack := []int{-1}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if i >= 0 {
			fmt.Fprintf(&b, "%d %s %d\n", r.Nodes[i].Level, r.Nodes[i].Proc, r.Nodes[i].Line)
		}
		c := children[i+1]
		slices.SortFunc(c, func(a, b int) int { return r.Nodes[b].Child - r.Nodes[a].Child })
		stack = append(stack, c...)
	}
	return b.String()
}

// A goal is ready or waits. An = never waits; := and bigint carry the variables of their clause.
type goal struct {
	text          syntax.Goal
	name          string
	args          []term
	env           env     // of := and other assignments, nil for others
	pragmas       env     // of a goal whose pragmas are still to be evaluated, nil for others
	native        *native // of other builtins, nil for others
	parent, child int
	waits         bool
}

type machine struct {
	cfg     Config
	procs   map[string][]*syntax.Clause
	modules []string // in textual order
	ready   []*goal
	asleep  map[*goal]bool
	random  *rand.Rand
	out     Result
}

// Run runs a query on the program f, which package check must have accepted.
func Run(f *syntax.File, query []syntax.Goal, cfg Config) *Result {
	m := &machine{cfg: cfg, procs: map[string][]*syntax.Clause{}, asleep: map[*goal]bool{}, random: rand.New(rand.NewPCG(cfg.Seed, 1))}
	for _, c := range f.Clauses {
		name, args := c.Head.Name()
		key := place(c.Module, name, len(args))
		m.procs[key] = append(m.procs[key], c)
		if !slices.Contains(m.modules, c.Module) {
			m.modules = append(m.modules, c.Module)
		}
	}
	variables := env{}
	var names []string
	for _, g := range query {
		syntax.Variables(func(v *syntax.Var) {
			if _, ok := variables[v.Name]; !ok && v.Name != "_" {
				variables[v.Name] = &variable{}
				names = append(names, v.Name)
			}
		}, g.Term, g.Node, g.Priority)
	}
	m.out.Err = m.body(query, variables, -1, m.modules...)
	for m.out.Err == nil && len(m.ready) > 0 {
		if cfg.MaxReductions > 0 && len(m.out.Nodes) >= cfg.MaxReductions {
			m.out.Err = ErrStopped
			break
		}
		m.out.Err = m.step(m.next())
	}
	unbound := map[*variable]string{}
	for _, n := range names {
		if v, ok := deref(variables[n]).(*variable); ok && unbound[v] == "" {
			unbound[v] = n
		}
	}
	left := largest
	for _, n := range names {
		if left = count(variables[n], left); left <= 0 {
			m.out.Err = ErrStopped
			return &m.out
		}
	}
	for _, n := range names {
		m.out.Answers = append(m.out.Answers, Answer{n, written(variables[n], unbound)})
	}
	for g := range m.asleep {
		m.out.Waiting = append(m.out.Waiting, g.text)
	}
	slices.SortFunc(m.out.Waiting, ByPlace)
	if m.out.Err == nil && len(m.out.Waiting) > 0 {
		m.out.Err = fmt.Errorf("%w of %d goals", ErrDeadlock, len(m.out.Waiting))
	}
	return &m.out
}

// ByPlace compares goals by their source positions.
func ByPlace(a, b syntax.Goal) int {
	p, q := a.Term.Position(), b.Term.Position()
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// next removes the next goal from the queue.
func (m *machine) next() *goal {
	i := len(m.ready) - 1
	switch m.cfg.Order {
	case BreadthFirst:
		i = 0
	case Random:
		i = m.random.IntN(len(m.ready))
		m.ready[i], m.ready[len(m.ready)-1] = m.ready[len(m.ready)-1], m.ready[i]
		i = len(m.ready) - 1
	}
	g := m.ready[i]
	if i == 0 {
		m.ready = m.ready[1:]
	} else {
		m.ready = m.ready[:i]
	}
	return g
}

// place returns the key of a procedure or builtin.
func place(module, name string, arity int) string {
	if module != "" {
		name = module + ":" + name
	}
	return fmt.Sprintf("%s/%d", name, arity)
}

// resolve returns the key of the procedure or builtin that a goal of a module calls. A query belongs to all modules.
func (m *machine) resolve(g syntax.Goal, modules ...string) string {
	name, args := g.Name()
	if g.Module != "" {
		modules = []string{g.Module}
	}
	for _, module := range modules {
		if key := place(module, name, len(args)); m.procs[key] != nil {
			return key
		}
	}
	return place(g.Module, name, len(args))
}

// body executes the unifications and assignments of a body and makes its other goals ready.
func (m *machine) body(goals []syntax.Goal, e env, parent int, modules ...string) error {
	var spawned []*goal
	for i, g := range goals {
		_, args := g.Name()
		key := m.resolve(g, modules...)
		switch key {
		case "true/0":
		case "=/2":
			if !unify(e.build(args[0]), e.build(args[1]), m.bind) {
				return fmt.Errorf("%w: %s", ErrUnify, syntax.Format(g.Term))
			}
		case ":=/2", "bigint/2", "$:=/2":
			if err := m.step(&goal{text: g, name: key, env: e}); err != nil {
				return err
			}
		default:
			n := &goal{text: g, name: key, parent: parent, child: i}
			for _, a := range args {
				n.args = append(n.args, e.build(a))
			}
			if g.Node != nil || g.Priority != nil {
				n.pragmas = e
			}
			if f, ok := natives[m.cfg.Lazy][key]; ok {
				n.native = &f
				if err := m.step(n); err != nil {
					return err
				}
				continue
			}
			spawned = append(spawned, n)
		}
	}
	for i := range spawned {
		if m.cfg.Order == DepthFirst {
			i = len(spawned) - 1 - i
		}
		m.ready = append(m.ready, spawned[i])
	}
	return nil
}

// bind binds a variable and wakes the goals that wait for it.
func (m *machine) bind(v *variable, t term) {
	v.ref = t
	for _, g := range v.waiting {
		if g.waits {
			g.waits = false
			delete(m.asleep, g)
			m.ready = append(m.ready, g)
		}
	}
	v.waiting = nil
}

func (m *machine) suspend(g *goal, on []*variable) {
	m.out.Suspensions++
	g.waits = true
	m.asleep[g] = true
	for _, v := range on {
		v.waiting = append(v.waiting, g)
	}
}

// step tries a goal.
func (m *machine) step(g *goal) error {
	if g.env != nil {
		return m.compute(g)
	}
	for _, t := range []syntax.Term{g.text.Node, g.text.Priority} {
		if t == nil || g.pragmas == nil {
			continue
		}
		if _, on, err := g.pragmas.value(t, ":=/2"); on != nil || err != nil {
			if on != nil {
				m.suspend(g, on)
				return nil
			}
			return fmt.Errorf("%w: %s: %w", ErrValue, syntax.Format(t), err)
		}
	}
	g.pragmas = nil
	if g.native != nil {
		return m.perform(g)
	}
	var on []*variable
	group := 0
	for _, c := range m.procs[g.name] {
		if c.Group > group && len(on) > 0 {
			break
		}
		group = c.Group
		p := &passive{env: env{}, lazy: m.cfg.Lazy}
		v := p.clause(c, g.args)
		if p.err != nil {
			return p.err
		}
		switch v {
		case success:
			return m.commit(g, c, p.env)
		case blocked:
			on = append(on, p.on...)
		}
	}
	if len(on) == 0 {
		return fmt.Errorf("%w: %s", ErrNoClause, syntax.Format(g.text.Term))
	}
	m.suspend(g, on)
	return nil
}

// commit reduces a goal by a clause.
func (m *machine) commit(g *goal, c *syntax.Clause, e env) error {
	level := 0
	if g.parent >= 0 {
		level = m.out.Nodes[g.parent].Level + 1
	}
	m.out.Height = max(m.out.Height, level)
	proc := g.name
	if len(m.modules) == 1 {
		proc = strings.TrimPrefix(proc, c.Module+":")
	}
	m.out.Nodes = append(m.out.Nodes, Node{Proc: proc, Line: c.Pos.Line, Parent: g.parent, Child: g.child, Level: level})
	return m.body(c.Body, e, len(m.out.Nodes)-1, c.Module)
}

// compute executes X := E, bigint(E, X) or X $:= E.
func (m *machine) compute(g *goal) error {
	_, args := g.text.Name()
	x, e := args[0], args[1]
	if g.name == "bigint/2" {
		x, e = e, x
	}
	value, on, err := g.env.value(e, g.name)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %s: %w", ErrValue, syntax.Format(g.text.Term), err)
	case on != nil:
		m.suspend(g, on)
		return nil
	case !unify(g.env.build(x), value, m.bind):
		return fmt.Errorf("%w: %s with %v", ErrUnify, syntax.Format(g.text.Term), value)
	}
	return nil
}
