package reference

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

func number(n int) term { return integer{big.NewInt(int64(n))} }

// index returns an integer from low to high.
func index(t term, low, high int) (int, bool) {
	n, ok := t.(integer)
	if !ok || !n.IsInt64() || n.Int64() < int64(low) || n.Int64() > int64(high) {
		return 0, false
	}
	return int(n.Int64()), true
}

// listed returns the elements of a list.
func listed(t term) (items []term, on []*variable, err error) {
	for {
		switch c := deref(t).(type) {
		case *variable:
			return nil, []*variable{c}, nil
		case atom:
			if c == "[]" {
				return items, nil, nil
			}
		case *compound:
			if c.name == "." {
				items, t = append(items, c.args[0]), c.args[1]
				continue
			}
		}
		return nil, nil, errBuiltin
	}
}

// elements returns the elements of a vector, or of a string as integers.
func elements(t term) ([]term, bool) {
	switch t := t.(type) {
	case text:
		out := make([]term, len(t))
		for i := range out {
			out[i] = number(int(t[i]))
		}
		return out, true
	case *compound:
		return t.args, t.name == "{}"
	}
	return nil, false
}

func remake(like term, items []term) term {
	if _, ok := like.(text); ok {
		b := make([]byte, len(items))
		for i, x := range items {
			b[i] = byte(x.(integer).Int64())
		}
		return text(b)
	}
	return &compound{"{}", items}
}

// named returns the name and the arguments of a list or a structure.
func named(t term) (name string, args []term) {
	c, ok := t.(*compound)
	switch {
	case !ok || c.name == "{}":
		return "", nil
	case c.name == ".":
		return ".", c.args
	}
	return strings.TrimSuffix(c.name, "/"), c.args
}

func structure(name string, args []term) term {
	switch {
	case len(args) == 0:
		return atom(name)
	case name == "." && len(args) == 2:
		return &compound{".", args}
	}
	return &compound{name + "/", args}
}

// rank returns the position of a kind of term in the standard order.
func rank(t term) int {
	switch t := t.(type) {
	case integer:
		return 0
	case float:
		return 1
	case atom:
		return 2
	case text:
		return 3
	case *compound:
		switch t.name {
		case ".":
			return 4
		case "{}":
			return 6
		}
	}
	return 5
}

// order compares two terms in the standard order. A lazy comparison does not know that a variable is equal to itself.
func order(a, b term, lazy bool) (int, []*variable) {
	a, b = deref(a), deref(b)
	if v, ok := a.(*variable); a == b && !(ok && lazy) {
		return 0, nil
	} else if a == b {
		return 0, []*variable{v}
	}
	var on []*variable
	for _, t := range []term{a, b} {
		if v, ok := t.(*variable); ok {
			on = append(on, v)
		}
	}
	if on != nil {
		return 0, on
	}
	if d := cmp.Compare(rank(a), rank(b)); d != 0 {
		return d, nil
	}
	switch x := a.(type) {
	case integer:
		return x.Cmp(b.(integer).Int), nil
	case float:
		return cmp.Compare(x, b.(float)), nil
	case atom:
		return cmp.Compare(x, b.(atom)), nil
	case text:
		y := b.(text)
		n := 0
		for n < len(x) && n < len(y) && x[n] == y[n] {
			n++
		}
		return cmp.Compare(x, y) * (n + 1), nil
	}
	x, y := a.(*compound), b.(*compound)
	d := cmp.Or(cmp.Compare(len(x.args), len(y.args)), cmp.Compare(strings.TrimSuffix(x.name, "/"), strings.TrimSuffix(y.name, "/")))
	for i := 0; d == 0 && on == nil && i < len(x.args); i++ {
		d, on = order(x.args[i], y.args[i], lazy)
	}
	return d, on
}

func ordered(lazy bool, holds func(d int) bool) func(a []term) ([]term, []*variable, error) {
	return func(a []term) ([]term, []*variable, error) {
		d, on := order(a[0], a[1], lazy)
		if on == nil && !holds(d) {
			return nil, nil, errBuiltin
		}
		return nil, on, nil
	}
}

// hash hashes the text of a term, so that equal terms have equal hashes.
func hash(t term) (string, []*variable) {
	switch t := deref(t).(type) {
	case *variable:
		return "", []*variable{t}
	case *compound:
		s := fmt.Sprintf("%s%d(", t.name, len(t.args))
		var on []*variable
		for _, x := range t.args {
			h, more := hash(x)
			s += h + ","
			on = append(on, more...)
		}
		return s, on
	default:
		return fmt.Sprintf("%T %v", t, t), nil
	}
}

// replaced returns a structure, vector or string with one element replaced.
func replaced(like term, items []term, i int, x term) term {
	items = slices.Clone(items)
	items[i] = x
	return remake(like, items)
}
