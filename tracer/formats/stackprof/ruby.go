package stackprof

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"whorl/tracer/formats/profile"
)

// A ruby decodes the serialised form of Ruby's module Marshal (marshal.rdoc in Ruby's sources) into JSON. Only values that profiles have are known:
// numbers, strings, symbols, arrays and hashes.
type ruby struct {
	data    []byte
	pos     int
	out     bytes.Buffer
	symbols []string
}

var errCut = errors.New("the file is cut")

// fromRuby returns JSON for a value.
func fromRuby(data []byte) ([]byte, error) {
	r := ruby{data: data}
	if err := r.value(0, false); err != nil {
		return nil, err
	}
	return r.out.Bytes(), nil
}

func (r *ruby) next(n int) ([]byte, error) {
	if n < 0 || n > len(r.data)-r.pos {
		return nil, errCut
	}
	b := r.data[r.pos : r.pos+n]
	r.pos += n
	return b, nil
}

// number reads a packed number: a byte for small ones, otherwise the number of bytes that follow, negative for negative numbers.
func (r *ruby) number() (int, error) {
	b, err := r.next(1)
	if err != nil {
		return 0, err
	}
	switch c := int(int8(b[0])); {
	case c == 0:
		return 0, nil
	case c > 4:
		return c - 5, nil
	case c < -4:
		return c + 5, nil
	default:
		n := max(c, -c)
		digits, err := r.next(n)
		if err != nil {
			return 0, err
		}
		v := 0
		if c < 0 {
			v = -1 << (8 * n)
		}
		for i, d := range digits {
			v += int(d) << (8 * i)
		}
		return v, nil
	}
}

// text reads the length and the bytes of a text.
func (r *ruby) text() (string, error) {
	n, err := r.number()
	if err != nil {
		return "", err
	}
	b, err := r.next(n)
	return string(b), err
}

func (r *ruby) write(v any) error {
	b, err := json.Marshal(v)
	if r.out.Len()+len(b) > most { // references to one long symbol
		return profile.TooLong(most)
	}
	r.out.Write(b)
	return err
}

const mostNested = 64

// value writes a value as JSON. The keys of hashes are written as strings.
func (r *ruby) value(depth int, key bool) error {
	at := r.pos + 2
	b, err := r.next(1)
	if err != nil {
		return err
	}
	if depth > mostNested {
		return fmt.Errorf("offset %d: more than %d values within each other", at, mostNested)
	}
	plain := func(v any) error {
		if key {
			return r.write(fmt.Sprint(v))
		}
		return r.write(v)
	}
	switch b[0] {
	case '0':
		return plain(nil)
	case 'T':
		return plain(true)
	case 'F':
		return plain(false)
	case 'i':
		n, err := r.number()
		if err != nil {
			return err
		}
		return plain(n)
	case 'f':
		s, err := r.text()
		if err != nil {
			return err
		}
		v, _ := strconv.ParseFloat(s, 64)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			v = 0
		}
		return plain(v)
	case 'l':
		return r.long(plain)
	case ':':
		s, err := r.text()
		if err != nil {
			return err
		}
		r.symbols = append(r.symbols, s)
		return r.write(s)
	case ';':
		n, err := r.number()
		if err != nil || n < 0 || n >= len(r.symbols) {
			return fmt.Errorf("offset %d: an unknown symbol", at)
		}
		return r.write(r.symbols[n])
	case '"':
		s, err := r.text()
		if err != nil {
			return err
		}
		return r.write(s)
	case 'I':
		return r.encoded(depth, key)
	case '[':
		return r.array(depth)
	case '{', '}':
		return r.hash(depth, b[0] == '}')
	}
	return fmt.Errorf("offset %d: a value of type %q; expected numbers, strings, arrays and hashes", at, b[0])
}

// long reads a number of more than 31 bits: a sign and words of 16 bits. Numbers beyond 2^63 lose their upper bits.
func (r *ruby) long(plain func(any) error) error {
	sign, err := r.next(1)
	if err != nil {
		return err
	}
	n, err := r.number()
	if err != nil || n < 0 || n > 1<<20 {
		return errCut
	}
	digits, err := r.next(2 * n)
	if err != nil {
		return err
	}
	v := int64(0)
	for i, d := range digits[:min(len(digits), 8)] {
		v |= int64(d) << (8 * i)
	}
	if sign[0] == '-' {
		v = -v
	}
	return plain(v)
}

// encoded reads a string with its encoding, which is left out.
func (r *ruby) encoded(depth int, key bool) error {
	if err := r.value(depth+1, key); err != nil {
		return err
	}
	n, err := r.number()
	end := r.out.Len()
	for ; err == nil && n > 0; n-- {
		if err = r.value(depth+1, false); err == nil {
			err = r.value(depth+1, false)
		}
	}
	r.out.Truncate(end)
	return err
}

func (r *ruby) array(depth int) error {
	n, err := r.number()
	if err != nil || n < 0 || n > len(r.data)-r.pos {
		return errCut
	}
	r.out.WriteByte('[')
	for i := range n {
		if i > 0 {
			r.out.WriteByte(',')
		}
		if err := r.value(depth+1, false); err != nil {
			return err
		}
	}
	r.out.WriteByte(']')
	return nil
}

func (r *ruby) hash(depth int, withDefault bool) error {
	n, err := r.number()
	if err != nil || n < 0 || n > len(r.data)-r.pos {
		return errCut
	}
	r.out.WriteByte('{')
	for i := range n {
		if i > 0 {
			r.out.WriteByte(',')
		}
		if err := r.value(depth+1, true); err != nil {
			return err
		}
		r.out.WriteByte(':')
		if err := r.value(depth+1, false); err != nil {
			return err
		}
	}
	r.out.WriteByte('}')
	if !withDefault {
		return nil
	}
	end := r.out.Len()
	err = r.value(depth+1, false)
	r.out.Truncate(end)
	return err
}
