package reference

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"math/big"
	"slices"
	"strings"

	"whorl/fghc/syntax"
)

// errBuiltin says that the arguments of a builtin of a body are not what it takes. In a guard that is a failure.
var errBuiltin = errors.New("not the arguments that the builtin takes")

// A native is a builtin. Modes has a letter for each argument: i has to have a value, o is what run returns, in order, - is anything. It
// returns the variables that it needs, too, where those are deeper in the arguments.
type native struct {
	modes string
	run   func(a []term) (out []term, on []*variable, err error)
}

// inputs returns the arguments that are no outputs, or what has to be waited for.
func (n native) inputs(args []term) (in []term, on []*variable) {
	for k, a := range args {
		if n.modes[k] == 'o' {
			continue
		}
		a = deref(a)
		if v, ok := a.(*variable); ok && n.modes[k] == 'i' {
			on = append(on, v)
		}
		in = append(in, a)
	}
	return in, on
}

// test is a builtin in a guard: what it returns is matched with what the clause wrote there.
func (p *passive) test(n native, args []syntax.Term) verdict {
	built := make([]term, len(args))
	for k, a := range args {
		if n.modes[k] != 'o' {
			built[k] = p.env.build(a)
		}
	}
	in, on := n.inputs(built)
	var out []term
	var err error
	if on == nil {
		out, on, err = n.run(in)
	}
	switch {
	case on != nil:
		p.on = append(p.on, on...)
		return blocked
	case err != nil:
		return fail
	}
	v := success
	for k, a := range args {
		if n.modes[k] != 'o' {
			continue
		}
		if v != fail {
			switch p.match(a, out[0]) {
			case fail:
				v = fail
			case blocked:
				v = blocked
			}
		}
		out = out[1:]
	}
	return v
}

// perform does a builtin of a body, or has its goal wait.
func (m *machine) perform(g *goal) error {
	n := *g.native
	in, on := n.inputs(g.args)
	var out []term
	var err error
	if on == nil {
		out, on, err = n.run(in)
	}
	switch {
	case on != nil:
		m.suspend(g, on)
		return nil
	case err != nil:
		return fmt.Errorf("%w: %s", err, syntax.Format(g.text.Term))
	}
	for k, a := range g.args {
		if n.modes[k] == 'o' {
			if !unify(a, out[0], m.bind) {
				return fmt.Errorf("%w: %s", ErrUnify, syntax.Format(g.text.Term))
			}
			out = out[1:]
		}
	}
	return nil
}

func number(n int) term { return integer{big.NewInt(int64(n))} }

// index reads an integer from low to high.
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

// elements returns those of a vector, or of a string as integers.
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

// rank is the place of a kind of term in the standard order.
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

// order compares in the standard order, up to the first difference. A lazy comparison does not know that a variable is equal to itself.
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

// hash writes the term out; the number itself is of no interest, only that equal terms have equal ones.
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

// replaced is a structure, vector or string with an element that is another.
func replaced(like term, items []term, i int, x term) term {
	items = slices.Clone(items)
	items[i] = x
	return remake(like, items)
}

type reply = []term

// natives are the builtins, eager ones and such for a lazy try (Config.Lazy).
var natives = map[bool]map[string]native{false: builtins(false), true: builtins(true)}

