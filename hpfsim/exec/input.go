package exec

import (
	"errors"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/textio"
	"whorl/hpfsim/unit"
)

// read executes READ.
func (f *frame) read(s *lower.Input) signal {
	before := f.used
	where, err := f.readFrom(s)
	f.io.Release()
	f.drop(before)
	return f.outcome("READ", s.Controls, s.Pos, where, err)
}

// readFrom reads the values of a statement. It returns the connection, nil for an internal file.
func (f *frame) readFrom(s *lower.Input) (*unit.Connection, error) {
	if texts := f.internal(s.Unit); texts != nil {
		return nil, f.readText(s, texts.Record, nil, true)
	}
	as := f.transfer(s.Controls)
	c, err := f.io.For(f.number(s.Unit, unit.Input), as)
	if err != nil {
		return nil, err
	}
	if err := c.BeginRead(as); err != nil {
		return c, err
	}
	if as.Formatted {
		advance, err := f.advances(s.Controls)
		if err == nil {
			err = f.readText(s, c.Record, c, advance)
		}
		return c, err
	}
	order := orderOf(c)
	var bytes []byte
	err = f.readItems(s.Items, func(t lower.Type, old lower.Value) (lower.Value, error) {
		n := t.Bytes()
		if t.Base == lower.Character.Base {
			n = len(old.S)
		}
		if cap(bytes) < n {
			bytes = make([]byte, n)
		}
		bytes = bytes[:n]
		if err := c.ReadBytes(bytes); err != nil {
			return old, err
		}
		return lower.FromBytes(bytes, t, order), nil
	})
	if end := c.EndBody(); err == nil { // the next READ begins with the next record even after an error
		err = end
	}
	return c, err
}

// readText reads formatted values. The modes are those of c, which is nil for an internal file.
func (f *frame) readText(s *lower.Input, record func() (string, error), c *unit.Connection, advance bool) error {
	modes := unit.Connection{Padded: true}
	if c != nil {
		modes.Zeros, modes.Padded = c.Zeros, c.Padded
	}
	if err := f.setModes(&modes, s.Specs); err != nil {
		return err
	}
	if s.Names != nil {
		return textio.ReadGroup(s.Names.Name, f.objects(s.Names), record)
	}
	r := textio.NewListReader(record)
	if !s.List {
		format, err := f.format(s.Controls)
		if err != nil {
			return err
		}
		r = textio.NewFormatReader(format, record)
		r.Within, r.Zeros, r.Padded = !advance, modes.Zeros, modes.Padded
	}
	err := f.readItems(s.Items, r.Next)
	if err == nil {
		err = r.Close()
	}
	if err == nil && !advance {
		c.Keep(r.Rest())
	}
	if x := lower.Specified(s.Specs, "SIZE"); x != nil {
		f.store(x, lower.Value{I: int64(r.Size)})
	}
	return err
}

// readItems reads the variables of a list of input, whose values next returns. With the end of a record it may return the last
// value.
func (f *frame) readItems(items []lower.Expr, next func(t lower.Type, old lower.Value) (lower.Value, error)) error {
	var failed error
	count := 0
	given := func(t lower.Type, old lower.Value) (lower.Value, bool) {
		if count++; count%valuesAtOnce == 0 {
			f.tick()
		}
		v, err := next(t, old)
		failed = err
		return v, err == nil || errors.Is(err, unit.EndOfRecord)
	}
	f.eachItem(items, false, func(x lower.Expr) bool {
		if x.Rank() == 0 {
			if v, ok := given(x.Type(), f.value(x)); ok {
				f.store(x, v)
			}
			return failed == nil
		}
		a := f.array(x)
		a.eachElement(func(at int) {
			if failed != nil {
				return
			}
			if v, ok := given(a.t, a.get(at)); ok {
				a.set(at, v)
			}
		})
		return failed == nil
	})
	return failed
}
