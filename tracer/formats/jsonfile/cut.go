package jsonfile

import (
	"bytes"
	"slices"
)

// deepest bounds the brackets around a value.
const deepest = 1 << 10

// Closed returns a text that ends within a value without its last, unfinished part, and with the brackets that it lacks. It returns nil for a text
// that is whole or has no such part. at is the offset at which the text was cut. Parts within more brackets than depth have no meaning alone: they are
// left out whole.
func Closed(data []byte, depth int) (whole []byte, at int) {
	var open, last []byte // brackets that close the open ones: at i, and at the place
	for i := 0; i < len(data); i++ {
		end := i // of the whole part
		switch c := data[i]; c {
		case '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
			continue
		case '{', '[':
			open = append(open, c+2) // { and }, [ and ] are two apart
			if len(open) > deepest {
				return nil, 0
			}
			continue
		case '}', ']':
			if len(open) == 0 || open[len(open)-1] != c {
				return nil, 0
			}
			open = open[:len(open)-1]
			end++
		case ',':
		default:
			continue
		}
		if len(open) > 0 && len(open) <= depth {
			at, last = end, append(last[:0], open...)
		}
	}
	if len(open) == 0 || at == 0 {
		return nil, 0
	}
	whole = bytes.Clone(data[:at])
	slices.Reverse(last)
	return append(whole, last...), at
}
