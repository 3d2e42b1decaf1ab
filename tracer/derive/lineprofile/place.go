package lineprofile

import (
	"cmp"
	"slices"
	"strings"

	"whorl/internal/numbering"
	"whorl/tracer"
)

// A File is a source file.
type File struct {
	Name   string
	Source int   // index in Meta.Source, -1 if the trace does not hold the text
	Lines  int32 // number of lines of the text, or the last known line
	Bare   bool  // not a real file: it has a line for each function without a known line and file, most ticks first
}

// A Function is a procedure of the program: an FGHC procedure, a Go function, a unit of an HPF program.
type Function struct {
	Code        uint32 // its entry in the trace
	Name        string
	File        int32 // index in Files, -1 if unknown
	First, Last int32 // lines, from 1; 0 and 0 if unknown
}

// A Line is a line of a file.
type Line struct {
	File int32 // index in Files
	Line int32 // from 1
}

func (l Line) compare(m Line) int {
	return cmp.Or(cmp.Compare(l.File, m.File), cmp.Compare(l.Line, m.Line))
}

// places maps codes to lines, functions and instructions.
type places struct {
	bare         []bool // by function: it has no known line; nil if all functions have one
	line         []Line // by code; Line is 0 if unknown
	function     []int32
	lines        []Line   // all known lines, ascending
	instructions []uint32 // by function, in the order of each function
	rank         [3][]int32
	byPlace      []int32 // functions with known lines, by file and first line
}

// locate finds the place of each code. Ranks are the indices of its line, its function and its instruction, -1 for none.
func (p *Profile) locate(src tracer.Source) {
	var files numbering.List[string]
	file := func(name string) int32 {
		k := files.Number(name)
		if int(k) == len(p.Files) {
			p.Files = append(p.Files, File{Name: name, Source: -1})
		}
		return k
	}
	for i, s := range src.Meta().Source {
		if k := file(s.Name); p.Files[k].Source < 0 {
			p.Files[k].Source, p.Files[k].Lines = i, int32(strings.Count(strings.TrimSuffix(s.Text, "\n"), "\n")+1)
		}
	}
	n := len(p.codes)
	p.line, p.function = make([]Line, n), make([]int32, n)
	for g := range p.rank {
		p.rank[g] = slices.Repeat([]int32{-1}, n)
	}
	lastName, last := "", int32(-1)
	for i := range p.codes {
		c := &p.codes[i]
		p.function[i] = -1
		if c.Parent > 0 && int(c.Parent) < i && c.Type != tracer.Function && c.Type != tracer.Procedure {
			p.line[i], p.function[i] = p.line[c.Parent], p.function[c.Parent]
			if t := p.codes[c.Parent].Type; c.Type == tracer.Instruction && t != tracer.Line && t != tracer.Instruction {
				p.line[i] = Line{} // the first line of the function is not the line of the instruction
			}
		}
		f := int32(-1)
		if c.File != "" {
			if last < 0 || c.File != lastName {
				lastName, last = c.File, file(c.File)
			}
			f = last
			if c.Line > 0 && c.Type != tracer.Instruction {
				p.line[i] = Line{f, c.Line}
				if p.Files[f].Source < 0 {
					p.Files[f].Lines = max(p.Files[f].Lines, c.Line)
				}
			}
		}
		switch c.Type {
		case tracer.Function, tracer.Procedure:
			p.function[i] = int32(len(p.Functions))
			p.rank[ByFunction][i] = p.function[i]
			p.Functions = append(p.Functions, Function{Code: uint32(i), Name: c.Name, File: f})
		case tracer.Instruction:
			p.instructions = append(p.instructions, uint32(i))
			fallthrough
		default:
			p.rank[ByFunction][i] = p.function[i]
		}
	}
	if src.Counts()[tracer.Sample] > 0 {
		p.bareFunctions()
	}
	p.rankLines()
	slices.SortStableFunc(p.instructions, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(p.function[a], p.function[b]), cmp.Compare(p.codes[a].Line, p.codes[b].Line))
	})
	for k, c := range p.instructions {
		p.rank[ByInstruction][c] = int32(k)
	}
	p.stretch()
}

// bareFunctions gives functions without known lines a place for their samples: their first line if it is known, otherwise a line of the bare
// file.
func (p *Profile) bareFunctions() {
	lined := make([]bool, len(p.Functions))
	for c, l := range p.line {
		if f := p.function[c]; f >= 0 && l.Line > 0 && p.Functions[f].Code != uint32(c) {
			lined[f] = true
		}
	}
	p.bare = make([]bool, len(p.Functions))
	var without []int32
	for f := range p.Functions {
		switch c := &p.codes[p.Functions[f].Code]; {
		case lined[f] || c.Type != tracer.Function:
		case c.File != "" && c.Line > 0:
			p.bare[f] = true
		default:
			p.bare[f] = true
			without = append(without, int32(f))
		}
	}
	if len(without) > 0 {
		ticks := p.sampledIn()
		slices.SortStableFunc(without, func(a, b int32) int {
			return cmp.Or(cmp.Compare(ticks[b], ticks[a]), cmp.Compare(p.Functions[a].Name, p.Functions[b].Name))
		})
		k := int32(len(p.Files))
		p.Files = append(p.Files, File{Name: "functions without lines", Source: -1, Lines: int32(len(without)), Bare: true})
		for i, f := range without {
			p.Functions[f].File = k
			p.line[p.Functions[f].Code] = Line{k, int32(i + 1)}
		}
	}
	for c := range p.line { // instructions have the place of their function
		if f := p.function[c]; f >= 0 && p.bare[f] {
			p.line[c] = p.line[p.Functions[f].Code]
		}
	}
}

