package wasm

import (
	"fmt"
	"slices"
	"strings"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// An innermost loop whose subscripts are sums of its variable and of scalars that it does not change runs without checks of them when all their values are within
// bounds: they are checked for the first and the last iteration before the loop, and the addresses of elements move by the same distance in each iteration.
// Otherwise the loop runs with the checks, so that an error is reported where it happens.

// mostFactor is the largest factor of a loop's variable in a subscript that is checked before the loop.
const mostFactor = 1 << 20

const (
	groupLength = 4   // iterations that are executed at a time
	mostNodes   = 150 // of the expressions of a loop that has groups
)

// leastHoisted is the number of iterations that pay for the checks before the loop.
const leastHoisted = 6

// A hoisted is the elements of a loop that are addressed by pointers.
type hoisted struct {
	do       *lower.Do
	pointers []*movingPointer
	pointer  map[*lower.Element]*movingPointer
	ranges   map[string]*subscriptRange
	order    []*subscriptRange
	uses     map[*lower.Symbol]bool // scalars, and arrays that are addressed otherwise
	cost     int64                  // of the most expensive iteration
	nodes    int                    // of the expressions in an iteration
	turn     int                    // the iteration of a group that is generated
}

// A movingPointer is the address of elements of an array whose subscripts differ by constants in the first dimension.
type movingPointer struct {
	first    *lower.Element // the one with the lowest address
	offsets  []int64        // the constants of all elements in the first dimension
	factors  []int64        // of the loop's variable, by dimension
	local    int            // the address of the lowest element in this iteration
	stride   int            // local of the distance to the next iteration, unless that is constant
	constant bool
	bytes    int // the distance, if it is constant
}

// A subscriptRange is a subscript of a dimension of an array with the constants that are added to it.
type subscriptRange struct {
	array     *lower.Symbol
	dim       int
	factor    int64
	low       lower.Expr // the subscript with the least constant
	from, top int64
}

// hoist finds the elements of an innermost loop that can be addressed by pointers. It returns nil if there are none.
func (g *generator) hoist(d *lower.Do) *hoisted {
	if d.Var == nil || d.Var.Type.Size != 4 {
		return nil
	}
	h := &hoisted{do: d, pointer: map[*lower.Element]*movingPointer{}, ranges: map[string]*subscriptRange{}}
	assigned := map[*lower.Symbol]bool{}
	lower.Statements(d.Body, func(s lower.Stmt) {
		if a, ok := s.(*lower.Assign); ok {
			if r, ok := a.Left.(*lower.Ref); ok {
				assigned[r.Sym] = true
			}
		}
	})
	known := map[string]*movingPointer{}
	var all []lower.Expr
	lower.Statements(d.Body, func(s lower.Stmt) {
		switch s := s.(type) {
		case *lower.Assign:
			all = append(all, s.Left, s.Right)
		case *lower.If:
			all = append(all, s.Conds...)
		}
	})
	for _, x := range all {
		lower.Walk(x, func(x lower.Expr) {
			if e, ok := x.(*lower.Element); ok && e.Sym.Holds == nil {
				h.add(e, assigned, known)
			}
		})
	}
	if len(h.pointer) == 0 {
		return nil
	}
	h.uses = map[*lower.Symbol]bool{d.Var: true}
	for v := range assigned {
		h.uses[v] = true
	}
	for _, p := range h.pointers {
		p.known(d)
	}
	inside := map[lower.Expr]bool{} // subscripts that the pointers replace
	for e := range h.pointer {
		for _, sub := range e.Subs {
			lower.Walk(sub.Index, func(x lower.Expr) { inside[x] = true })
		}
	}
	for _, x := range all {
		lower.Walk(x, func(x lower.Expr) {
			if !inside[x] {
				h.nodes++
			}
			switch e := x.(type) {
			case *lower.Ref:
				h.uses[e.Sym] = h.uses[e.Sym] || !inside[x]
			case *lower.Element:
				h.uses[e.Sym] = h.uses[e.Sym] || h.pointer[e] == nil
			}
		})
	}
	return h
}

// add adds an element, unless its subscripts cannot be checked before the loop.
func (h *hoisted) add(e *lower.Element, assigned map[*lower.Symbol]bool, known map[string]*movingPointer) {
	var key strings.Builder
	fmt.Fprintf(&key, "%p", e.Sym)
	var factors, offsets []int64
	texts := make([]string, len(e.Subs))
	for d, sub := range e.Subs {
		sum, offset, ok := lower.Affine(sub.Index)
		if !ok || !ofFourBytes(sub.Index) || max(offset, -offset) > mostFactor || max(sum[h.do.Var], -sum[h.do.Var]) > mostFactor {
			return
		}
		var terms []string
		for v, k := range sum {
			if assigned[v] {
				return
			}
			terms = append(terms, fmt.Sprintf("%p*%d", v, k))
		}
		slices.Sort(terms)
		texts[d] = strings.Join(terms, "+")
		fmt.Fprint(&key, ",", texts[d])
		if d > 0 {
			fmt.Fprint(&key, "+", offset)
		}
		factors, offsets = append(factors, sum[h.do.Var]), append(offsets, offset)
	}
	for d, sub := range e.Subs {
		of := fmt.Sprintf("%p %d %s", e.Sym, d, texts[d])
		r := h.ranges[of]
		if r == nil {
			r = &subscriptRange{e.Sym, d, factors[d], sub.Index, offsets[d], offsets[d]}
			h.ranges[of] = r
			h.order = append(h.order, r)
		}
		if offsets[d] < r.from {
			r.low, r.from = sub.Index, offsets[d]
		}
		r.top = max(r.top, offsets[d])
	}
	p := known[key.String()]
	if p == nil {
		p = &movingPointer{first: e, factors: factors}
		known[key.String()] = p
		h.pointers = append(h.pointers, p)
	}
	if len(p.offsets) > 0 && offsets[0] < slices.Min(p.offsets) {
		p.first = e
	}
	p.offsets = append(p.offsets, offsets[0])
	h.pointer[e] = p
}

// known finds out whether the distance to the next iteration is a constant that is not negative.
func (p *movingPointer) known(d *lower.Do) {
	step := int64(1)
	if d.Step != nil {
		k, ok := d.Step.(*lower.Const)
		if !ok {
			return
		}
		step = k.I
	}
	for _, k := range p.factors[1:] {
		if k != 0 {
			return
		}
	}
	if step *= p.factors[0]; step >= 0 && step <= mostFactor {
		p.constant, p.bytes = true, int(step)*sizeOf(p.first.T)
	}
}

// ofFourBytes reports whether an expression computes with integers of 4 bytes only.
func ofFourBytes(x lower.Expr) bool {
	ok := true
	lower.Walk(x, func(x lower.Expr) { ok = ok && x.Type().Base == syntax.IntegerType && x.Type().Size == 4 })
	return ok
}

// address leaves the pointer of an element, and returns the distance from there in bytes.
func (h *hoisted) address(g *generator, e *lower.Element) int {
	p := h.pointer[e]
	g.get(p.local)
	_, offset, _ := lower.Affine(e.Subs[0].Index)
	return int(offset-slices.Min(p.offsets))*sizeOf(e.T) + h.turn*p.bytes
}

// last returns the distance of the last byte that some iterations access by a pointer.
func (p *movingPointer) last(iterations int) int {
	return int(slices.Max(p.offsets)-slices.Min(p.offsets)+1)*sizeOf(p.first.T) + (iterations-1)*p.bytes - 1
}
