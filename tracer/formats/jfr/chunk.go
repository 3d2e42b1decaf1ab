package jfr

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf16"
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

// A cursor reads the values of a chunk.
type cursor struct {
	c   *chunk
	pos int
	err error
}

func (r *cursor) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// next returns the next n bytes, nil after an error.
func (r *cursor) next(n int64) []byte {
	if r.err != nil || n < 0 || n > int64(len(r.c.data)-r.pos) {
		r.fail(errCut)
		return nil
	}
	b := r.c.data[r.pos : r.pos+int(n)]
	r.pos += int(n)
	return b
}

// long reads a packed number: seven bits a byte, the lowest first, and eight bits in the ninth byte.
func (r *cursor) long() int64 {
	v := uint64(0)
	for i := range 9 {
		b := r.next(1)
		if b == nil {
			return 0
		}
		if i == 8 {
			return int64(v | uint64(b[0])<<56)
		}
		v |= uint64(b[0]&0x7f) << (7 * i)
		if b[0] < 0x80 {
			break
		}
	}
	return int64(v)
}

// count reads a number of things, each of which takes at least a byte of the chunk.
func (r *cursor) count() int {
	n := r.long()
	if n < 0 || n > int64(len(r.c.data)-r.pos) {
		r.fail(errCut)
		return 0
	}
	return int(n)
}

// text reads a string.
func (r *cursor) text() value {
	b := r.next(1)
	if b == nil {
		return ""
	}
	switch b[0] {
	case 0, 1:
		return ""
	case 2:
		return ref{stringClass, r.long()}
	case 3:
		return strings.ToValidUTF8(string(r.next(int64(r.count()))), "\ufffd")
	case 4:
		units := make([]uint16, 0, 16)
		for range r.count() {
			units = append(units, uint16(r.long()))
		}
		return string(utf16.Decode(units))
	case 5:
		latin := r.next(int64(r.count()))
		runes := make([]rune, len(latin))
		for i, c := range latin {
			runes[i] = rune(c)
		}
		return string(runes)
	}
	r.fail(fmt.Errorf("offset %d: a string of encoding %d; known are 0 to 5", r.pos-1, b[0]))
	return ""
}

// stringClass stands for the class of strings, whose number the metadata tell.
const stringClass = -1

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

// value reads a value of a class.
func (r *cursor) value(id int64, depth int) value {
	k := r.c.classes[id]
	if k == nil || depth > mostDepth {
		r.fail(fmt.Errorf("offset %d: a value of an unknown class %d, or too many values within each other", r.pos, id))
		return nil
	}
	switch k.name {
	case "boolean", "byte":
		if b := r.next(1); b != nil {
			return int64(int8(b[0]))
		}
		return int64(0)
	case "short", "char", "int", "long":
		return r.long()
	case "float":
		if b := r.next(4); b != nil {
			return float64(math.Float32frombits(binary.BigEndian.Uint32(b)))
		}
		return 0.0
	case "double":
		if b := r.next(8); b != nil {
			return math.Float64frombits(binary.BigEndian.Uint64(b))
		}
		return 0.0
	case "java.lang.String":
		return r.text()
	}
	o := &object{class: k, fields: make([]value, 0, len(k.fields))}
	for i := range k.fields {
		o.fields = append(o.fields, r.field(&k.fields[i], depth))
		if r.err != nil {
			return o
		}
	}
	return o
}

// field reads the value of a field.
func (r *cursor) field(f *field, depth int) value {
	one := func() value {
		if f.pooled {
			return ref{f.class, r.long()}
		}
		return r.value(f.class, depth+1)
	}
	if !f.array {
		return one()
	}
	all := []value{}
	for range r.count() {
		if all = append(all, one()); r.err != nil {
			break
		}
	}
	return all
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
