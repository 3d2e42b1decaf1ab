package exec

import (
	"fmt"
	"math"
	"time"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// native executes an intrinsic subroutine.
func (f *frame) native(s *lower.Subcall) {
	arg := func(i int) lower.Expr {
		if i < len(s.Args) {
			return s.Args[i]
		}
		return nil
	}
	give := func(x lower.Expr, v lower.Value, t lower.Type) {
		if x != nil {
			f.store(x, lower.Convert(v, t, x.Type()))
		}
	}
	switch s.Native.Op {
	case lower.OpSystemClock:
		rate := int64(1e6) // an INTEGER(4) overflows after 35 minutes
		for i := range 3 {
			if x := arg(i); x != nil && x.Type().Size == 8 {
				rate = 1e9
			}
		}
		most := lower.Limit(lower.OpHuge, lower.Type{Base: syntax.IntegerType, Size: 8}).I
		if x := arg(0); x != nil {
			most = lower.Limit(lower.OpHuge, x.Type()).I
		}
		count := f.time() / (1e9 / rate)
		if most < math.MaxInt64 {
			count %= most + 1
		}
		give(arg(0), lower.Value{I: count}, wide)
		give(arg(1), lower.Value{I: rate}, wide)
		give(arg(2), lower.Value{I: most}, wide)
	case lower.OpCPUTime:
		give(arg(0), lower.Value{F: float64(f.time()) / 1e9}, lower.Double)
	case lower.OpDateAndTime:
		f.dateAndTime(s, arg, give)
	case lower.OpExit:
		stop := stopped{}
		if x := arg(0); x != nil {
			if v := f.value(x).I; v != 0 {
				stop.err = &RunError{s.Pos, fmt.Sprintf("the program stopped with %d", v)}
			}
		}
		panic(stop)
	case lower.OpMoveAlloc:
		f.moveAlloc(s)
	case lower.OpFlush:
		f.Flush()
	case lower.OpGetCommand:
		f.command(f.prog.File.Name, arg, 0, give)
	case lower.OpGetCommandArgument:
		if f.value(arg(0)).I == 0 {
			f.command(f.prog.File.Name, arg, 1, give)
			return
		}
		give(arg(1), lower.Value{}, lower.Character)
		give(arg(2), lower.Value{}, lower.Integer)
		give(arg(3), lower.Value{I: 1}, lower.Integer)
	case lower.OpHPFAlignment, lower.OpHPFTemplate, lower.OpHPFDistribution:
		f.askMapping(s, arg, give)
	case lower.OpGlobalToLocal, lower.OpLocalToGlobal:
		f.translate(s, arg, give)
	case lower.OpMvbits:
		f.moveBits(s, arg)
	case lower.OpRandomNumber:
		a := f.argument(arg(0))
		if len(a.n) == 0 {
			a.set(a.off, lower.Value{F: a.t.Round(f.random.next(a.t))})
			return
		}
		f.each(a, func(at int) { a.set(at, lower.Value{F: f.random.next(a.t)}) })
	case lower.OpRandomSeed:
		if x := arg(0); x != nil {
			give(x, lower.Value{I: 1}, lower.Integer)
		}
		if x := arg(1); x != nil {
			put := f.array(x)
			f.random = newRandom(put.get(put.off).I)
		}
	}
}

var wide = lower.Type{Base: syntax.IntegerType, Size: 8}

// time returns the virtual time of the processor, or in a live run the real time since its beginning, in ns.
func (f *frame) time() int64 {
	if f.opts.Live {
		return int64(time.Since(f.began))
	}
	return f.clocks.Now(f.who[0])
}

// dateAndTime executes DATE_AND_TIME. In a simulated run virtual time counts from the first instant of the year 2000,
// so that answers are always the same.
func (f *frame) dateAndTime(s *lower.Subcall, arg func(int) lower.Expr, give func(lower.Expr, lower.Value, lower.Type)) {
	now := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(f.time()))
	if f.opts.Live {
		now = time.Now().UTC()
	}
	for i, layout := range []string{"20060102", "150405.000", "-0700"} {
		give(arg(i), lower.Value{S: now.Format(layout)}, lower.Character)
	}
	x := arg(3)
	if x == nil {
		return
	}
	values := []int{now.Year(), int(now.Month()), now.Day(), 0, now.Hour(), now.Minute(), now.Second(), now.Nanosecond() / 1e6}
	a := f.array(x)
	if a.size() < len(values) {
		fail(s.Pos, "the argument VALUES has %d elements, and DATE_AND_TIME gives 8", a.size())
	}
	for i, v := range values {
		a.set(a.off+offset(a, i), lower.Value{I: int64(v)})
	}
}

// command assigns a text to argument number first, and its length and status to the next two.
func (f *frame) command(text string, arg func(int) lower.Expr, first int, give func(lower.Expr, lower.Value, lower.Type)) {
	give(arg(first), lower.Value{S: text}, lower.Character)
	give(arg(first+1), lower.Value{I: int64(len(text))}, lower.Integer)
	status := int64(0)
	if x := arg(first); x != nil && len(f.value(x).S) < len(text) {
		status = -1
	}
	give(arg(first+2), lower.Value{I: status}, lower.Integer)
}

// moveBits executes MVBITS.
func (f *frame) moveBits(s *lower.Subcall, arg func(int) lower.Expr) {
	from, to := f.array(arg(0)), f.argument(arg(3))
	pos, n, at := f.array(arg(1)), f.array(arg(2)), f.array(arg(4))
	if len(from.n) > 0 && len(to.n) > 0 {
		f.conform(s.Pos, to, from)
	}
	if overlap(from, to) {
		from = f.copied(from)
	}
	k := 0
	one := func(a *array) int64 { return a.int(a.off + offset(a, k)) }
	to.eachElement(func(place int) {
		p, count, q := one(pos), one(n), one(at)
		if size := int64(8 * to.t.Size); p < 0 || count < 0 || q < 0 || p+count > size || q+count > size {
			fail(s.Pos, "MVBITS of %d bits from %d to %d of an integer of %d", count, p, q, size)
		}
		mask := int64(1)<<uint(count) - 1
		to.setInt(place, to.t.Wrap(to.int(place)&^(mask<<uint(q))|one(from)>>uint(p)&mask<<uint(q)))
		k++
	})
}

// service evaluates ETIME, DTIME and SECOND. All time counts as user time.
func (f *frame) service(e *lower.Call) lower.Value {
	now := f.time()
	if e.Fn.Op == lower.OpDtime {
		now, f.asked = now-f.asked, now
	}
	v := lower.Value{F: lower.Real.Round(float64(now) / 1e9)}
	if len(e.Args) > 0 {
		a := f.array(e.Args[0])
		if a.size() < 2 {
			fail(e.Pos, "%s gives 2 values, and its argument has %d elements", e.Fn.Name, a.size())
		}
		a.set(a.off, v)
		a.set(a.off+a.step[0], lower.Value{})
	}
	return v
}

// A random is the generator of RANDOM_NUMBER: xorshift* (S. Vigna, 2016).
type random struct{ state uint64 }

func newRandom(seed int64) random { return random{uint64(seed)*0x9E3779B97F4A7C15 | 1} }

// next returns a number of a type in [0, 1).
func (r *random) next(t lower.Type) float64 {
	r.state ^= r.state >> 12
	r.state ^= r.state << 25
	r.state ^= r.state >> 27
	bits := r.state * 2685821657736338717
	if t.Base == syntax.RealType {
		return float64(bits>>40) / (1 << 24)
	}
	return float64(bits>>11) / (1 << 53)
}
