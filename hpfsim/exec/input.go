package exec

import (
	"errors"
	"io"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/hpfsim/textio"
)

// read executes READ.
func (f *frame) read(s *lower.Input) signal {
	record := f.io.ReadRecord
	if s.Unit != nil && s.Unit.Type().Base == syntax.CharacterType {
		record = textio.Record(f.value(s.Unit).S)
	} else {
		f.connected(s.Unit, s.Pos, 5)
	}
	r := textio.NewListReader(record)
	if !s.List {
		r = textio.NewFormatReader(f.format(s.Format, s.Dynamic, s.Pos), record)
	}
	err := f.readItems(s, r)
	code := int64(0)
	switch {
	case err == nil:
	case errors.Is(err, io.EOF):
		code = -1
		if s.End != 0 {
			f.give(s.Status, code)
			return signal{kind: toLabel, label: s.End}
		}
	default:
		code = 5010
		if s.Err != 0 {
			f.give(s.Status, code)
			return signal{kind: toLabel, label: s.Err}
		}
	}
	if err != nil && s.Status == nil {
		if errors.Is(err, io.EOF) {
			fail(s.Pos, "READ at the end of the input")
		}
		fail(s.Pos, "READ: %v", err)
	}
	f.give(s.Status, code)
	return signal{}
}

// give stores the status of a READ statement.
func (f *frame) give(x lower.Expr, v int64) {
	if x != nil {
		f.store(x, lower.Value{I: v})
	}
}

// readItems reads the values of a list of input.
func (f *frame) readItems(s *lower.Input, r *textio.Reader) error {
	var failed error
	f.eachItem(s.Items, false, func(x lower.Expr) bool {
		if x.Rank() == 0 {
			old := f.value(x)
			v, err := r.Next(x.Type(), old)
			if failed = err; err == nil {
				f.store(x, v)
			}
			return failed == nil
		}
		a := f.array(x)
		a.eachElement(func(at int) {
			if failed != nil {
				return
			}
			v, err := r.Next(a.t, a.get(at))
			if failed = err; err == nil {
				a.set(at, v)
			}
		})
		return failed == nil
	})
	if failed == nil {
		failed = r.Close()
	}
	return failed
}
