// Package jsonfile reads the JSON files of profiles as a whole. Of a file that is cut it reads the part before the cut.
package jsonfile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"whorl/tracer/formats/profile"
)

// most bounds a file, in bytes.
const most = 1 << 29

// Read reads a file into a value, as json.Unmarshal does. Of a file that is cut it reads the part before the cut, without the last part in at most depth
// brackets that is not whole, and cut is the offset of the first byte that it has not read; 0 for a whole file. An error has the line and the column.
func Read(r io.Reader, depth int, into any) (cut int, err error) {
	data, err := profile.ReadAll(r, most)
	if err != nil {
		return 0, err
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if err = json.Unmarshal(data, into); err == nil {
		return 0, nil
	}
	whole, at := Closed(data, depth)
	if whole == nil || json.Unmarshal(whole, into) != nil {
		return 0, Explain(data, err)
	}
	return at, nil
}

// Cut notes in d that the file of a name is cut at a byte. It does nothing for 0.
func Cut(d *profile.Dropped, name string, at int) {
	if at > 0 {
		d.Once(fmt.Sprintf("the rest of %s from byte %d on: the file is cut", name, at))
	}
}

// Explain adds the line and column to an error of the JSON decoder.
func Explain(data []byte, err error) error {
	at := int64(-1)
	if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
		at = syntax.Offset
	}
	if kind := new(json.UnmarshalTypeError); errors.As(err, &kind) {
		at = kind.Offset
		err = fmt.Errorf("%s is a %s", cmp.Or(kind.Field, "it"), kind.Value)
	}
	if at < 0 || at > int64(len(data)) {
		return err
	}
	line := bytes.Count(data[:at], []byte("\n")) + 1
	column := int(at) - bytes.LastIndexByte(data[:at], '\n') - 1
	return fmt.Errorf("line %d, column %d: %w", line, column, err)
}

// Numbers are the numbers of an array. Other elements, such as null, are NaN.
type Numbers []float64

// UnmarshalJSON reads an array of numbers.
func (n *Numbers) UnmarshalJSON(b []byte) error {
	if len(b) == 0 || b[0] != '[' {
		*n = nil
		return nil
	}
	list := make(Numbers, 0, bytes.Count(b, []byte(","))+1)
	depth, from := 0, 1
	for i := 1; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case c == '[' || c == '{':
			depth++
		case depth > 0 && (c == ']' || c == '}'):
			depth--
		case depth == 0 && (c == ',' || c == ']'):
			item := bytes.TrimSpace(b[from:i])
			from = i + 1
			if len(item) == 0 && c == ']' {
				continue
			}
			v, err := strconv.ParseFloat(string(item), 64)
			if err != nil {
				v = math.NaN()
			}
			list = append(list, v)
		}
	}
	*n = list
	return nil
}

// At returns a number, NaN beyond the end of the list.
func (n Numbers) At(i int) float64 {
	if i < 0 || i >= len(n) {
		return math.NaN()
	}
	return n[i]
}

// Index returns a number as an index of a list of some length, -1 for any other number.
func (n Numbers) Index(i, length int) int {
	if v := n.At(i); v >= 0 && v < float64(length) {
		return int(v)
	}
	return -1
}

// Number returns a number of a line or a column, 0 for any other number.
func Number(v float64) int32 {
	if v < 1 || v > math.MaxInt32 || v != v {
		return 0
	}
	return int32(v)
}
