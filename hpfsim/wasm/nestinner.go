package wasm

import (
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

const (
	unroll    = 4 // iterations, or vectors of two
	fewPlaces = 4 // of a nest whose groups are twice as long
)

// inner generates the innermost loop: groups of vectors, groups of single iterations, and the rest.
func (g *nester) inner(at []int) {
	l := g.Loops - 1
	g.pointers = make([]int, len(at))
	g.strides = make([]int, len(at))
	for p := range at {
		g.pointers[p] = at[p]
		if !g.moves(p) {
			continue
		}
		g.pointers[p] = g.local(i32)
		g.get(at[p])
		g.set(g.pointers[p])
		if g.placeOf(p).Step != 1 {
			g.strides[p] = g.loaded(i32, g.pointerWord(p)+1+l)
		}
	}
	g.fixed, g.pairs = map[int]int{}, map[int]int{}
	for k, p := range g.Places {
		if p.Step == 0 && !g.joined(k) {
			g.fix(k, p)
		}
	}
	for k, s := range g.Steps {
		if s.Join == lower.NoOperation {
			continue
		}
		g.sums[k] = g.local(kindOf(g.Places[s.Place].Type))
		g.get(g.pointers[g.Places[s.Place].Pointer])
		g.element(g.Places[s.Place].Type, g.Places[s.Place].Offset)
		g.set(g.sums[k])
	}
	left := g.loaded(i32, l)
	if lanes := g.lanes(); lanes > 0 {
		vectors := unroll
		if len(g.Places) <= fewPlaces {
			vectors *= 2
		}
		g.group(left, lanes*vectors, func() {
			for u := range vectors {
				g.shift = lanes * u
				for _, s := range g.Steps {
					g.vectorStore(s)
				}
			}
			g.shift = 0
		})
	}
	if plain := !slices.ContainsFunc(g.Places, func(p Place) bool { return p.Step == Any }); plain && g.lanes() == 0 {
		g.group(left, unroll, func() {
			for u := range unroll {
				g.shift = u
				g.steps()
				g.turn(l)
			}
			g.shift = 0
		})
	}
	g.group(left, 1, func() { g.steps(); g.turn(l) })
	if v := g.Vars[l]; v != nil && l > 0 {
		g.loadWord(opcodeFor(kindOf(v.Type), i32Load, i64Load, 0, 0), g.varWord(l))
		g.set(g.scalars[v])
	}
	for k, s := range g.Steps {
		if s.Join == lower.NoOperation {
			continue
		}
		g.get(at[g.Places[s.Place].Pointer])
		g.get(g.sums[k])
		g.store(g.Places[s.Place].Type, g.Places[s.Place].Offset)
	}
}

// uses reports whether a value depends on a loop's variable other than by places.
func (n *Nest) uses(v *lower.Symbol) bool {
	found := false
	for _, s := range n.Steps {
		n.values(s.Value, func(x lower.Expr) {
			r, ok := x.(*lower.Ref)
			found = found || ok && r.Sym == v
		})
	}
	return found
}

// group generates a loop over groups of iterations while that many are left.
func (g *nester) group(left, size int, do func()) {
	g.get(left)
	g.int(int64(size))
	g.op(i32GeS)
	g.when(func() {
		g.loop(func(again label) {
			g.touchGroup(size)
			do()
			for p := range g.pointers {
				if !g.moves(p) {
					continue
				}
				g.get(g.pointers[p])
				if place := g.placeOf(p); place.Step == 1 {
					g.int(int64(size * sizeOf(place.Type)))
				} else {
					g.get(g.strides[p])
				}
				g.op(i32Add)
				g.set(g.pointers[p])
			}
			g.get(left)
			g.int(int64(size))
			g.op(i32Sub)
			g.tee(left)
			g.int(int64(size))
			g.op(i32GeS)
			g.branchIf(again)
		})
	})
}

// placeOf returns a place of a pointer. All of them have the same type and step.
func (g *nester) placeOf(p int) Place {
	return g.Places[slices.IndexFunc(g.Places, func(x Place) bool { return x.Pointer == p })]
}

// moves reports whether a pointer moves in the innermost loop.
func (g *nester) moves(p int) bool { return g.placeOf(p).Step != 0 }

// touchGroup reads the last byte that a group of iterations accesses by each pointer, so that the other accesses are known to be within the memory.
func (g *nester) touchGroup(size int) {
	last, places := make([]int, g.Pointers), make([]int, g.Pointers)
	for _, x := range g.Places {
		end := x.Offset + sizeOf(x.Type)
		if x.Step == 1 {
			end += (size - 1) * sizeOf(x.Type)
		}
		last[x.Pointer] = max(last[x.Pointer], end)
		places[x.Pointer]++
	}
	for p, end := range last {
		if places[p] > 1 || size > 1 {
			g.get(g.pointers[p])
			g.memory(i32Load8, end-1)
			g.op(opDrop)
		}
	}
}

// steps generates the assignments of one iteration.
func (g *nester) steps() {
	for k, s := range g.Steps {
		switch {
		case s.Place < 0:
			v := g.Privates[s.Private]
			g.value(s.Value)
			g.set(g.private[v])
		case s.Join != lower.NoOperation:
			g.join(k, s)
		case s.Masked:
			g.load(g.Places[s.Mask])
			g.condition(kindOf(g.Places[s.Mask].Type))
			g.when(func() { g.put(s) })
		default:
			g.put(s)
		}
	}
}

// put generates the store of a value at a place.
func (g *nester) put(s Step) {
	p := g.Places[s.Place]
	g.get(g.pointers[p.Pointer])
	g.value(s.Value)
	g.store(p.Type, p.Offset+g.shift*p.Step*sizeOf(p.Type))
}

// load generates the load of an element.
func (g *nester) load(p Place) {
	g.get(g.pointers[p.Pointer])
	g.element(p.Type, p.Offset+g.shift*p.Step*sizeOf(p.Type))
}

// joined reports whether values are joined with a place.
func (g *nester) joined(k int) bool {
	for _, s := range g.Steps {
		if s.Place == k && s.Join != lower.NoOperation {
			return true
		}
	}
	return false
}

// fix loads an element that the innermost loop does not write.
func (g *nester) fix(k int, p Place) {
	l := g.local(kindOf(p.Type))
	g.get(g.pointers[p.Pointer])
	g.element(p.Type, p.Offset)
	g.set(l)
	g.fixed[k] = l
	if g.lanes() > 0 && kindOf(p.Type) != i64 {
		g.get(l)
		g.pairs[k] = g.splatted(kindOf(p.Type))
	}
}

// join generates the joining of a value.
func (g *nester) join(k int, s Step) {
	t := g.Places[s.Place].Type
	sum, kind := g.sums[k], kindOf(t)
	switch s.Join {
	case lower.OpSum, lower.OpProduct:
		op := opcodeFor(kind, i32Add, i64Add, f32Add, f64Add)
		if s.Minus {
			op++
		} else if s.Join == lower.OpProduct {
			op += 2
		}
		g.get(sum)
		g.value(s.Value)
		g.op(op)
		if !t.Floating() {
			g.narrow(t)
		}
		g.set(sum)
	default:
		x := g.local(kind)
		better := syntax.GT
		if s.Join == lower.OpMinval {
			better = syntax.LT
		}
		g.value(s.Value)
		g.tee(x)
		g.get(sum)
		g.get(x)
		g.get(sum)
		g.relate(better, kind)
		if t.Floating() {
			g.get(sum)
			g.get(sum)
			g.relate(syntax.NE, kind)
			g.op(i32Or)
		}
		g.op(opSelect)
		g.set(sum)
	}
}

// own generates the leaves of expressions: places, known values, variables of loops and private scalars.
func (g *nester) own(x lower.Expr) bool {
	if k, ok := g.Known[x]; ok {
		g.get(g.known[k])
		return true
	}
	if k, ok := g.At[x]; ok {
		if l, ok := g.fixed[k]; ok {
			g.get(l)
			return true
		}
		g.load(g.Places[k])
		return true
	}
	if r, ok := x.(*lower.Ref); ok {
		if l, ok := g.private[r.Sym]; ok {
			g.get(l)
			return true
		}
	}
	return false
}
