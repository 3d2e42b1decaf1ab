package builtin

import "whorl/fghc/term"

// A stream of random numbers is made on demand: the goal of the generator appends numbers whenever other goals wait for the end of the stream and
// no goal can run. Its arguments are then the unbound end and, in place of the range, the list [range, state|numbers to append next].
const (
	fewRandom  = 16
	mostRandom = 4096
)

// randomNumbers has the arguments (stream, range) or (stream, range, seed).
func randomNumbers(c Context, args []term.Word) Verdict {
	bounds := c.Deref(args[1])
	var number [3]int64 // range, state, numbers to append
	switch bounds.Tag() {
	case term.Ref:
		c.Block(bounds)
		return Unknown
	case term.Int:
		if bounds.Value() < 1 {
			return c.Fault(1, "a number of values, at least 1")
		}
		seed := term.MakeInt(0)
		if len(args) == 3 {
			if seed = c.Deref(args[2]); seed.Tag() == term.Ref {
				c.Block(seed)
				return Unknown
			}
			if seed.Tag() != term.Int {
				return c.Fault(2, "an integer")
			}
		}
		number = [3]int64{bounds.Value(), firstState(seed.Value()), fewRandom}
	case term.List:
		rest := c.Deref(c.Load(bounds.Index() + 1))
		if rest.Tag() == term.Ref {
			c.Block(rest)
			return Rest
		}
		for k, w := range []term.Word{c.Load(bounds.Index()), c.Load(rest.Index()), c.Load(rest.Index() + 1)} {
			number[k] = c.Deref(w).Value()
		}
	default:
		return c.Fault(1, "a number of values, at least 1")
	}
	n := int(number[2])
	at, tail := c.Alloc(2*n+4), term.Word(0)
	for k := range n {
		number[1] = nextState(number[1])
		c.Store(at+2*k, term.MakeInt(number[1]>>17%number[0]))
		c.Store(at+2*k+1, term.MakeList(at+2*k+2))
	}
	c.Store(at+2*n, term.MakeInt(number[0]))
	c.Store(at+2*n+1, term.MakeList(at+2*n+2))
	c.Store(at+2*n+2, term.MakeInt(number[1]))
	c.Store(at+2*n+3, term.MakeInt(min(2*number[2], mostRandom)))
	tail = c.NewVar()
	c.Store(at+2*n-1, tail)
	if !c.Unify(args[0], term.MakeList(at)) {
		return c.Fault(0, "a variable")
	}
	args[0], args[1] = tail, term.MakeList(at+2*n)
	c.AwaitDemand(tail)
	return Rest
}

// The generator is linear congruential (D. H. Lehmer, "Mathematical methods in large-scale computing units", 1951), with
// the constants of nrand48 in the C library. Its state has 48 bits; a random number is the upper 31 of them.

// firstState returns the state for a seed. As in KLIC, the lowest 16 bits of the seed become the highest of the state.
func firstState(seed int64) int64 {
	return seed&0xffff<<32 | seed>>16&0xffff<<16 | seed>>32&0xffff
}

func nextState(x int64) int64 { return (x*0x5DEECE66D + 0xB) & (1<<48 - 1) }
