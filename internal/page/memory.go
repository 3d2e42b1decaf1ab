package main

import (
	"encoding/binary"
	"errors"
)

// The linker leaves the zeros in a module's memory out and begins a new piece after each gap of eight, up to 100,000 pieces, most of
// which are two bytes of the table that finds functions. Packed, the heads of such pieces take more than the zeros do.
const gap = 4096 // the fewest zeros between two pieces

// A piece is bytes of memory from an address on.
type piece struct {
	at    uint32
	bytes []byte
}

const dataSection = 11

var errModule = errors.New("not a WebAssembly module as Go's linker writes them")

// memory returns the module with the pieces of its memory joined where few zeros lie between them. It means the same. What the format
// is: WebAssembly Core Specification, section 5.5.
func memory(module []byte) ([]byte, error) {
	if len(module) < 8 || string(module[:8]) != "\x00asm\x01\x00\x00\x00" {
		return nil, errModule
	}
	out := append([]byte(nil), module[:8]...)
	for rest := (reader{bytes: module[8:]}); len(rest.bytes) > 0; {
		id := rest.take(1)
		body := rest.take(int(rest.uleb()))
		if rest.failed {
			return nil, errModule
		}
		if id[0] == dataSection {
			pieces, ok := readPieces(body)
			if !ok {
				return nil, errModule
			}
			body = writePieces(join(pieces))
		}
		out = append(binary.AppendUvarint(append(out, id[0]), uint64(len(body))), body...)
	}
	return out, nil
}

// join returns the pieces with each that begins fewer than gap bytes after the end of the one before made part of it.
func join(pieces []piece) []piece {
	var joined []piece
	for _, p := range pieces {
		if n := len(joined); n > 0 {
			last := &joined[n-1]
			if zeros := int(p.at) - int(last.at) - len(last.bytes); 0 <= zeros && zeros < gap {
				last.bytes = append(append(last.bytes, make([]byte, zeros)...), p.bytes...)
				continue
			}
		}
		joined = append(joined, piece{p.at, append([]byte(nil), p.bytes...)})
	}
	return joined
}

// Opcodes of the expression that gives a piece's address.
const (
	opEnd      = 0x0b
	opI32Const = 0x41
)

func readPieces(body []byte) ([]piece, bool) {
	r := reader{bytes: body}
	var pieces []piece
	for range r.uleb() {
		if flags, op := r.uleb(), r.take(1); r.failed || flags != 0 || op[0] != opI32Const {
			return nil, false
		}
		at := r.sleb()
		if end := r.take(1); r.failed || end[0] != opEnd {
			return nil, false
		}
		bytes := r.take(int(r.uleb()))
		if r.failed {
			return nil, false
		}
		pieces = append(pieces, piece{uint32(at), bytes})
	}
	return pieces, len(r.bytes) == 0 && !r.failed
}

func writePieces(pieces []piece) []byte {
	out := binary.AppendUvarint(nil, uint64(len(pieces)))
	for _, p := range pieces {
		out = append(appendSleb(append(out, 0, opI32Const), int32(p.at)), opEnd)
		out = append(binary.AppendUvarint(out, uint64(len(p.bytes))), p.bytes...)
	}
	return out
}

// reader takes bytes and numbers from the front; one that has asked for more than there is has failed, and gives nothing from then on.
type reader struct {
	bytes  []byte
	failed bool
}

func (r *reader) take(n int) []byte {
	if r.failed || n < 0 || n > len(r.bytes) {
		r.failed = true
		return nil
	}
	taken := r.bytes[:n]
	r.bytes = r.bytes[n:]
	return taken
}

func (r *reader) uleb() uint32 {
	v, n := binary.Uvarint(r.bytes)
	if n <= 0 || v > 1<<32-1 {
		r.failed = true
		return 0
	}
	r.take(n)
	return uint32(v)
}

func (r *reader) sleb() int32 {
	var v int64
	for shift := 0; shift < 35; shift += 7 {
		b := r.take(1)
		if r.failed {
			return 0
		}
		v |= int64(b[0]&0x7f) << shift
		if b[0]&0x80 == 0 {
			if b[0]&0x40 != 0 {
				v |= -1 << (shift + 7)
			}
			return int32(v)
		}
	}
	r.failed = true
	return 0
}

func appendSleb(out []byte, v int32) []byte {
	for {
		b := byte(v & 0x7f)
		v >>= 7
		if v == 0 && b&0x40 == 0 || v == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}
