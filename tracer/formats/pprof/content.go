package pprof

import (
	"errors"
)

// A content is an unpacked file with its tables. The next file reuses its memory.
type content struct {
	unpacker
	data   []byte
	cut    bool // the file is truncated or damaged
	tables tables
}

// load unpacks a file and reads its tables, but not its samples.
func (c *content) load(f *File) (err error) {
	if c.data, c.cut, err = c.unpack(f.R, mostText); err != nil {
		return err
	}
	t := &c.tables
	t.reset()
	if err := t.read(c.data); err != nil {
		return err
	}
	if len(t.types) == 0 && t.samples == 0 {
		return errors.New("not a profile: no value types and no samples")
	}
	t.starts()
	return nil
}
