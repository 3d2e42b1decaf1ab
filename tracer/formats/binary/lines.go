package binary

import (
	"cmp"
	"debug/dwarf"
	"slices"
	"sort"

	"whorl/tracer/formats/profile"
)

// A unit is an address range of a compilation unit of DWARF.
type unit struct {
	low, high uint64 // the range
	*compiled
}

// A compiled is a compilation unit, read on first use.
type compiled struct {
	entry *dwarf.Entry
	read  bool
	rows  []row
	files []*dwarf.LineFile
	tops  []*scope
}

// A row gives the line of the code from an address on.
type row struct {
	address      uint64
	file         string // "" at the end of the code
	line, column int32
}

// A scope is a function or an inlined call of one.
type scope struct {
	ranges               [][2]uint64
	name                 string
	start                int32
	callFile             string
	callLine, callColumn int32
	inner                []*scope
}

// compiled lists the units in the order of their addresses.
func (f *File) compiled() (all []*unit) {
	if f.dwarf == nil {
		return nil
	}
	r := f.dwarf.Reader()
	for {
		e, err := r.Next()
		if err != nil || e == nil {
			break
		}
		if e.Tag == dwarf.TagCompileUnit {
			if ranges, err := f.dwarf.Ranges(e); err == nil {
				c := &compiled{entry: e}
				for _, span := range ranges {
					all = append(all, &unit{span[0], span[1], c})
				}
			}
		}
		r.SkipChildren()
	}
	slices.SortFunc(all, func(a, b *unit) int { return cmp.Compare(a.low, b.low) })
	return all
}

// compiledLines finds the functions at an address in the DWARF tables.
func (f *File) compiledLines(address uint64) []profile.Line {
	units := f.units()
	i := sort.Search(len(units), func(i int) bool { return units[i].low > address }) - 1
	if i < 0 || address >= units[i].high {
		return nil
	}
	u := units[i].compiled
	if !u.read {
		u.read = true
		f.rows(u)
		f.scopes(u)
	}
	at := row{}
	if k := sort.Search(len(u.rows), func(k int) bool { return u.rows[k].address > address }) - 1; k >= 0 {
		at = u.rows[k]
	}
	var lines []profile.Line
	for level := u.tops; ; {
		s := covering(level, address)
		if s == nil {
			break
		}
		if len(lines) > 0 { // the caller's line is the line of the inlined call
			caller := &lines[len(lines)-1]
			caller.File, caller.Line, caller.Column = s.callFile, s.callLine, s.callColumn
		}
		lines = append(lines, profile.Line{Function: s.name, Start: s.start, File: at.file, Line: at.line, Column: at.column})
		level = s.inner
	}
	if len(lines) == 0 && at.file != "" {
		s, _ := f.symbolAt(address)
		lines = append(lines, profile.Line{Function: profile.Demangle(s.name), File: at.file, Line: at.line, Column: at.column})
	}
	slices.Reverse(lines)
	return lines
}

func covering(scopes []*scope, address uint64) *scope {
	for _, s := range scopes {
		for _, span := range s.ranges {
			if address >= span[0] && address < span[1] {
				return s
			}
		}
	}
	return nil
}

// rows reads the line table of a unit. The last of several rows for an address counts. Rows without a line are skipped.
func (f *File) rows(u *compiled) {
	r, err := f.dwarf.LineReader(u.entry)
	if err != nil || r == nil {
		return
	}
	var e dwarf.LineEntry
	for len(u.rows) < mostRows && r.Next(&e) == nil {
		at := row{address: e.Address}
		if !e.EndSequence && e.File != nil {
			at.file, at.line, at.column = e.File.Name, int32(e.Line), int32(e.Column)
		}
		if at.line == 0 && at.file != "" {
			continue
		}
		u.rows = append(u.rows, at)
	}
	u.files = r.Files()
	slices.SortStableFunc(u.rows, func(a, b row) int { // a sequence may begin where another ends
		if c := cmp.Compare(a.address, b.address); c != 0 {
			return c
		}
		return cmp.Compare(min(len(a.file), 1), min(len(b.file), 1))
	})
}

const (
	mostRows   = 1 << 24
	mostNested = 256 // depth of inlined functions
)

// scopes reads the functions of a unit.
func (f *File) scopes(u *compiled) {
	r := f.dwarf.Reader()
	r.Seek(u.entry.Offset)
	if _, err := r.Next(); err != nil {
		return
	}
	var open []*scope // nil for entries that are not functions
	for {
		e, err := r.Next()
		if err != nil || e == nil {
			return
		}
		if e.Tag == 0 {
			if len(open) == 0 {
				return
			}
			open = open[:len(open)-1]
			continue
		}
		var s *scope
		if e.Tag == dwarf.TagSubprogram || e.Tag == dwarf.TagInlinedSubroutine {
			s = f.scope(u, e)
			if s == nil || len(open) >= mostNested {
				r.SkipChildren()
				continue
			}
			outer := &u.tops
			for i := len(open) - 1; i >= 0 && e.Tag == dwarf.TagInlinedSubroutine; i-- {
				if open[i] != nil {
					outer = &open[i].inner
					break
				}
			}
			*outer = append(*outer, s)
		}
		if e.Children {
			open = append(open, s)
		}
	}
}

// scope reads a function. It returns nil for a function without code of its own.
func (f *File) scope(u *compiled, e *dwarf.Entry) *scope {
	ranges, err := f.dwarf.Ranges(e)
	if err != nil || len(ranges) == 0 {
		return nil
	}
	s := &scope{ranges: ranges}
	if i, ok := e.Val(dwarf.AttrCallFile).(int64); ok && i > 0 && int(i) < len(u.files) && u.files[i] != nil {
		s.callFile = u.files[i].Name
	}
	s.callLine, s.callColumn = number(e, dwarf.AttrCallLine), number(e, dwarf.AttrCallColumn)
	f.describe(s, e, 8)
	return s
}

func number(e *dwarf.Entry, a dwarf.Attr) int32 {
	if n, ok := e.Val(a).(int64); ok && n > 0 && n < 1<<31 {
		return int32(n)
	}
	return 0
}

// describe finds the name of a function and its first line. The entry of its declaration or abstract origin may hold them.
func (f *File) describe(s *scope, e *dwarf.Entry, depth int) {
	linkage, _ := e.Val(dwarf.AttrLinkageName).(string)
	own, _ := e.Val(dwarf.AttrName).(string)
	if s.name == "" {
		if linkage != "" {
			s.name = profile.Demangle(linkage)
		} else {
			s.name = own
		}
	}
	if s.start == 0 {
		s.start = number(e, dwarf.AttrDeclLine)
	}
	if depth == 0 || s.name != "" && s.start != 0 {
		return
	}
	for _, a := range []dwarf.Attr{dwarf.AttrAbstractOrigin, dwarf.AttrSpecification} {
		if at, ok := e.Val(a).(dwarf.Offset); ok {
			r := f.dwarf.Reader()
			r.Seek(at)
			if origin, err := r.Next(); err == nil && origin != nil {
				f.describe(s, origin, depth-1)
			}
		}
	}
}