func builtins(lazy bool) map[string]native {
	return map[string]native{
		"float/1": {"i", func(a []term) ([]term, []*variable, error) { _, ok := a[0].(float); return nil, nil, unless(ok) }},
		"string/3": {"ioo", func(a []term) ([]term, []*variable, error) {
			s, ok := a[0].(text)
			return reply{number(len(s)), number(8)}, nil, unless(ok)
		}},
		"vector/2": {"io", func(a []term) ([]term, []*variable, error) {
			c, ok := a[0].(*compound)
			if !ok || c.name != "{}" {
				return nil, nil, errBuiltin
			}
			return reply{number(len(c.args))}, nil, nil
		}},
		"functor/3": {"ioo", func(a []term) ([]term, []*variable, error) {
			if name, args := named(a[0]); args != nil {
				return reply{atom(name), number(len(args))}, nil, nil
			}
			return reply{a[0], number(0)}, nil, nil
		}},
		"arg/3": {"iio", func(a []term) ([]term, []*variable, error) {
			_, args := named(a[1])
			i, ok := index(a[0], 1, len(args))
			if !ok {
				return nil, nil, errBuiltin
			}
			return reply{args[i-1]}, nil, nil
		}},
		"setarg/4": {"ii-o", func(a []term) ([]term, []*variable, error) {
			name, args := named(a[1])
			i, ok := index(a[0], 1, len(args))
			if !ok {
				return nil, nil, errBuiltin
			}
			args = slices.Clone(args)
			args[i-1] = a[2]
			return reply{structure(name, args)}, nil, nil
		}},
		"new_functor/3": {"oii", func(a []term) ([]term, []*variable, error) {
			name, isAtom := a[0].(atom)
			n, ok := index(a[1], 0, 65534)
			return reply{structure(string(name), slices.Repeat([]term{number(0)}, n))}, nil, unless(ok && isAtom)
		}},
		"=../2": {"oi", func(a []term) ([]term, []*variable, error) {
			items, on, err := listed(a[0])
			if len(items) == 0 && on == nil {
				err = errBuiltin
			}
			if on != nil || err != nil {
				return nil, on, err
			}
			first := deref(items[0])
			if len(items) == 1 {
				return reply{first}, nil, nil
			}
			if v, ok := first.(*variable); ok {
				return nil, []*variable{v}, nil
			}
			name, ok := first.(atom)
			return reply{structure(string(name), items[1:])}, nil, unless(ok)
		}},
		"vector_element/3": {"iio", element},
		"string_element/3": {"iio", element},
		"set_vector_element/4": {"ii-o", func(a []term) ([]term, []*variable, error) {
			items, ok := elements(a[0])
			i, inside := index(a[1], 0, len(items)-1)
			if !ok || !inside {
				return nil, nil, errBuiltin
			}
			return reply{replaced(a[0], items, i, a[2])}, nil, nil
		}},
		"set_vector_element/5": {"iio-o", func(a []term) ([]term, []*variable, error) {
			items, ok := elements(a[0])
			i, inside := index(a[1], 0, len(items)-1)
			if !ok || !inside {
				return nil, nil, errBuiltin
			}
			return reply{items[i], replaced(a[0], items, i, a[2])}, nil, nil
		}},
		"set_string_element/4": {"iiio", func(a []term) ([]term, []*variable, error) {
			items, ok := elements(a[0])
			i, inside := index(a[1], 0, len(items)-1)
			if _, isByte := index(a[2], 0, 255); !ok || !inside || !isByte {
				return nil, nil, errBuiltin
			}
			return reply{replaced(a[0], items, i, a[2])}, nil, nil
		}},
		"new_vector/2": {"oi", func(a []term) ([]term, []*variable, error) { return many(a[0], false) }},
		"new_string/3": {"oii", func(a []term) ([]term, []*variable, error) {
			if _, ok := index(a[1], 8, 8); !ok {
				return nil, nil, errBuiltin
			}
			return many(a[0], true)
		}},
		"generic:element/3": {"iio", element},
		"generic:size/2": {"io", func(a []term) ([]term, []*variable, error) {
			items, ok := elements(a[0])
			return reply{number(len(items))}, nil, unless(ok)
		}},
		"generic:split/4": {"iioo", func(a []term) ([]term, []*variable, error) {
			items, ok := elements(a[0])
			i, inside := index(a[1], 0, len(items))
			if !ok || !inside {
				return nil, nil, errBuiltin
			}
			return reply{remake(a[0], items[:i]), remake(a[0], items[i:])}, nil, nil
		}},
		"generic:join/3": {"iio", func(a []term) ([]term, []*variable, error) {
			x, ok := elements(a[0])
			y, ok2 := elements(a[1])
			if !ok || !ok2 || rank(a[0]) != rank(a[1]) {
				return nil, nil, errBuiltin
			}
			return reply{remake(a[0], slices.Concat(x, y))}, nil, nil
		}},
		"search_character/5": {"iiiio", func(a []term) ([]term, []*variable, error) {
			s, isText := a[0].(text)
			from, ok := index(a[1], 0, len(s))
			to, ok2 := index(a[2], 0, len(s))
			c, ok3 := index(a[3], 0, 255)
			if !isText || !ok || !ok2 || !ok3 {
				return nil, nil, errBuiltin
			}
			for i := from; i < to; i++ {
				if int(s[i]) == c {
					return reply{number(i)}, nil, nil
				}
			}
			return reply{number(-1)}, nil, nil
		}},
		"compare/3": {"iio", func(a []term) ([]term, []*variable, error) {
			d, on := order(a[0], a[1], lazy)
			return reply{number(d)}, on, nil
		}},
		"hash/2": {"io", func(a []term) ([]term, []*variable, error) {
			s, on := hash(a[0])
			h := fnv.New32a()
			h.Write([]byte(s))
			return reply{number(int(h.Sum32() >> 2))}, on, nil
		}},
		"@</2":  {"ii", ordered(lazy, func(d int) bool { return d < 0 })},
		"@=</2": {"ii", ordered(lazy, func(d int) bool { return d <= 0 })},
		"@>/2":  {"ii", ordered(lazy, func(d int) bool { return d > 0 })},
		"@>=/2": {"ii", ordered(lazy, func(d int) bool { return d >= 0 })},
		"string_less_than/2": {"ii", func(a []term) ([]term, []*variable, error) {
			x, ok := a[0].(text)
			y, ok2 := a[1].(text)
			return nil, nil, unless(ok && ok2 && x < y)
		}},
		"string_not_less_than/2": {"ii", func(a []term) ([]term, []*variable, error) {
			x, ok := a[0].(text)
			y, ok2 := a[1].(text)
			return nil, nil, unless(ok && ok2 && x >= y)
		}},
		"atom_table:make_atom/2": {"io", func(a []term) ([]term, []*variable, error) {
			s, ok := a[0].(text)
			return reply{atom(s)}, nil, unless(ok)
		}},
		"atom_table:get_atom_string/2": {"io", func(a []term) ([]term, []*variable, error) {
			s, ok := a[0].(atom)
			return reply{text(s)}, nil, unless(ok)
		}},
	}
}

