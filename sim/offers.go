package sim

import "math/bits"

// offers is the set of PEs with work to give: a bitmap with two summary levels, so that the next member after any of a
// million PEs is found in a few words.
type offers struct {
	level [3][]uint64 // bit i of level n+1 is set if word i of level n is not 0
}

func newOffers(pes int) offers {
	var o offers
	for l := range o.level {
		pes = (pes + 63) / 64
		o.level[l] = make([]uint64, pes)
	}
	return o
}

func (o *offers) set(i int32, in bool) {
	for l := range o.level {
		w := &o.level[l][i>>6]
		old := *w
		if in {
			*w |= 1 << (i & 63)
		} else {
			*w &^= 1 << (i & 63)
		}
		if (old != 0) == (*w != 0) {
			return
		}
		i >>= 6
	}
}

// from returns the first member at or after i, -1 for none.
func (o *offers) from(i int) int {
	for l := range o.level {
		words := o.level[l]
		if i>>6 >= len(words) {
			return -1
		}
		if x := words[i>>6] >> (i & 63); x != 0 {
			return o.down(l, i+bits.TrailingZeros64(x))
		}
		i = i>>6 + 1
	}
	for top := o.level[2]; i < len(top); i++ {
		if top[i] != 0 {
			return o.down(2, i<<6+bits.TrailingZeros64(top[i]))
		}
	}
	return -1
}

func (o *offers) down(l, i int) int {
	for ; l > 0; l-- {
		i = i<<6 + bits.TrailingZeros64(o.level[l-1][i])
	}
	return i
}
