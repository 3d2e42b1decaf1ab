package pstats

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// A value of Python: an int64, a float64, a string, a []value for a tuple or a list, a []pair for a dictionary, or nil.
type value any

// A pair is an entry of a dictionary.
type pair struct{ key, value value }

// mostDepth bounds the values within values.
const mostDepth = 16

var errCut = errors.New("the file is cut")

// A decoder reads the serialised form of Python's module marshal, of Python 2 and 3: a byte for the type of each value, and its content
// (Python/marshal.c).
type decoder struct {
	data     []byte
	pos      int
	refs     []value
	interned []value // of Python 2
}

// flagged is the bit of a type that gives the value a number for references.
const flagged = 0x80

// next returns the next n bytes.
func (d *decoder) next(n int) ([]byte, error) {
	if n < 0 || n > len(d.data)-d.pos {
		return nil, errCut
	}
	b := d.data[d.pos : d.pos+n]
	d.pos += n
	return b, nil
}

// size reads a length of a number of bytes.
func (d *decoder) size(bytes int) (int, error) {
	b, err := d.next(bytes)
	if err != nil {
		return 0, err
	}
	if bytes == 1 {
		return int(b[0]), nil
	}
	return int(int32(binary.LittleEndian.Uint32(b))), nil
}

// errEnd is the end of a dictionary.
var errEnd = errors.New("the end of a dictionary where a value was expected")

// value reads a value.
func (d *decoder) value(depth int) (value, error) {
	at := d.pos
	b, err := d.next(1)
	if err != nil {
		return nil, err
	}
	if depth > mostDepth {
		return nil, fmt.Errorf("offset %d: more than %d values within each other", at, mostDepth)
	}
	kind, ref := b[0]&^flagged, -1
	if b[0]&flagged != 0 {
		ref = len(d.refs)
		d.refs = append(d.refs, nil)
	}
	v, err := d.content(kind, at, depth)
	if err == nil && ref >= 0 {
		d.refs[ref] = v
	}
	return v, err
}

// content reads the content of a value of a type that is at an offset.
func (d *decoder) content(kind byte, at, depth int) (value, error) {
	switch kind {
	case '0':
		return nil, errEnd
	case 'N', '.', 'S':
		return nil, nil
	case 'T':
		return int64(1), nil
	case 'F':
		return int64(0), nil
	case 'i':
		n, err := d.size(4)
		return int64(n), err
	case 'I':
		b, err := d.next(8)
		if err != nil {
			return nil, err
		}
		return int64(binary.LittleEndian.Uint64(b)), nil
	case 'l':
		return d.long()
	case 'g':
		b, err := d.next(8)
		if err != nil {
			return nil, err
		}
		return math.Float64frombits(binary.LittleEndian.Uint64(b)), nil
	case 'f':
		n, err := d.size(1)
		if err != nil {
			return nil, err
		}
		b, err := d.next(n)
		if err != nil {
			return nil, err
		}
		v, _ := strconv.ParseFloat(string(b), 64)
		return v, nil
	case 'z', 'Z':
		return d.text(1, false)
	case 's', 'u', 'a', 'A':
		return d.text(4, false)
	case 't':
		return d.text(4, true)
	case ')':
		n, err := d.size(1)
		if err != nil {
			return nil, err
		}
		return d.tuple(n, depth)
	case '(', '[':
		n, err := d.size(4)
		if err != nil {
			return nil, err
		}
		return d.tuple(n, depth)
	case '{':
		var pairs []pair
		err := d.dictionary(depth, func(p pair) { pairs = append(pairs, p) })
		return pairs, err
	case 'r', 'R':
		n, err := d.size(4)
		if err != nil {
			return nil, err
		}
		all := d.refs
		if kind == 'R' {
			all = d.interned
		}
		if n < 0 || n >= len(all) {
			return nil, fmt.Errorf("offset %d: a reference to value %d of %d", at, n, len(all))
		}
		return all[n], nil
	}
	return nil, fmt.Errorf("offset %d: a value of type %q; expected numbers, strings, tuples and dictionaries", at, kind)
}

// long reads a number in digits of 15 bits. Numbers beyond 60 bits are cut off.
func (d *decoder) long() (value, error) {
	n, err := d.size(4)
	if err != nil {
		return nil, err
	}
	b, err := d.next(2 * max(n, -n))
	if err != nil {
		return nil, err
	}
	v := int64(0)
	for i := 0; i < len(b) && i < 8; i += 2 {
		v |= int64(binary.LittleEndian.Uint16(b[i:])) & (1<<15 - 1) << (15 * (i / 2))
	}
	if n < 0 {
		v = -v
	}
	return v, nil
}

func (d *decoder) text(bytes int, intern bool) (value, error) {
	n, err := d.size(bytes)
	if err != nil {
		return nil, err
	}
	b, err := d.next(n)
	if err != nil {
		return nil, err
	}
	s := string(b)
	if intern {
		d.interned = append(d.interned, s)
	}
	return s, nil
}

func (d *decoder) tuple(n, depth int) (value, error) {
	if n < 0 || n > len(d.data)-d.pos {
		return nil, errCut
	}
	all := make([]value, 0, n)
	for range n {
		v, err := d.value(depth + 1)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// dictionary calls f for each entry of a dictionary.
func (d *decoder) dictionary(depth int, f func(pair)) error {
	for {
		key, err := d.value(depth + 1)
		if errors.Is(err, errEnd) {
			return nil
		}
		if err != nil {
			return err
		}
		v, err := d.value(depth + 1)
		if err != nil {
			return err
		}
		f(pair{key, v})
	}
}
