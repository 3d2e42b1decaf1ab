package textio

import (
	"fmt"
	"strconv"
	"strings"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/internal/nearest"
)

// An Object is a variable of a group of NAMELIST. Get and Set access its elements in the order of Fortran's arrays.
type Object struct {
	Name   string
	Type   lower.Type
	Lo, N  []int // lower bounds and extents; none for a scalar
	Length int   // of characters
	Get    func(i int) lower.Value
	Set    func(i int, v lower.Value)
}

func (o *Object) size() int {
	n := 1
	for _, d := range o.N {
		n *= d
	}
	return n
}

// ReadGroup reads the next group of a name. Variables that it does not name keep their values.
func ReadGroup(name string, objects []Object, record func() (string, error)) error {
	g := groupReader{scanner{record: record, names: true}, objects}
	if err := g.find(name); err != nil {
		return err
	}
	for {
		if err := g.more(); err != nil {
			return err
		}
		switch c := g.line[g.pos]; {
		case c == '/':
			return nil
		case c == '&' || c == '$':
			return g.end()
		case c == ',':
			g.pos++
		default:
			if err := g.assignment(); err != nil {
				return err
			}
		}
	}
}

// A groupReader reads a group.
type groupReader struct {
	scanner
	objects []Object
}

// find moves behind &name. It skips records before it.
func (g *groupReader) find(name string) error {
	for {
		if err := g.read(); err != nil {
			return err
		}
		if !g.skip() || g.line[g.pos] != '&' && g.line[g.pos] != '$' {
			continue
		}
		g.pos++
		if strings.EqualFold(g.word(), name) {
			return nil
		}
	}
}

// end reads &end.
func (g *groupReader) end() error {
	g.pos++
	if w := g.word(); !strings.EqualFold(w, "end") {
		return fmt.Errorf("%q within a group (expected &end or /)", "&"+w)
	}
	return nil
}

// word skips a name and returns it.
func (g *groupReader) word() string {
	from := g.pos
	for g.pos < len(g.line) && nameChar(g.line[g.pos]) {
		g.pos++
	}
	return g.line[from:g.pos]
}

func nameChar(c byte) bool { // with the % between components
	return c == '%' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// nameAhead reports whether name= is next, perhaps with subscripts.
func (g *groupReader) nameAhead() bool {
	from := g.pos
	defer func() { g.pos = from }()
	if '0' <= g.line[g.pos] && g.line[g.pos] <= '9' || g.word() == "" {
		return false
	}
	for range 2 {
		if g.skip() && g.line[g.pos] == '(' {
			n := strings.IndexByte(g.line[g.pos:], ')')
			if n < 0 {
				return false
			}
			g.pos += n + 1
		}
	}
	return g.skip() && g.line[g.pos] == '='
}

// assignment reads name=values.
func (g *groupReader) assignment() error {
	if !g.nameAhead() {
		end := strings.IndexAny(g.line[g.pos:], " \t,/")
		if end < 0 {
			end = len(g.line) - g.pos
		}
		return fmt.Errorf("%s in a group (expected NAME=value)", nearest.Quote(g.line[g.pos:g.pos+end]))
	}
	name := g.word()
	var o *Object
	var known []string
	for i := range g.objects {
		if known = append(known, strings.ToLower(g.objects[i].Name)); strings.EqualFold(g.objects[i].Name, name) {
			o = &g.objects[i]
		}
	}
	if o == nil {
		return fmt.Errorf("%s is not in the group (expected %s)", nearest.Quote(name), nearest.Suggest("one of "+strings.Join(known, " "), nearest.Names(strings.ToLower(name), known)))
	}
	t, err := g.target(o)
	if err != nil {
		return err
	}
	g.skip()
	g.pos++ // =
	g.repeat = 0
	for i := 0; ; i++ {
		if g.repeat == 0 {
			if err := g.more(); err != nil {
				return err
			}
			if c := g.line[g.pos]; c == '/' || c == '&' || c == '$' || g.nameAhead() {
				return nil
			}
		}
		if i == t.count() {
			return fmt.Errorf("too many values for %s", name)
		}
		if err := g.give(o, t, i); err != nil {
			return err
		}
	}
}

// give reads the value of an element.
func (g *groupReader) give(o *Object, t *target, i int) error {
	at := t.place(i)
	old := o.Get(at)
	v, err := g.value(o.Type, old)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", o.Name, err)
	case t.cut != nil && len(old.S) >= t.cut[1]:
		part := v.S + blanks(t.cut[1]-t.cut[0]+1-len(v.S))
		v.S = old.S[:t.cut[0]-1] + part[:t.cut[1]-t.cut[0]+1] + old.S[t.cut[1]:]
	}
	o.Set(at, v)
	return nil
}

