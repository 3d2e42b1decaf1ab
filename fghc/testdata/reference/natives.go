package reference

import (
	"hash/fnv"
	"slices"
)

type reply = []term

// natives holds the builtins, by Config.Lazy and key.
var natives = map[bool]map[string]native{false: builtins(false), true: builtins(true)}

func builtins(lazy bool) map[string]native {
	return map[string]native{
		"merge/2": {modes: "--"},
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
			items, i, err := item(a, 0)
			if err != nil {
				return nil, nil, err
			}
			return reply{replaced(a[0], items, i, a[2])}, nil, nil
		}},
		"set_vector_element/5": {"iio-o", func(a []term) ([]term, []*variable, error) {
			items, i, err := item(a, 0)
			if err != nil {
				return nil, nil, err
			}
			return reply{items[i], replaced(a[0], items, i, a[2])}, nil, nil
		}},
		"set_string_element/4": {"iiio", func(a []term) ([]term, []*variable, error) {
			items, i, err := item(a, 0)
			if _, isByte := index(a[2], 0, 255); err != nil || !isByte {
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
			items, i, err := item(a, 1)
			if err != nil {
				return nil, nil, err
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
			from, ok := index(a[1], 0, len(s)-1)
			to, ok2 := index(a[2], 0, len(s)-1)
			c, ok3 := index(a[3], 0, 255)
			if !isText || !ok || !ok2 || !ok3 {
				return nil, nil, errBuiltin
			}
			step := 1
			if from > to {
				step = -1
			}
			for i := from; ; i += step {
				switch {
				case int(s[i]) == c:
					return reply{number(i)}, nil, nil
				case i == to:
					return reply{number(-1)}, nil, nil
				}
			}
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
	items, i, err := item(a, 0)
	if err != nil {
		return nil, nil, err
	}
	return reply{items[i]}, nil, nil
}

// item returns the elements of a[0] and the index a[1] of one of them, or of the place beyond the last.
func item(a []term, beyond int) (items []term, i int, err error) {
	items, ok := elements(a[0])
	i, inside := index(a[1], 0, len(items)-1+beyond)
	return items, i, unless(ok && inside)
}

// many returns the elements of a new vector or string: a number of zeros, or the elements of a list.
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