// sampledIn returns the exclusive value of the first metric for each function.
func (p *Profile) sampledIn() []int64 {
	ticks := make([]int64, len(p.Functions))
	if len(p.series) == 0 || p.series[0].kind != tracer.Sample {
		return ticks
	}
	s := &p.series[0]
	for k, n := range s.sums() {
		if c := p.contexts[s.site[k]].Code; int(c) < len(p.function) && p.function[c] >= 0 {
			ticks[p.function[c]] += n
		}
	}
	return ticks
}

func (p *Profile) rankLines() {
	for _, l := range p.line {
		if l.Line > 0 {
			p.lines = append(p.lines, l)
		}
	}
	slices.SortFunc(p.lines, Line.compare)
	p.lines = slices.Compact(p.lines)
	for c, l := range p.line {
		if l.Line > 0 {
			k, _ := slices.BinarySearchFunc(p.lines, l, Line.compare)
			p.rank[ByLine][c] = int32(k)
		}
	}
}

// stretch finds the lines of each function: as many as its entry states, otherwise up to the next function of the file. A procedure without
// clauses in a program with clauses is a builtin, and has the line of its call.
func (p *Profile) stretch() {
	clauses, has := false, make([]bool, len(p.Functions))
	first := make([]int32, len(p.Functions)) // line in the function's file, 0 for none
	for c, l := range p.line {
		if f := p.function[c]; f >= 0 && l.Line > 0 && l.File == p.Functions[f].File && (first[f] == 0 || l.Line < first[f]) {
			first[f] = l.Line
		}
	}
	for i := range p.codes {
		if p.codes[i].Type == tracer.Clause && p.function[i] >= 0 {
			clauses, has[p.function[i]] = true, true
		}
	}
	for i := range p.Functions {
		f := &p.Functions[i]
		c := &p.codes[f.Code]
		f.First = p.line[f.Code].Line
		if f.First < 1 && f.File >= 0 { // the known lines
			f.First = first[i]
		}
		if f.File < 0 || f.First < 1 {
			f.First = 0
			continue
		}
		f.Last = f.First
		if c.Type == tracer.Function || !clauses || has[i] {
			p.byPlace = append(p.byPlace, int32(i))
		}
	}
	slices.SortStableFunc(p.byPlace, func(a, b int32) int {
		f, g := &p.Functions[a], &p.Functions[b]
		return cmp.Or(cmp.Compare(f.File, g.File), cmp.Compare(f.First, g.First))
	})
	for k := len(p.byPlace) - 1; k >= 0; k-- {
		f := &p.Functions[p.byPlace[k]]
		f.Last = max(p.Files[f.File].Lines, f.First)
		if p.Files[f.File].Bare {
			f.Last = f.First
			continue
		}
		if n := p.codes[f.Code].Children; n > 0 && n <= f.Last-f.First {
			f.Last = f.First + n - 1
			continue
		}
		for _, j := range p.byPlace[k+1:] {
			if g := &p.Functions[j]; g.File != f.File || g.First > f.First {
				if g.File == f.File {
					f.Last = g.First - 1
				}
				break
			}
		}
	}
	for c, l := range p.line { // a line in the entry itself takes precedence
		if f := p.function[c]; f >= 0 && l.Line > 0 {
			if g := &p.Functions[f]; g.First > 0 && g.File == l.File {
				g.Last = max(g.Last, l.Line)
			}
		}
	}
}

// LineOf returns the line of a code, false if it is unknown.
func (p *Profile) LineOf(code uint32) (Line, bool) {
	if int(code) >= len(p.line) || p.line[code].Line == 0 {
		return Line{}, false
	}
	return p.line[code], true
}

// Function returns the index in Functions of a code's function, -1 if it is unknown.
func (p *Profile) Function(code uint32) int32 {
	if int(code) >= len(p.function) {
		return -1
	}
	return p.function[code]
}

// FunctionAt returns the index in Functions of the innermost function that holds a line, -1 for none.
func (p *Profile) FunctionAt(l Line) int32 {
	k, _ := slices.BinarySearchFunc(p.byPlace, l, func(i int32, l Line) int {
		f := &p.Functions[i]
		if c := (Line{f.File, f.First}).compare(l); c != 0 {
			return c
		}
		return -1
	})
	for k--; k >= 0; k-- {
		f := &p.Functions[p.byPlace[k]]
		if f.File != l.File {
			break
		}
		if l.Line <= f.Last {
			return p.byPlace[k]
		}
	}
	return -1
}

// CodeLines returns the lines of a file with code, ascending.
func (p *Profile) CodeLines(file int32) []Line {
	find := func(l Line) int {
		k, _ := slices.BinarySearchFunc(p.lines, l, Line.compare)
		return k
	}
	return p.lines[find(Line{File: file}):find(Line{File: file + 1})]
}

// Instructions returns the codes of all instructions of the lines from first to last of a file, in the order of the program.
func (p *Profile) Instructions(file, first, last int32) []uint32 {
	var codes []uint32
	for _, c := range p.instructions {
		if l := p.line[c]; l.File == file && first <= l.Line && l.Line <= last {
			codes = append(codes, c)
		}
	}
	return codes
}
