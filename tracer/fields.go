package tracer

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A field is a key=value pair of a line. The value is quoted, or ends at the next space.
type field struct {
	key, value string
	quoted     bool
}

// cutField returns the first field of s and the rest of s; the key is "" at the end of the line.
func cutField(s string) (f field, rest string, err error) {
	s = strings.TrimLeft(s, " \t")
	if s == "" || s[0] == '#' {
		return field{}, "", nil
	}
	key, value, ok := strings.Cut(s, "=")
	if i := strings.IndexAny(key, " \t\""); i >= 0 || !ok || key == "" {
		word, _, _ := strings.Cut(s, " ")
		return field{}, "", fmt.Errorf("%s is not of the form key=value", show(word))
	}
	if !strings.HasPrefix(value, `"`) {
		i := strings.IndexAny(value, " \t#")
		if i < 0 {
			i = len(value)
		}
		return field{key: key, value: value[:i]}, value[i:], nil
	}
	q, err := strconv.QuotedPrefix(value)
	if err != nil {
		return field{}, "", fmt.Errorf("%s=%s: unterminated string, or unknown escape", key, show(value))
	}
	text, err := strconv.Unquote(q)
	if err != nil {
		return field{}, "", fmt.Errorf("%s=%s: %w", key, show(q), err)
	}
	return field{key: key, value: text, quoted: true}, value[len(q):], nil
}

func (f field) text() (string, error) {
	if !f.quoted {
		return "", fmt.Errorf("%s=%s: expected a quoted string", f.key, show(f.value))
	}
	return f.value, nil
}

func (f field) int(bits int) (int64, error) {
	n, err := strconv.ParseInt(f.value, 10, bits)
	if err != nil || f.quoted {
		return 0, fmt.Errorf("%s=%s: expected an integer of %d bits", f.key, show(f.value), bits)
	}
	return n, nil
}

func (f field) uint(bits int) (uint64, error) {
	n, err := strconv.ParseUint(f.value, 10, bits)
	if err != nil || f.quoted {
		return 0, fmt.Errorf("%s=%s: expected a natural number of %d bits", f.key, show(f.value), bits)
	}
	return n, nil
}

func (f field) int32() (int32, error) {
	n, err := f.int(32)
	return int32(n), err
}

func (f field) uint32() (uint32, error) {
	n, err := f.uint(32)
	return uint32(n), err
}

func (f field) number() (float64, error) {
	x, err := strconv.ParseFloat(f.value, 64)
	if err != nil || f.quoted || math.IsNaN(x) {
		return 0, fmt.Errorf("%s=%s: expected a number", f.key, show(f.value))
	}
	return x, nil
}

func (f field) list() ([]int32, error) {
	var ns []int32
	for part := range strings.SplitSeq(f.value, ",") {
		n, err := strconv.ParseInt(part, 10, 32)
		if err != nil || f.quoted {
			return nil, fmt.Errorf("%s=%s: expected integers separated by commas", f.key, show(f.value))
		}
		ns = append(ns, int32(n))
	}
	return ns, nil
}

// show quotes input for an error message, cut to 60 bytes.
func show(s string) string {
	if len(s) > 60 {
		cut := 60
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "..."
	}
	return strconv.Quote(s)
}