// A target is the set of elements of an object that get values: a section, or all elements from one on.
type target struct {
	first int // the element, if there are no sections
	size  int // elements of the object
	parts []span
	cut   *[2]int // characters of a substring, from 1
}

// A span is the indices of one dimension, and the distance between two elements.
type span struct{ first, step, n, weight int }

func (t *target) count() int {
	if t.parts == nil {
		return t.size - t.first
	}
	n := 1
	for _, p := range t.parts {
		n *= p.n
	}
	return n
}

// place returns the place of the i-th element in the object.
func (t *target) place(i int) int {
	if t.parts == nil {
		return t.first + i
	}
	at := 0
	for _, p := range t.parts {
		at += (p.first + i%p.n*p.step) * p.weight
		i /= p.n
	}
	return at
}

// target reads the subscripts and the substring after a name.
func (g *groupReader) target(o *Object) (*target, error) {
	t := &target{size: o.size()}
	list, err := g.subscripts()
	if err != nil {
		return nil, err
	}
	if list != nil && len(o.N) > 0 {
		if err := t.section(o, list); err != nil {
			return nil, err
		}
		if list, err = g.subscripts(); err != nil {
			return nil, err
		}
	}
	if list == nil {
		return t, nil
	}
	if len(list) != 1 || !list[0].section || list[0].given[2] || o.Type.Base != syntax.CharacterType {
		return nil, fmt.Errorf("%s has no such part", o.Name)
	}
	lo, hi := list[0].or(0, 1), list[0].or(1, o.Length)
	if lo < 1 || hi > o.Length || hi < lo {
		return nil, fmt.Errorf("characters %d to %d of %s, which has %d", lo, hi, o.Name, o.Length)
	}
	t.cut = &[2]int{lo, hi}
	return t, nil
}

// A subscript is i, or lo:hi:step whose parts may be missing.
type subscript struct {
	section bool
	given   [3]bool
	values  [3]int
}

func (s *subscript) or(part, otherwise int) int {
	if s.given[part] {
		return s.values[part]
	}
	return otherwise
}

// subscripts reads subscripts in parentheses. It returns nil if there are none.
func (g *groupReader) subscripts() ([]subscript, error) {
	if !g.skip() || g.line[g.pos] != '(' {
		return nil, nil
	}
	end := strings.IndexByte(g.line[g.pos:], ')')
	text := g.line[g.pos+1 : g.pos+end] // nameAhead has found the end
	g.pos += end + 1
	var out []subscript
	for _, item := range strings.Split(text, ",") {
		var s subscript
		parts := strings.Split(item, ":")
		s.section = len(parts) > 1
		if len(parts) > len(s.values) {
			return nil, fmt.Errorf("%s is not a subscript (expected lo:hi:step)", nearest.Quote(item))
		}
		for k, p := range parts {
			p = strings.TrimSpace(p)
			if p == "" && s.section {
				continue
			}
			v, err := strconv.ParseInt(p, 10, 32)
			if err != nil {
				return nil, fmt.Errorf("%s is not a subscript (expected a number)", nearest.Quote(p))
			}
			s.given[k], s.values[k] = true, int(v)
		}
		out = append(out, s)
	}
	return out, nil
}

// section selects elements by subscripts.
func (t *target) section(o *Object, list []subscript) error {
	if len(list) != len(o.N) {
		return fmt.Errorf("%d subscripts of %s, which has %d dimensions", len(list), o.Name, len(o.N))
	}
	weight, sections := 1, false
	for d, s := range list {
		lo, hi := o.Lo[d], o.Lo[d]+o.N[d]-1
		p := span{first: s.values[0] - lo, step: 1, n: 1, weight: weight}
		if s.section {
			sections = true
			step := s.or(2, 1)
			if step == 0 {
				return fmt.Errorf("a step of 0 in a subscript of %s", o.Name)
			}
			from, to := s.or(0, lo), s.or(1, hi)
			if step < 0 {
				from, to = s.or(0, hi), s.or(1, lo)
			}
			p = span{from - lo, step, max((to-from+step)/step, 0), weight}
		}
		if last := p.first + (p.n-1)*p.step; p.n > 0 && (p.first < 0 || p.first >= o.N[d] || last < 0 || last >= o.N[d]) {
			return fmt.Errorf("subscript %d of %s is outside of the dimension, which runs from %d to %d", d+1, o.Name, lo, hi)
		}
		t.first += p.first * weight
		t.parts = append(t.parts, p)
		weight *= o.N[d]
	}
	if !sections {
		t.parts = nil
	}
	return nil
}
