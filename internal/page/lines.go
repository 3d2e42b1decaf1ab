package main

import (
	"bytes"
	"encoding/binary"
	"errors"
)

var errLines = errors.New("the table of functions has another form than in Go 1.20 to 1.26")

// The table of functions as the linker writes it for 64-bit targets: a header, then names, units of compilation,
// files, tables by pc, and functions. See type pcHeader in runtime/symtab.go and _func in runtime/runtime2.go.
const (
	headerStart = "\xf1\xff\xff\xff\x00\x00\x01\x08" // magic number, two zeros, length of an instruction, size of a pointer
	headerSize  = len(headerStart) + 8*8

	// Offsets within the record of a function.
	recordStack  = 16
	recordFile   = 20
	recordLine   = 24
	recordTables = 28 // number of further tables by pc, whose offsets follow the record
	recordSize   = 44
)

// withoutLines removes the files and line numbers of all functions from a module's memory. They take a tenth of the
// packed page. The stack of a panic still names its functions. Memory without a table of functions stays as it is.
func withoutLines(segments []segment) error {
	for _, p := range segments {
		if start := bytes.Index(p.bytes, []byte(headerStart)); start >= 0 {
			return dropLines(p.bytes[start:])
		}
	}
	return nil
}

// dropLines clears files and line numbers in memory that begins with the header of a table of functions.
func dropLines(memory []byte) error {
	if len(memory) < headerSize {
		return errLines
	}
	header := func(i int) int { return int(min(binary.LittleEndian.Uint64(memory[8*i:]), 1<<32)) }
	count, units, byPC, functions := header(1), header(5), header(7), header(8)
	if units > byPC || byPC > functions || functions > len(memory) || count > (len(memory)-functions)/8 {
		return errLines
	}
	tables, index := memory[byPC:functions], memory[functions:]
	kept := make([]byte, len(tables))
	for i := range count {
		record := index[min(int(binary.LittleEndian.Uint32(index[8*i+4:])), len(index)):]
		if len(record) < recordSize {
			return errLines
		}
		field := func(offset int) int { return int(binary.LittleEndian.Uint32(record[offset:])) }
		n := field(recordTables)
		if n > (len(record)-recordSize)/4 {
			return errLines
		}
		keep := func(table int) bool {
			end, ok := tableEnd(tables, table)
			if ok {
				copy(kept[table:end], tables[table:end])
			}
			return ok
		}
		ok := keep(field(recordStack))
		for j := range n {
			ok = ok && keep(field(recordSize+4*j))
		}
		if !ok {
			return errLines
		}
		clear(record[recordFile:recordTables])
	}
	clear(memory[units:byPC])
	copy(tables, kept)
	return nil
}

// tableEnd returns the end of the table by pc at an offset. The table consists of pairs of a value's change and a
// number of bytes; a change of zero ends it, except at the start. Offset zero means no table.
func tableEnd(tables []byte, offset int) (end int, ok bool) {
	if offset == 0 {
		return 0, true
	}
	r := reader{bytes: tables[min(offset, len(tables)):]}
	for change, first := r.uleb(), true; change != 0 || first; change, first = r.uleb(), false {
		r.uleb()
	}
	return len(tables) - len(r.bytes), !r.failed
}
