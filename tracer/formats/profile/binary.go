package profile

import (
	"fmt"
	"sort"

	"whorl/tracer"
)

// Binaries finds the files of programs and libraries.
type Binaries interface {
	// Find returns the file of a module, or nil if there is none. other reports that the file found is from another build.
	Find(m Module) (b Binary, other bool)
}

// A Binary is the file of a program or a library. Addresses are link-time addresses, as recorded in the file.
type Binary interface {
	// Address returns the address of a file offset, and false if the offset is not mapped.
	Address(offset uint64) (uint64, bool)
	// Symbol returns the addresses of a symbol. Several symbols may share a name.
	Symbol(name string) []uint64
	// Holds reports whether there is code at an address.
	Holds(address uint64) bool
	// Lines returns the functions at an address, the innermost inlined function first. It returns none if they are unknown.
	Lines(address uint64) []Line
	// Function returns the instructions of the function around an address, in order. It returns none if they cannot be read.
	Function(address uint64) []Instruction
}

// An Instruction is an instruction of a binary.
type Instruction struct {
	Address uint64
	Text    string
	Lines   []Line // as returned by Binary.Lines
}

// A unit holds the instructions of a function.
type unit struct {
	module       *Module
	instructions []Instruction
	leaf         bool
}

type unitKey struct {
	binary Binary
	start  uint64
}

// A spot is the position of a place in its binary.
type spot struct {
	binary Binary // nil for none
	inside uint64 // an address within the instruction, if there is a binary
	text   string // of the instruction; "" without an address
	index  int32  // of the instruction in its function
}

// locate finds a place in its binary. Without a binary it names the address relative to the module or symbol, if known, so that the name is the
// same in all processes.
func (w *Writer) locate(p *Place) (at spot) {
	if p.Address == 0 {
		return at
	}
	b := w.binary(p.Module)
	address, ok := uint64(0), false
	if b != nil {
		address, ok = within(b, p)
	}
	if !ok {
		at.text = p.outside()
		return at
	}
	at.binary, at.inside = b, address
	if p.Return && address > 0 {
		at.inside--
	}
	at.text = fmt.Sprintf("%x", address)
	u := w.unit(b, at.inside, p.Module)
	i := sort.Search(len(u.instructions), func(i int) bool { return u.instructions[i].Address > at.inside }) - 1
	if i >= 0 {
		at.text, at.index = u.instructions[i].listed(), int32(i+1)
		u.leaf = u.leaf || p.Leaf
	}
	return at
}

// listed formats an instruction as a line of a listing.
func (i *Instruction) listed() string { return fmt.Sprintf("%x  %s", i.Address, i.Text) }

// within returns the address of a place in its binary.
func within(b Binary, p *Place) (uint64, bool) {
	m := p.Module
	if m.Limit > m.Start && p.Address >= m.Start && p.Address < m.Limit {
		if a, ok := b.Address(p.Address - m.Start + m.Offset); ok && b.Holds(a) {
			return a, true
		}
	}
	if p.Symbol != "" {
		const page = 1<<12 - 1 // modules are relocated by whole pages
		for _, s := range b.Symbol(p.Symbol) {
			if a := s + p.Offset; a&page == p.Address&page && b.Holds(a) {
				return a, true
			}
		}
		return 0, false
	}
	return p.Address, b.Holds(p.Address)
}

// outside names an address that has no binary. Position-independent programs and libraries are mapped above low, so their addresses differ
// between processes. Programs below low and the kernel at the top have fixed addresses.
func (p *Place) outside() string {
	const low, kernel = 1 << 32, 1 << 63
	m := p.Module
	switch {
	case p.Address < low || p.Address >= kernel:
	case m != nil && p.Address >= m.Start && p.Address < m.Limit:
		return fmt.Sprintf("%x", p.Address-m.Start+m.Offset)
	case p.Symbol != "" && p.Offset > 0:
		return fmt.Sprintf("%s+0x%x", p.Symbol, p.Offset)
	}
	return fmt.Sprintf("%x", p.Address)
}

// binary returns the file of a module, or nil for none.
func (w *Writer) binary(m *Module) Binary {
	if m == nil || w.opts.Binaries == nil {
		return nil
	}
	key := Module{Path: m.Path, BuildID: m.BuildID}
	b, ok := w.found[key]
	if !ok {
		var other bool
		if b, other = w.opts.Binaries.Find(key); other {
			text := m.Path + " is from another build than the profiled program and was not read"
			if b != nil {
				text = "the binary given for " + m.Path + " is from another build than the profiled program: lines may be wrong"
			}
			w.Dropped.Once(text)
		}
		w.found[key] = b
	}
	return b
}

// unit returns the function around an address. It has no instructions if they cannot be read.
func (w *Writer) unit(b Binary, address uint64, m *Module) *unit {
	all := b.Function(address)
	if len(all) == 0 {
		return &unit{}
	}
	key := unitKey{b, all[0].Address}
	u, ok := w.units[key]
	if !ok {
		u = &unit{module: m, instructions: all}
		w.units[key] = u
		w.touched = append(w.touched, u)
	}
	return u
}

// mostListed bounds the number of listed instructions, so that the profile of a large program stays small.
const mostListed = 1 << 18

// listings adds all instructions of the functions that have samples of their own, so that those without samples are shown too.
func (w *Writer) listings() {
	listed := 0
	for _, u := range w.touched {
		if !u.leaf {
			continue
		}
		if listed += len(u.instructions); listed > mostListed {
			w.Extra("instructions", "some without samples are not listed")
			return
		}
		for i := range u.instructions {
			in := &u.instructions[i]
			line := &Line{}
			if len(in.Lines) > 0 {
				line = &in.Lines[0]
			}
			parent := w.line(line, u.module)
			w.dict.Add(tracer.Code{Type: tracer.Instruction, Name: in.listed(), Line: int32(i + 1), Parent: parent})
		}
	}
}
