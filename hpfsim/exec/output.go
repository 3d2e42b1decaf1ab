package exec

import (
	"strings"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/hpfsim/textio"
)

const valuesPerTick = 1 << 10 // of output, between two chances of the run to pause

// data evaluates a list of output. The values count as memory until the statement ends.
func (f *frame) data(items []lower.Expr) []textio.Datum {
	var out []textio.Datum
	add := func(v lower.Value, t lower.Type) {
		f.reserve(t, len(v.S), 1)
		if out = append(out, textio.Datum{Value: v, Type: t}); len(out)%valuesPerTick == 0 {
			f.tick()
		}
	}
	f.eachItem(items, false, func(x lower.Expr) bool {
		if x.Rank() == 0 {
			add(f.value(x), x.Type())
			return true
		}
		a := f.array(x)
		a.eachElement(func(at int) { add(a.get(at), a.t) })
		return true
	})
	return out
}

// write executes PRINT and WRITE.
func (f *frame) write(s *lower.Output) signal {
	f.status(s.Status)
	before := f.used
	values := f.data(s.Items)
	defer f.drop(before)
	var lines []string
	if s.List {
		lines = []string{textio.List(values)}
	} else {
		var err error
		if lines, err = textio.Format(f.format(s.Format, s.Dynamic, s.Pos), values); err != nil {
			fail(s.Pos, "%v", err)
		}
	}
	if s.Unit != nil && s.Unit.Type().Base == syntax.CharacterType {
		f.store(s.Unit, lower.Value{S: strings.Join(lines, "")})
		return signal{}
	}
	f.connected(s.Unit, s.Pos, 6, 0)
	f.io.Write(lines, s.Advance == nil || !strings.EqualFold(strings.TrimSpace(f.value(s.Advance).S), "no"))
	return signal{}
}

// connected fails where a statement names a unit other than some numbers. A nil unit is *.
func (f *frame) connected(unit lower.Expr, pos syntax.Pos, numbers ...int) {
	if unit == nil {
		return
	}
	n := f.integer(unit)
	for _, k := range numbers {
		if n == k {
			return
		}
	}
	fail(pos, "unit %d is not connected: files are not in the subset, only units 5, 6 and *", n)
}

// format returns the format of a statement, which may be computed.
func (f *frame) format(known *syntax.Format, dynamic lower.Expr, pos syntax.Pos) *syntax.Format {
	if known != nil {
		return known
	}
	text := f.value(dynamic).S
	format, msg, want := syntax.ParseFormat(strings.TrimRight(text, " "))
	if msg != "" {
		fail(pos, "%s in the format %q (expected %s)", msg, text, want)
	}
	return format
}
