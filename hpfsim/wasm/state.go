package wasm

import (
	"iter"
	"slices"

	"whorl/hpfsim/lower"
)

// The state of a function is in its locals. It is loaded from the frame where the function begins or goes on, and saved where it stops.

// variables yields the scalars of the routine with their words.
func (g *generator) variables() iter.Seq2[*lower.Symbol, int] {
	return func(yield func(*lower.Symbol, int) bool) {
		for k, v := range g.Scalars {
			if !yield(v, g.scalarWord(k)) {
				return
			}
		}
		for k, v := range g.temps {
			if !yield(v, g.tempWord(k)) {
				return
			}
		}
	}
}

// declare makes the locals of the state that are no parameters.
func (g *generator) declare() {
	for v := range g.variables() {
		if _, ok := g.scalars[v]; !ok {
			g.scalars[v] = g.local(kindOf(v.Type))
		}
	}
	for _, v := range g.globals {
		g.scalars[v] = g.local(kindOf(v.Type))
	}
	for v := range g.known {
		if g.unit == nil && g.scalars[v] == 0 && g.twin(v) != v {
			g.scalars[v] = g.scalars[g.twin(v)]
		}
	}
	for _, d := range g.counted {
		g.counters[d] = &counter{g.local(i64), g.local(i64)}
	}
	for _, a := range slices.Concat(g.Arrays, g.globalArrays) {
		x := g.arrays[a]
		if x == nil {
			x = &arrayLocals{base: g.local(i32)}
			g.arrays[a] = x
		}
		for range a.Rank() {
			x.lo, x.n, x.steps = append(x.lo, g.local(i32)), append(x.n, g.local(i32)), append(x.steps, g.local(i32))
		}
	}
}

// load loads the state.
func (g *generator) load() {
	g.loadWord(i32Load, wordPoint)
	g.set(g.point)
	for v, word := range g.variables() {
		g.loadScalar(v, word)
	}
	for _, d := range g.counted {
		g.loadCounter(d)
	}
	for k, a := range g.Arrays {
		g.loadArray(k, a)
	}
	g.loadGlobals(nil)
	g.loadGlobalArrays(nil)
}

// loadGlobals loads global variables from the frame of the region: all, or those that may be among some.
func (g *generator) loadGlobals(only map[*lower.Symbol]bool) {
	for _, v := range g.globals {
		if only != nil && !among(v, only) {
			continue
		}
		g.global(globalRoot)
		g.scalar(v.Type, g.Region.wordOf(v))
		g.set(g.scalars[v])
	}
}

// saveGlobals saves the global variables that the procedure may change.
func (g *generator) saveGlobals(only map[*lower.Symbol]bool) {
	for _, v := range g.globals {
		if g.writes[v] && (only == nil || among(v, only)) {
			g.global(globalRoot)
			g.get(g.scalars[v])
			g.storeScalar(v.Type, g.Region.wordOf(v))
		}
	}
}

// loadGlobalArrays loads the places of global arrays, except for some.
func (g *generator) loadGlobalArrays(but map[*lower.Symbol]bool) {
	for _, a := range g.globalArrays {
		if but[a] {
			continue
		}
		for word, local := range g.arrays[a].from(g.Region.arrayWord(slices.Index(g.Region.Arrays, a))) {
			g.global(globalRoot)
			g.memory(i32Load, word*wordSize)
			g.set(local)
		}
	}
}

func (g *generator) loadScalar(v *lower.Symbol, word int) {
	g.get(frame)
	g.scalar(v.Type, word)
	g.set(g.scalars[v])
}

func (g *generator) saveScalar(v *lower.Symbol, word int) {
	g.get(frame)
	g.get(g.scalars[v])
	g.storeScalar(v.Type, word)
}

func (g *generator) loadCounter(d *lower.Do) {
	w, c := g.loopWord(g.loops[d]), g.counters[d]
	g.loadWord(i64Load, w)
	g.set(c.left)
	g.loadWord(i64Load, w+1)
	g.set(c.step)
}

func (g *generator) saveCounter(d *lower.Do) {
	w, c := g.loopWord(g.loops[d]), g.counters[d]
	g.storeWord(i64Store, w, func() { g.get(c.left) })
	g.storeWord(i64Store, w+1, func() { g.get(c.step) })
}

func (g *generator) loadArray(k int, a *lower.Symbol) {
	for word, local := range g.arrays[a].from(g.arrayWord(k)) {
		g.loadWord(i32Load, word)
		g.set(local)
	}
}

func (g *generator) saveArray(k int, a *lower.Symbol) {
	for word, local := range g.arrays[a].from(g.arrayWord(k)) {
		g.storeWord(i32Store, word, func() { g.get(local) })
	}
}

// from yields the locals of an array with their words.
func (x *arrayLocals) from(word int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		all := []int{x.base}
		for d := range x.lo {
			all = append(all, x.lo[d], x.n[d], x.steps[d])
		}
		for i, local := range all {
			if !yield(word+i, local) {
				return
			}
		}
	}
}

// save saves the point and the variables.
func (g *generator) save() {
	g.storeWord(i32Store, wordPoint, func() { g.get(g.point) })
	for v, word := range g.variables() {
		g.saveScalar(v, word)
	}
	for _, d := range g.counted {
		g.saveCounter(d)
	}
	g.saveGlobals(nil)
}
