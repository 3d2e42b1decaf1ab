package jfr

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"unicode/utf16"
)

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

// count reads the length of a list. An element takes at least a byte, so a length beyond the end of the chunk is an error.
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
