package otf2

import (
	"bytes"
	"encoding/binary"
)

// Bytes at the beginning of every file: the type of the header record, then the order of bytes.
const (
	headerRecord = 3
	bigEndian    = 0x23
	littleEndian = 0x42
)

// undefined is the value of a reference to nothing.
const undefined = 1<<32 - 1

// slack is the number of bytes that must follow the end of the data of a cursor, so that it can load words.
const slack = 8

// A cursor reads the values of a record. After a value that is not there it is bad and reads zeros.
type cursor struct {
	b   []byte // has slack bytes after end
	pos int
	end int
	big bool
	bad bool
}

// cursorOf returns a cursor over a copy of data.
func cursorOf(data []byte, big bool) cursor {
	return cursor{b: append(data[:len(data):len(data)], make([]byte, slack)...), end: len(data), big: big}
}

// short reports whether fewer than n bytes are left, and makes the cursor bad.
func (c *cursor) short(n int) bool {
	if c.end-c.pos >= n {
		return false
	}
	c.bad, c.pos = true, c.end
	return true
}

func (c *cursor) u8() uint8 {
	if c.short(1) {
		return 0
	}
	c.pos++
	return c.b[c.pos-1]
}

// full reads a number of n bytes, at most 8.
func (c *cursor) full(n int) uint64 {
	if c.short(n) {
		return 0
	}
	w := c.b[c.pos : c.pos+8]
	c.pos += n
	if c.big {
		return binary.BigEndian.Uint64(w) >> (64 - 8*n)
	}
	return binary.LittleEndian.Uint64(w) & (1<<(8*n) - 1)
}

// number reads a number that is preceded by its length in bytes. The length 255 stands for the largest number: undefined.
func (c *cursor) number() uint64 {
	n := int(c.u8())
	switch {
	case n == 0:
		return 0
	case n <= 8:
		return c.full(n)
	case n == 255:
		return 1<<64 - 1
	}
	c.bad, c.pos = true, c.end
	return 0
}

func (c *cursor) ref() uint32 { return uint32(c.number()) }

// text reads a string, which ends with a zero byte.
func (c *cursor) text() string {
	n := bytes.IndexByte(c.b[c.pos:c.end], 0)
	if n < 0 {
		c.bad, c.pos = true, c.end
		return ""
	}
	s := string(c.b[c.pos : c.pos+n])
	c.pos += n + 1
	return s
}

// value skips the value of an attribute or a property.
func (c *cursor) value(kind uint8) {
	switch kind {
	case 0:
	case 1, 5:
		c.full(1)
	case 2, 6:
		c.full(2)
	case 9:
		c.full(4)
	case 10:
		c.full(8)
	default:
		c.number()
	}
}

// record returns a cursor over the next record, whose length precedes it, and goes on behind it.
func (c *cursor) record() cursor {
	n := uint64(c.u8())
	if n == 255 {
		n = c.full(8)
	}
	if n > uint64(c.end-c.pos) {
		c.bad, c.pos = true, c.end
		return cursor{b: c.b, pos: c.end, end: c.end, bad: true}
	}
	in := cursor{b: c.b, pos: c.pos, end: c.pos + int(n), big: c.big}
	c.pos = in.end
	return in
}

// order returns whether the bytes of a file with a header are big-endian, and false without a header.
func order(head []byte) (big, ok bool) {
	if len(head) < 2 || head[0] != headerRecord {
		return false, false
	}
	return head[1] == bigEndian, head[1] == bigEndian || head[1] == littleEndian
}
