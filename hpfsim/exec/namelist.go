package exec

import (
	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/hpfsim/textio"
)

// objects returns the variables of a group of NAMELIST. Accesses to their elements count as statements now and then.
func (f *frame) objects(g *lower.Group) []textio.Object {
	var out []textio.Object
	count := 0
	for _, x := range g.Vars {
		a := f.view(x)
		place := func(i int) int {
			if count++; count%valuesAtOnce == 0 {
				f.tick()
			}
			at := a.off
			for d, n := range a.n {
				at += i % n * a.step[d]
				i /= n
			}
			return at
		}
		o := textio.Object{
			Name: x.Sym.Name, Type: a.t, Lo: a.lo, N: a.n, Length: a.length,
			Get: func(i int) lower.Value { return a.get(place(i)) },
			Set: func(i int, v lower.Value) { a.set(place(i), v) },
		}
		if len(a.n) == 0 && a.t.Base == syntax.CharacterType {
			o.Length = len(o.Get(0).S)
		}
		out = append(out, o)
	}
	return out
}
