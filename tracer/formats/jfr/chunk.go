package jfr

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// headSize is the length of the head of a chunk: magic, version, sizes and offsets, times, and features.
const headSize = 68

const magic = "FLR\x00"

// Bounds of a chunk.
const (
	mostDepth   = 32 // values within values, elements within elements
	mostClasses = 1 << 16
)

// A head is the head of a chunk. Offsets count from the beginning of the chunk, times are in ns or in ticks.
type head struct {
	major                    uint16
	size, pools, metadata    int64
	startNS, ticks, perTicks int64
}

// headOf reads the head of a chunk.
func headOf(b []byte) (h head, err error) {
	if len(b) < headSize {
		return h, errCut
	}
	if string(b[:4]) != magic {
		return h, errors.New("expected a chunk that begins with FLR")
	}
	long := func(at int) int64 { return int64(binary.BigEndian.Uint64(b[at:])) }
	h = head{binary.BigEndian.Uint16(b[4:]), long(8), long(16), long(24), long(32), long(48), long(56)}
	switch {
	case h.major < 1 || h.major > 2:
		return h, fmt.Errorf("version %d of the format; known are 1 and 2", h.major)
	case h.perTicks <= 0:
		return h, errors.New("a clock without ticks per second")
	case binary.BigEndian.Uint32(b[64:])&1 == 0:
		return h, errors.New("numbers that are not packed; known are packed ones")
	}
	return h, nil
}

// A class is a type of events or of values.
type class struct {
	name   string
	fields []field
}

// A field is a member of a class.
type field struct {
	name   string
	class  int64
	pooled bool // the value is in the pool of constants
	array  bool
}

// A value is an int64, a float64, a string, a ref, a []value for an array, or an *object.
type value any

// A ref is a constant of a class in the pool.
type ref struct{ class, key int64 }

// An object has the values of the fields of a class.
type object struct {
	class  *class
	fields []value
}

// A chunk is a part of a recording with its own metadata and constants.
type chunk struct {
	head
	data    []byte // from its beginning
	classes map[int64]*class
	pool    map[ref]value
}

var errCut = errors.New("the file is cut")

// load reads the metadata and the constants of a chunk.
func (c *chunk) load() error {
	if err := c.readClasses(); err != nil {
		return fmt.Errorf("metadata: %w", err)
	}
	strings := int64(stringClass)
	for id, k := range c.classes {
		if k.name == "java.lang.String" {
			strings = id
		}
	}
	for at, n := c.pools, 0; n < 1<<16; n++ {
		if at < headSize || at >= int64(len(c.data)) {
			return errCut
		}
		r := &cursor{c: c, pos: int(at)}
		r.long() // size
		kind := r.long()
		r.long() // time
		r.long() // duration
		delta := r.long()
		r.next(1) // flags
		if kind != 1 || r.err != nil {
			return fmt.Errorf("offset %d: expected constants", at)
		}
		for range r.count() {
			id := r.long()
			stored := id
			if id == strings {
				stored = stringClass
			}
			for range r.count() {
				key := r.long()
				v := r.value(id, 0)
				if r.err != nil {
					return fmt.Errorf("constants: %w", r.err)
				}
				c.pool[ref{stored, key}] = v
			}
		}
		if r.err != nil {
			return fmt.Errorf("constants: %w", r.err)
		}
		if delta == 0 {
			return nil
		}
		at += delta
	}
	return errors.New("too many parts of constants, or a circle of them")
}

// readClasses reads the metadata of a chunk: a table of strings, and elements with attributes that refer to it.
func (c *chunk) readClasses() error {
	if c.metadata < headSize || c.metadata >= int64(len(c.data)) {
		return errCut
	}
	r := &cursor{c: c, pos: int(c.metadata)}
	r.long() // size
	if kind := r.long(); kind != 0 {
		return fmt.Errorf("offset %d: expected the metadata", c.metadata)
	}
	r.long() // time
	r.long() // duration
	r.long() // number of the metadata
	var table []string
	for range r.count() {
		s, _ := r.text().(string)
		table = append(table, s)
	}
	name := func() string {
		if i := r.long(); i >= 0 && i < int64(len(table)) {
			return table[i]
		}
		r.fail(fmt.Errorf("offset %d: a name beyond the table of names", r.pos))
		return ""
	}
	var element func(in *class, depth int)
	element = func(in *class, depth int) {
		if depth > mostDepth || len(c.classes) > mostClasses {
			r.fail(errors.New("too many classes, or elements within each other"))
		}
		kind := name()
		attributes := map[string]string{}
		for range r.count() {
			key := name()
			attributes[key] = name()
		}
		switch kind {
		case "class":
			in = &class{name: attributes["name"]}
			c.classes[number(attributes["id"])] = in
		case "field":
			if in != nil {
				in.fields = append(in.fields, field{
					attributes["name"], number(attributes["class"]), attributes["constantPool"] == "true", attributes["dimension"] == "1",
				})
			}
			in = nil
		case "annotation", "setting":
			in = nil
		}
		for range r.count() {
			if r.err != nil {
				return
			}
			element(in, depth+1)
		}
	}
	element(nil, 0)
	return r.err
}

// number parses a number that is not negative. It returns -1 for any other text.
func number(text string) int64 {
	n := int64(0)
	for _, c := range text {
		if c < '0' || c > '9' || n > 1<<56 {
			return -1
		}
		n = 10*n + int64(c-'0')
	}
	return n
}

// resolved returns a value, or for a reference the constant.
func (c *chunk) resolved(v value) value {
	for range 4 {
		at, ok := v.(ref)
		if !ok {
			return v
		}
		if v, ok = c.pool[at]; !ok {
			if k := c.classes[at.class]; k != nil && k.name == "java.lang.String" {
				v = c.pool[ref{stringClass, at.key}]
				continue
			}
			return nil
		}
	}
	return nil
}

// get returns the field of an object, nil for none.
func (c *chunk) get(v value, name string) value {
	o, _ := c.resolved(v).(*object)
	if o == nil {
		return nil
	}
	for i := range o.class.fields {
		if o.class.fields[i].name == name && i < len(o.fields) {
			return o.fields[i]
		}
	}
	return nil
}

// text returns the field of an object as a text, also if it is a symbol.
func (c *chunk) text(v value, name string) string {
	switch t := c.resolved(c.get(v, name)).(type) {
	case string:
		return t
	case *object:
		s, _ := c.resolved(c.get(t, "string")).(string)
		return s
	}
	return ""
}

// number returns the field of an object as a number, 0 for none.
func (c *chunk) number(v value, name string) int64 {
	n, _ := c.resolved(c.get(v, name)).(int64)
	return n
}
