package pprof

import (
	"bytes"
	"errors"
	"io"

	"whorl/internal/protobuf"
	"whorl/tracer/formats/gzipped"
	"whorl/tracer/formats/profile"
)

// A content is an unpacked file with its tables. The next file reuses its memory. A file that is too long to be held is read twice: once for its
// tables, and once for its samples.
type content struct {
	unpacker
	data   []byte                        // the message; without its samples if the file is too long
	again  func() (io.ReadCloser, error) // opens a file that is too long; nil for others
	cut    bool                          // the file is truncated or damaged
	tables tables
}

// Bounds of the files that are held in memory, in bytes. Longer ones are read twice.
const (
	mostPacked   = 1 << 24 // as they are
	mostUnpacked = 1 << 26
)

// load reads the tables of a file, but not its samples.
func (c *content) load(f *File) (err error) {
	c.again = nil
	if long, ok := f.R.(profile.Reopener); ok && longer(long, mostPacked) {
		c.again = long.Reopen
	} else if c.data, c.cut, err = c.unpack(f.R, mostUnpacked); errors.Is(err, profile.ErrTooLong) && c.file.Len() > 0 {
		packed := c.file.Bytes()
		c.again = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(packed)), nil }
		err = nil
	}
	samples := 0
	if c.again != nil && err == nil {
		samples, err = c.withoutSamples()
	}
	if err != nil {
		return err
	}
	t := &c.tables
	t.reset()
	if err := t.read(c.data); err != nil {
		return err
	}
	if t.samples += samples; len(t.types) == 0 && t.samples == 0 {
		return errors.New("not a profile: no value types and no samples")
	}
	t.starts()
	return nil
}

// longer reports whether a file has more than most bytes. A file whose length is unknown has not.
func longer(f profile.Reopener, most int64) bool {
	size, err := f.Size()
	return err == nil && size > most
}

// withoutSamples reads a file that is too long and keeps everything but its samples, whose number it returns. A file in an older form is kept whole.
func (c *content) withoutSamples() (samples int, err error) {
	r, err := c.again()
	if err != nil {
		return 0, err
	}
	defer r.Close()
	in, err := gzipped.Reader(r)
	if err != nil {
		return 0, err
	}
	rest := fields{r: in}
	if rest.fill(); old(rest.Rest) {
		return 0, c.old(io.MultiReader(bytes.NewReader(rest.Rest), in))
	}
	c.unpacked.Reset()
	for rest.next() {
		if rest.Number == sampleField && rest.Packed {
			samples++
			continue
		}
		if c.unpacked.Len()+len(rest.whole) > mostText {
			return 0, profile.TooLong(mostText)
		}
		c.unpacked.Write(rest.whole)
	}
	if len(rest.whole) == 0 && len(rest.Rest) == 0 && rest.err == nil {
		return 0, errEmpty
	}
	c.data, c.cut = c.unpacked.Bytes(), rest.Bad
	return samples, rest.err
}

// old reads a long file in an older form.
func (c *content) old(r io.Reader) (err error) {
	c.again = nil
	c.data, c.cut, err = c.unpack(r, mostUnpacked)
	return err
}

// sampleField is the number of the field of samples.
const sampleField = 2

// samples calls f for each sample. The bytes are valid during the call.
func (c *content) samples(f func(sample []byte)) error {
	if c.again == nil {
		m := protobuf.Message{Rest: c.data}
		for m.Next() {
			if m.Number == sampleField && m.Packed {
				f(m.Bytes)
			}
		}
		return nil
	}
	r, err := c.again()
	if err != nil {
		return err
	}
	defer r.Close()
	in, err := gzipped.Reader(r)
	if err != nil {
		return err
	}
	all := fields{r: in}
	for all.next() {
		if all.Number == sampleField && all.Packed {
			f(all.Bytes)
		}
	}
	return nil
}

// fields iterates over the fields of a message while it is read. After the last field err is the error of the reader, nil at the end of the
// message. The bytes of a field are valid until the next one.
type fields struct {
	protobuf.Message
	whole []byte // the present field with its key
	r     io.Reader
	err   error
	end   bool
	held  []byte // Rest is its end
}

// mostField bounds a field, in bytes.
const mostField = 1 << 26

// next advances to the next field.
func (f *fields) next() bool {
	for {
		m := f.Message
		if m.Next() {
			f.whole = f.Rest[:len(f.Rest)-len(m.Rest)]
			f.Message = m
			return true
		}
		if f.end {
			f.Bad = len(f.Rest) > 0
			return false
		}
		f.fill()
	}
}

// fill reads more bytes of the message behind those that are left of it.
func (f *fields) fill() {
	left := len(f.Rest)
	if 2*left >= len(f.held) {
		if left >= mostField {
			f.end = true
			return
		}
		held := make([]byte, max(2*len(f.held), 1<<18))
		copy(held, f.Rest)
		f.held = held
	} else {
		copy(f.held, f.Rest)
	}
	n, err := io.ReadAtLeast(f.r, f.held[left:], 1)
	f.Rest = f.held[:left+n]
	if err != nil {
		f.end = true
		if !errors.Is(err, io.EOF) {
			f.err = err
		}
	}
}