func unless(ok bool) error {
	if ok {
		return nil
	}
	return errBuiltin
}

func element(a []term) ([]term, []*variable, error) {
	items, ok := elements(a[0])
	i, inside := index(a[1], 0, len(items)-1)
	if !ok || !inside {
		return nil, nil, errBuiltin
	}
	return reply{items[i]}, nil, nil
}

// many is a new vector or string: of so many zeros, or of the elements of a list.
func many(t term, isText bool) ([]term, []*variable, error) {
	like := term(&compound{name: "{}"})
	if isText {
		like = text("")
	}
	if n, ok := index(t, 0, 1<<24); ok {
		return reply{remake(like, slices.Repeat([]term{number(0)}, n))}, nil, nil
	}
	items, on, err := listed(t)
	if isText && err == nil {
		for k, x := range items {
			items[k] = deref(x)
			if v, ok := items[k].(*variable); ok {
				on = append(on, v)
			} else if _, ok := index(items[k], 0, 255); !ok {
				return nil, nil, errBuiltin
			}
		}
	}
	if on != nil || err != nil {
		return nil, on, err
	}
	return reply{remake(like, items)}, nil, nil
}

// Knows says whether all builtins that a query can come to are here.
func Knows(f *syntax.File, query []syntax.Goal) bool {
	var procs []string
	var bodies func(goals []syntax.Goal) bool
	bodies = func(goals []syntax.Goal) bool {
		for _, g := range goals {
			name, args := g.Name()
			key := place(g.Module, name, len(args))
			if slices.Contains(procs, key) {
				continue
			}
			found := false
			procs = append(procs, key)
			for _, c := range f.Clauses {
				head, params := c.Head.Name()
				if head == name && len(params) == len(args) {
					found = true
					for _, g := range c.Guard {
						name, args := g.Name()
						if g.Module != "" && natives[false][place(g.Module, name, len(args))].run == nil {
							return false
						}
					}
					if !bodies(c.Body) {
						return false
					}
				}
			}
			_, native := natives[false][key]
			if !found && !native && !slices.Contains([]string{"=/2", ":=/2", "$:=/2", "bigint/2", "true/0"}, key) {
				return false
			}
		}
		return true
	}
	return bodies(query)
}
