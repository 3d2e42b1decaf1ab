// Package labels chooses samples by their labels and groups them by labels. Its expressions are those of pprof's options tagfocus, tagignore, tagroot
// and tagleaf.
package labels

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/tracer/query"
)

// A Query chooses samples and the frames that their labels become. The zero Query chooses all samples and adds no frames.
type Query struct {
	Focus  string // keep the samples with a matching label
	Ignore string // leave out the samples with a matching label
	Root   string // keys, separated by commas: the labels of a sample call the functions of its stack, the first key outermost
	Leaf   string // keys, separated by commas: the innermost function calls the labels of a sample, the last key innermost
}

// A Chooser applies a Query to the samples of a trace. A nil Chooser chooses all samples.
type Chooser struct {
	Query         Query
	dict          *tracer.Dict
	focus, ignore test
	root, leaf    []key
}

// A key is the key of labels with its entry.
type key struct {
	name string
	code uint32
}

// A test reports whether one of the labels of a sample matches.
type test func(labels []tracer.LabelValue) bool

// Parse returns the Chooser of a query, nil for the zero Query. A trace without labels, an unknown key and a wrong expression are errors.
func Parse(q Query, d *tracer.Dict) (*Chooser, error) {
	if q == (Query{}) {
		return nil, nil
	}
	c := &Chooser{Query: q, dict: d}
	known, keys := []string{}, d.LabelKeys()
	for _, code := range keys {
		known = append(known, d.Code(code).Name)
	}
	if len(known) == 0 {
		return nil, errors.New("the samples of the trace have no labels")
	}
	for _, x := range []struct {
		name, text string
		to         *test
	}{{"tagfocus", q.Focus, &c.focus}, {"tagignore", q.Ignore, &c.ignore}} {
		if x.text == "" {
			continue
		}
		var err error
		if *x.to, err = parse(x.text, known); err != nil {
			return nil, fmt.Errorf("%s %w", x.name, err)
		}
	}
	for _, x := range []struct {
		text string
		to   *[]key
	}{{q.Root, &c.root}, {q.Leaf, &c.leaf}} {
		if x.text == "" {
			continue
		}
		for name := range strings.SplitSeq(x.text, ",") {
			k := slices.Index(known, name)
			if k < 0 {
				return nil, unknown(name, known)
			}
			*x.to = append(*x.to, key{name, keys[k]})
		}
	}
	return c, nil
}

// unknown returns the error for a key that no label has. It lists at most 20 keys.
func unknown(key string, known []string) error {
	if near := nearest.Names(key, known); len(near) > 0 {
		known = near
	}
	return nearest.Unknown("label", key, known[:min(len(known), 20)])
}

// query returns what a Chooser was made of.
func (c *Chooser) query() Query {
	if c == nil {
		return Query{}
	}
	return c.Query
}

// Same reports whether two Choosers have the same query.
func Same(a, b *Chooser) bool { return a.query() == b.query() }

// Of reports whether a sample with some labels is kept. root holds the labels that call its stack, and leaf those that its stack calls. The entry of a key
// stands for a missing label.
func (c *Chooser) Of(codes []uint32) (kept bool, root, leaf []uint32) {
	values := make([]tracer.LabelValue, len(codes))
	for i, code := range codes {
		values[i], _ = c.dict.LabelValue(code)
	}
	if c.focus != nil && !c.focus(values) || c.ignore != nil && c.ignore(values) {
		return false, nil, nil
	}
	frames := func(keys []key) (frames []uint32) {
		for _, key := range keys {
			before := len(frames)
			for i := range values {
				if values[i].Key == key.name {
					frames = append(frames, codes[i])
				}
			}
			if len(frames) == before {
				frames = append(frames, key.code)
			}
		}
		return frames
	}
	return true, frames(c.root), frames(c.leaf)
}

// parse parses an expression: a range of numbers, or regular expressions separated by commas, for all labels or, after its key and =, for one. Without a
// key each regular expression has to match a label, written key:value; with a key one of them has to match its value.
func parse(text string, known []string) (test, error) {
	key, value, keyed := strings.Cut(text, "=")
	if !keyed {
		key, value = "", text
	} else if !slices.Contains(known, key) {
		return nil, unknown(key, known)
	}
	if r, ok := parseRange(value); ok {
		return func(labels []tracer.LabelValue) bool {
			return slices.ContainsFunc(labels, func(v tracer.LabelValue) bool { return v.Numeric && (!keyed || v.Key == key) && r.contains(&v) })
		}, nil
	}
	var all []*regexp.Regexp
	for part := range strings.SplitSeq(value, ",") {
		re, err := query.Exact(part)
		if err != nil {
			return nil, err
		}
		all = append(all, re)
	}
	matches := func(labels []tracer.LabelValue, re *regexp.Regexp) bool {
		return slices.ContainsFunc(labels, func(v tracer.LabelValue) bool {
			switch {
			case v.Numeric || keyed && v.Key != key:
				return false
			case keyed:
				return re.MatchString(v.Text)
			}
			return re.MatchString(v.String())
		})
	}
	return func(labels []tracer.LabelValue) bool {
		for _, re := range all {
			if matches(labels, re) == keyed {
				return keyed
			}
		}
		return !keyed
	}, nil
}

