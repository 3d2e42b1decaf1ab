package main

import (
	"encoding/binary"
	"errors"
)

// The linker omits runs of eight or more zeros from the module's memory and begins a new data segment after each. A
// module has up to 100,000 segments, most of them two bytes of the function table. Compressed, the headers of such
// segments take more than the zeros.
const gap = 4096 // minimum number of zeros between two segments

// A segment is the initial content of memory from an address on.
type segment struct {
	address uint32
	bytes   []byte
}

const dataSection = 11

var errModule = errors.New("not a WebAssembly module as Go's linker writes them")

// memory joins data segments that have few zeros between them, and removes line numbers (withoutLines) and the hints of fonts (withoutHints). The module
// computes the same. See the WebAssembly Core Specification, section 5.5.
func memory(module []byte) ([]byte, error) {
	if len(module) < 8 || string(module[:8]) != "\x00asm\x01\x00\x00\x00" {
		return nil, errModule
	}
	out := append([]byte(nil), module[:8]...)
	for rest := (reader{bytes: module[8:]}); len(rest.bytes) > 0; {
		id := rest.next(1)
		body := rest.next(int(rest.uleb()))
		if rest.failed {
			return nil, errModule
		}
		if id[0] == dataSection {
			segments, ok := readSegments(body)
			if !ok {
				return nil, errModule
			}
			segments = join(segments)
			if err := errors.Join(withoutLines(segments), withoutHints(segments)); err != nil {
				return nil, err
			}
			body = writeSegments(segments)
		}
		out = append(binary.AppendUvarint(append(out, id[0]), uint64(len(body))), body...)
	}
	return out, nil
}

// join merges each segment that begins less than gap bytes after the previous one into that one.
func join(segments []segment) []segment {
	var joined []segment
	for _, p := range segments {
		if n := len(joined); n > 0 {
			last := &joined[n-1]
			if zeros := int(p.address) - int(last.address) - len(last.bytes); 0 <= zeros && zeros < gap {
				last.bytes = append(append(last.bytes, make([]byte, zeros)...), p.bytes...)
				continue
			}
		}
		joined = append(joined, segment{p.address, append([]byte(nil), p.bytes...)})
	}
	return joined
}

// Opcodes of the expression for a segment's address.
const (
	opEnd      = 0x0b
	opI32Const = 0x41
)

func readSegments(body []byte) ([]segment, bool) {
	r := reader{bytes: body}
	var segments []segment
	for range r.uleb() {
		if flags, op := r.uleb(), r.next(1); r.failed || flags != 0 || op[0] != opI32Const {
			return nil, false
		}
		address := r.sleb()
		if end := r.next(1); r.failed || end[0] != opEnd {
			return nil, false
		}
		bytes := r.next(int(r.uleb()))
		if r.failed {
			return nil, false
		}
		segments = append(segments, segment{uint32(address), bytes})
	}
	return segments, len(r.bytes) == 0 && !r.failed
}

func writeSegments(segments []segment) []byte {
	out := binary.AppendUvarint(nil, uint64(len(segments)))
	for _, p := range segments {
		out = append(appendSleb(append(out, 0, opI32Const), int32(p.address)), opEnd)
		out = append(binary.AppendUvarint(out, uint64(len(p.bytes))), p.bytes...)
	}
	return out
}

// A reader consumes bytes and numbers from the front. After a read past the end it has failed and returns zero
// values.
type reader struct {
	bytes  []byte
	failed bool
}

func (r *reader) next(n int) []byte {
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
	r.next(n)
	return uint32(v)
}

func (r *reader) sleb() int32 {
	var v int64
	for shift := 0; shift < 35; shift += 7 {
		b := r.next(1)
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
