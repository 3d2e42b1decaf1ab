package check

import (
	"cmp"
	"math"

	"whorl/fghc/syntax"
)

// never returns a warning for every clause that can never commit.
func (fs Files) never() syntax.Errors {
	c := newChecker(fs)
	clauses := map[procedure][]*syntax.Clause{}
	for _, f := range fs {
		if f.Library {
			continue
		}
		for _, cl := range f.Clauses {
			p := procedureOf(cl)
			c.contradiction(cl)
			for _, before := range clauses[p] {
				if before.Number != cl.Number && covers(before, cl) {
					c.warn(cl.Head.Term.Position(), "a head or a guard that distinguishes them",
						"this clause can never commit: the clause in line %d accepts all of its goals", before.Pos.Line)
					break
				}
			}
			if n := len(clauses[p]); n < maxCompared || general(cl) && n < 2*maxCompared {
				clauses[p] = append(clauses[p], cl)
			}
		}
	}
	return c.errs
}

// maxCompared bounds the number of preceding clauses that a clause is compared with.
const maxCompared = 100

// general reports whether a clause accepts every goal.
func general(cl *syntax.Clause) bool {
	_, args := cl.Head.Name()
	seen := map[string]bool{}
	for _, a := range args {
		v, ok := a.(*syntax.Var)
		if !ok || seen[v.Name] {
			return false
		}
		seen[v.Name] = v.Name != "_"
	}
	return len(cl.Guard) == 0
}

// covers reports whether every goal that b accepts is also accepted by a, an earlier clause.
func covers(a, b *syntax.Clause) bool {
	m := matching{}
	_, args := a.Head.Name()
	_, others := b.Head.Name()
	for i := range args {
		if !m.match(args[i], others[i]) {
			return false
		}
	}
	if len(a.Guard) == 0 {
		return true
	}
	for name, t := range m {
		if v, ok := t.(*syntax.Var); !ok || v.Name != name {
			return false
		}
	}
	guard := map[string]bool{}
	for _, g := range b.Guard {
		guard[g.Module+":"+syntax.Format(g.Term)] = true
	}
	for _, g := range a.Guard {
		if !guard[g.Module+":"+syntax.Format(g.Term)] {
			return false
		}
	}
	return true
}

// A matching maps the variables of a pattern to terms.
type matching map[string]syntax.Term

// match reports whether t is an instance of the pattern, and extends m.
func (m matching) match(pattern, t syntax.Term) bool {
	for {
		p, ok := pattern.(*syntax.List)
		l, isList := t.(*syntax.List)
		if !ok || !isList {
			break
		}
		if !m.match(p.Head, l.Head) {
			return false
		}
		pattern, t = p.Tail, l.Tail
	}
	switch p := pattern.(type) {
	case *syntax.Var:
		if p.Name == "_" {
			return true
		}
		if before, ok := m[p.Name]; ok {
			v, isVar := t.(*syntax.Var)
			return (!isVar || v.Name != "_") && syntax.Format(before) == syntax.Format(t)
		}
		m[p.Name] = t
		return true
	case *syntax.Compound:
		c, ok := t.(*syntax.Compound)
		return ok && p.Name == c.Name && m.matchAll(p.Args, c.Args)
	case *syntax.Vector:
		v, ok := t.(*syntax.Vector)
		return ok && m.matchAll(p.Args, v.Args)
	case *syntax.List:
		return false
	}
	switch t.(type) {
	case *syntax.Int, *syntax.Float, *syntax.Atom, *syntax.Str:
		return kind(pattern) == kind(t) && syntax.Format(pattern) == syntax.Format(t)
	}
	return false
}

func (m matching) matchAll(patterns, terms []syntax.Term) bool {
	if len(patterns) != len(terms) {
		return false
	}
	for i := range patterns {
		if !m.match(patterns[i], terms[i]) {
			return false
		}
	}
	return true
}

// The types of terms, as a set.
const (
	isInt = 1 << iota
	isFloat
	isAtom
	isList
	isString
	isVector
	isStructure
	isAny = 1<<iota - 1
)

// typeTests are the types that the type tests accept.
var typeTests = map[string]int{
	"integer": isInt, "atom": isAtom, "list": isList, "atomic": isInt | isAtom, "float": isFloat, "string": isString, "vector": isVector,
}

// The outcomes of a comparison of integers, as a set.
const (
	less = 1 << iota
	equal
	greater
)

// relations are the outcomes that the comparisons accept.
var relations = map[string]int{"<": less, "=<": less | equal, ">": greater, ">=": greater | equal, "=:=": equal, `=\=`: less | greater}

// typeOf returns the types that a term can have; a variable can have any.
func typeOf(t syntax.Term) int {
	switch t.(type) {
	case *syntax.Int:
		return isInt
	case *syntax.Float:
		return isFloat
	case *syntax.Atom:
		return isAtom
	case *syntax.List:
		return isList
	case *syntax.Str:
		return isString
	case *syntax.Vector:
		return isVector
	case *syntax.Compound:
		return isStructure
	}
	return isAny
}