// A span is a range of numbers with a unit.
type span struct {
	least, most measure // without a unit if the bound is open
	from, to    bool    // there is a lower bound, an upper bound
}

// A measure is a number with its unit.
type measure struct {
	number int64
	unit   string
}

var spans = regexp.MustCompile(`^([+-]?[0-9]+)?([[:alpha:]]+)?(:?)([+-]?[0-9]+)?([[:alpha:]]+)?$`)

// parseRange parses 32kb, :64kb, 4mb: or 12kb:64mb, with bounds inclusive. It returns false for any other text.
func parseRange(text string) (s span, ok bool) {
	m := spans.FindStringSubmatch(text)
	if m == nil || m[1] == "" && m[2] != "" || m[4] == "" && m[5] != "" || m[3] == "" && m[4] != "" || m[1] == "" && m[4] == "" {
		return s, false
	}
	for _, bound := range []struct {
		number, unit string
		to           *measure
		has          *bool
	}{{m[1], m[2], &s.least, &s.from}, {m[4], m[5], &s.most, &s.to}} {
		if bound.number == "" {
			continue
		}
		n, err := strconv.ParseInt(bound.number, 10, 64)
		if err != nil {
			return s, false
		}
		*bound.to, *bound.has = measure{n, bound.unit}, true
	}
	if m[3] == "" {
		s.most, s.to = s.least, true
	}
	a, b := unitOf(s.least.unit), unitOf(s.most.unit)
	return s, !s.from || !s.to || a.of == b.of
}

// contains reports whether the value of a label lies within the bounds.
func (s *span) contains(v *tracer.LabelValue) bool {
	own := measure{v.Number, v.Unit}
	if own.unit == "" { // as pprof has it
		if own.unit = v.Key; v.Key == "alignment" || v.Key == "request" {
			own.unit = "bytes"
		}
	}
	return (!s.from || compare(own, s.least, 1)) && (!s.to || compare(own, s.most, -1))
}

// compare reports whether a value is at least (sign 1) or at most (sign -1) a bound. A bound without a unit has that of the value, and a value without a
// known unit has that of the bound. Values of other units are outside.
func compare(value, bound measure, sign float64) bool {
	u, b := unitOf(value.unit), unitOf(bound.unit)
	switch {
	case bound.unit == "" || b.of == "" && u.of == "" || u.of == "":
		return sign*float64(value.number) >= sign*float64(bound.number)
	case u.of != b.of:
		return false
	}
	return sign*float64(value.number)*u.size >= sign*float64(bound.number)*b.size
}

// A unit is a multiple of a quantity, "" for an unknown unit.
type unit struct {
	of   string
	size float64
}

// unitOf returns the unit of a name, in the singular or the plural.
func unitOf(name string) unit {
	name = strings.ToLower(name)
	if len(name) > 2 {
		name = strings.TrimSuffix(name, "s")
	}
	return units[name]
}

var units = map[string]unit{
	"b": {"bytes", 1}, "byte": {"bytes", 1},
	"kb": {"bytes", 1 << 10}, "kbyte": {"bytes", 1 << 10}, "kilobyte": {"bytes", 1 << 10},
	"mb": {"bytes", 1 << 20}, "mbyte": {"bytes", 1 << 20}, "megabyte": {"bytes", 1 << 20},
	"gb": {"bytes", 1 << 30}, "gbyte": {"bytes", 1 << 30}, "gigabyte": {"bytes", 1 << 30},
	"tb": {"bytes", 1 << 40}, "tbyte": {"bytes", 1 << 40}, "terabyte": {"bytes", 1 << 40},
	"ns": {"time", 1}, "nanosecond": {"time", 1}, "us": {"time", 1e3}, "microsecond": {"time", 1e3}, "ms": {"time", 1e6}, "millisecond": {"time", 1e6},
	"s": {"time", 1e9}, "sec": {"time", 1e9}, "second": {"time", 1e9}, "hr": {"time", 3600e9}, "hour": {"time", 3600e9},
}