// facts are the consequences of guard goals for variables and expressions, which are represented by their texts.
type facts struct {
	types     map[string]int
	low, high map[string]int64
	relations map[[2]string]int
	values    map[string]string // constants that variables are equal to
}

func newFacts() facts {
	return facts{map[string]int{}, map[string]int64{}, map[string]int64{}, map[[2]string]int{}, map[string]string{}}
}

// contradiction warns of a guard that always fails.
func (c *checker) contradiction(cl *syntax.Clause) {
	all := newFacts()
	for i, g := range cl.Guard {
		alone := newFacts()
		switch {
		case !alone.add(g):
			c.warn(g.Term.Position(), "", "this guard always fails")
			return
		case !all.add(g):
			with := "an earlier guard goal"
			if i == 1 {
				with = text(cl.Guard[0].Term)
			}
			c.warn(g.Term.Position(), "", "this clause can never commit: %s contradicts %s", text(g.Term), with)
			return
		}
	}
}

// add adds a guard goal to the facts and reports whether they are still consistent.
func (f *facts) add(g syntax.Goal) bool {
	name, args := g.Name()
	if g.Module != "" || len(args) == 0 {
		return true
	}
	if mask, ok := typeTests[name]; ok && (len(args) == 1 || name == "vector" && len(args) == 2 || name == "string" && len(args) == 3) {
		return f.restrict(args[0], mask)
	}
	if len(args) != 2 {
		return true
	}
	if mask, ok := relations[name]; ok {
		return f.compare(mask, args[0], args[1])
	}
	if name == "=" {
		return f.equal(args[0], args[1])
	}
	return true
}

// restrict records that a term has one of the types of mask. It reports whether that is possible.
func (f *facts) restrict(t syntax.Term, mask int) bool {
	v, ok := t.(*syntax.Var)
	if !ok {
		return typeOf(t)&mask != 0
	}
	if v.Name == "_" {
		return true
	}
	now, ok := f.types[v.Name]
	if !ok {
		now = isAny
	}
	f.types[v.Name] = now & mask
	return now&mask != 0
}

func (f *facts) equal(l, r syntax.Term) bool {
	if !isVar(l) {
		l, r = r, l
	}
	v, ok := l.(*syntax.Var)
	if !ok {
		return typeOf(l)&typeOf(r) != 0
	}
	if isVar(r) {
		return true
	}
	if !f.restrict(v, typeOf(r)) {
		return false
	}
	switch r.(type) {
	case *syntax.Int, *syntax.Atom, *syntax.Str, *syntax.Float:
		now, ok := f.values[v.Name]
		f.values[v.Name] = text(r)
		return !ok || now == text(r)
	}
	return true
}

// compare records a relation between two expressions.
func (f *facts) compare(mask int, l, r syntax.Term) bool {
	possible := true
	syntax.Variables(func(v *syntax.Var) { possible = f.restrict(v, isInt) && possible }, l, r)
	if c, ok := l.(*syntax.Int); ok && c.Big == "" {
		if d, ok := r.(*syntax.Int); ok && d.Big == "" {
			return mask&(less<<(1+cmp.Compare(c.Value, d.Value))) != 0
		}
		l, r, mask = r, l, mirrored(mask)
	}
	left, right := syntax.Format(l), syntax.Format(r)
	if c, ok := r.(*syntax.Int); ok && c.Big == "" {
		return f.bounds(left, mask, c.Value) && possible
	}
	if left == right {
		return mask&equal != 0 && possible
	}
	if left > right {
		left, right, mask = right, left, mirrored(mask)
	}
	now, ok := f.relations[[2]string{left, right}]
	if !ok {
		now = less | equal | greater
	}
	f.relations[[2]string{left, right}] = now & mask
	return now&mask != 0 && possible
}

// mirrored returns the relation with its sides exchanged.
func mirrored(mask int) int { return mask&equal | (mask&greater)>>2 | (mask&less)<<2 }

// bounds records a relation between an expression and a number.
func (f *facts) bounds(e string, mask int, n int64) bool {
	low, ok := f.low[e]
	if !ok {
		low = math.MinInt64
	}
	high, ok := f.high[e]
	if !ok {
		high = math.MaxInt64
	}
	switch mask {
	case less:
		if n == math.MinInt64 {
			return false
		}
		high = min(high, n-1)
	case less | equal:
		high = min(high, n)
	case equal:
		low, high = max(low, n), min(high, n)
	case greater | equal:
		low = max(low, n)
	case greater:
		if n == math.MaxInt64 {
			return false
		}
		low = max(low, n+1)
	}
	f.low[e], f.high[e] = low, high
	return low <= high
}
