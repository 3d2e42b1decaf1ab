package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"

	"whorl/tracer"
)

// parse reads everything but the events. With salvage, it verifies all blocks and leaves out damaged ones of events.
func parse(data []byte, tails map[uint32][]tail, why string, salvage bool) (*File, error) {
	if err := checkHeader(data); err != nil {
		return nil, err
	}
	p := parser{f: &File{data: data}, salvage: salvage}
	return p.file(tails, why)
}

// file reads a file whose header is right.
func (p *parser) file(tails map[uint32][]tail, why string) (*File, error) {
	p.f.dict = &tracer.Dict{}
	p.head = tracer.Head{Dict: p.f.dict, Lenient: true}
	entries, counts, ok := []indexEntry(nil), [256]int64{}, false
	if !p.salvage {
		entries, counts, ok = p.index()
	}
	switch {
	case ok:
		p.f.counts = counts
	case p.f.remote != nil:
		return nil, ErrNoIndex
	default:
		var err error
		if entries, err = p.walk(); err != nil {
			return nil, err
		}
	}
	if err := p.readBlocks(entries); err != nil {
		return nil, err
	}
	f := p.f
	if f.missing.Blocks > 0 {
		f.states, f.summary = nil, nil // they count the events that are left out
		if _, all, ok := p.index(); ok {
			f.missing.Lost = 0
			for k, n := range all {
				f.missing.Lost += n - f.counts[k]
			}
		}
	}
	f.streams = p.head.Streams
	f.blocks = append(f.blocks, make([][]eventBlock, max(0, len(f.streams)-len(f.blocks)))...)
	f.tails = make([][]tail, len(f.streams))
	if f.missing.Unclosed {
		f.missing.Ring = why
		f.join(tails)
	}
	return f, nil
}

// checkHeader verifies the header. A truncated header is valid: the process died at once.
func checkHeader(data []byte) error {
	n := min(len(data), len(fileMark))
	if string(data[:n]) != fileMark[:n] {
		return &ForeignError{looksLike(data)}
	}
	if len(data) < headSize {
		return nil
	}
	if v := binary.LittleEndian.Uint16(data[8:]); v > fileVersion {
		return &DamageError{-1, 0, fmt.Sprintf("the file has version %d; this program reads up to version %d", v, fileVersion)}
	}
	if sum, want := crc32.Checksum(data[:headSize-4], castagnoli), binary.LittleEndian.Uint32(data[headSize-4:]); sum != want {
		return &DamageError{-1, 0, fmt.Sprintf("its checksum is %08x, but its bytes give %08x", want, sum)}
	}
	return nil
}

// A parser builds a File from its blocks.
type parser struct {
	f       *File
	head    tracer.Head
	entries entries // of the last block, for the memory
	salvage bool
}

// index returns the blocks listed in the index of a closed file, false if there is no whole index.
func (p *parser) index() (entries []indexEntry, counts [256]int64, ok bool) {
	size := p.f.size()
	if size < headSize+endSize {
		return nil, counts, false
	}
	end, err := p.f.bytes(size-endSize, endSize)
	if err != nil {
		return nil, counts, false
	}
	kind, payload, short, err := checkFrame(end)
	if err != nil || short || kind != blockEnd || len(payload) != endSize-frameSize {
		return nil, counts, false
	}
	offset := binary.LittleEndian.Uint64(payload)
	if offset < headSize || offset > uint64(size-endSize) {
		return nil, counts, false
	}
	list, err := p.f.bytes(int64(offset), size-endSize-int64(offset))
	if err != nil {
		return nil, counts, false
	}
	kind, payload, short, err = checkFrame(list)
	if err != nil || short || kind != blockIndex {
		return nil, counts, false
	}
	entries, counts, err = parseIndex(payload, int64(offset))
	return entries, counts, err == nil
}

// walk lists the blocks of a file without an index. With salvage it leaves out damaged blocks of events; other damage ends the list.
func (p *parser) walk() ([]indexEntry, error) {
	f := p.f
	f.missing.Unclosed = true
	var entries []indexEntry
	chain := chain{gaps: p.salvage}
	for at := min(headSize, len(f.data)); at < len(f.data); {
		kind, payload, short, err := checkFrame(f.data[at:])
		if short || err != nil && zeros(f.data[at:]) { // some systems leave zeros where a write was cut
			f.missing.Bytes = int64(len(f.data) - at)
			break
		}
		e := indexEntry{kind: kind, offset: int64(at), size: int64(frameSize + len(payload))}
		if err == nil {
			e.info, err = p.check(&chain, kind, payload)
		}
		if err != nil {
			damage := &DamageError{len(entries), int64(at), err.Error()}
			if !p.salvage {
				return nil, damage
			}
			f.missing.damaged(damage)
			size, ok := skips(f.data[at:])
			if !ok {
				f.missing.Bytes = int64(len(f.data) - at)
				break
			}
			e = indexEntry{kind: blockDamaged, offset: int64(at), size: int64(size)}
		}
		if kind == blockEnd && err == nil {
			f.missing.Unclosed = false
		}
		entries = append(entries, e)
		at += int(e.size)
	}
	f.missing.Lost += chain.lost
	return entries, nil
}

// check verifies the head of a block and, with salvage, its contents.
func (p *parser) check(c *chain, kind uint8, payload []byte) (info blockInfo, err error) {
	if p.salvage {
		switch kind {
		case blockMeta, blockDict, blockEntries:
			return info, p.read(kind, payload)
		case blockEvents:
			var counts [256]int64
			read, rest, err := parseBlock(payload, &counts)
			if err != nil {
				return info, err
			}
			if s := int(read.stream); s >= len(p.head.Streams) {
				return info, fmt.Errorf("it belongs to stream %d of %d", s, len(p.head.Streams))
			}
			var d decoder
			if err := d.begin(rest, int(read.count)); err != nil {
				return info, err
			}
		}
	}
	return c.link(kind, payload, &p.f.counts)
}

// skips returns the size of the damaged block at the beginning of b, false if it may hold more than events or its size is not known.
func skips(b []byte) (size int, ok bool) {
	if len(b) < frameSize || string(b[:len(blockMark)]) != blockMark || slices.Contains([]byte{blockMeta, blockDict, blockEntries}, b[4]) {
		return 0, false
	}
	size = frameSize + int(binary.LittleEndian.Uint32(b[8:]))
	if size > len(b) {
		return 0, false
	}
	next := b[size:]
	n := min(len(next), len(blockMark))
	return size, string(next[:n]) == blockMark[:n]
}

// A chain verifies that the blocks of each stream are consecutive. With gaps, blocks may be missing, and it counts their events.
type chain struct {
	next map[uint32]uint64
	gaps bool
	lost int64
}

// link verifies the head of the next block of the file and adds its events to counts.
func (c *chain) link(kind uint8, payload []byte, counts *[256]int64) (info blockInfo, err error) {
	if kind != blockEvents {
		return info, nil
	}
	if info, _, err = parseBlock(payload, counts); err != nil {
		return info, err
	}
	want := c.next[info.stream]
	if c.gaps && info.first > want && info.first-want < math.MaxInt32 {
		c.lost += int64(info.first - want)
	} else if info.first != want {
		return info, fmt.Errorf("it begins with event %d of stream %d; expected %d", info.first, info.stream, want)
	}
	if c.next == nil {
		c.next = map[uint32]uint64{}
	}
	c.next[info.stream] = info.first + uint64(info.count)
	return info, nil
}

func zeros(b []byte) bool {
	return len(bytes.TrimLeft(b, "\x00")) == 0
}

// readBlocks reads the blocks of lines and of entries and lists the other blocks.
func (p *parser) readBlocks(entries []indexEntry) error {
	p.reserve(entries)
	for number := range entries {
		e := &entries[number]
		var payload []byte
		switch e.kind {
		case blockDamaged:
			continue
		case blockMeta, blockDict, blockEntries:
			if p.salvage { // walk has read it
				continue
			}
			var err error
			if payload, err = p.f.block(restBlock{number, e.kind, e.offset, e.size}); err != nil {
				return err
			}
		case blockEvents, blockSummary:
		default:
			p.f.rest = append(p.f.rest, restBlock{number, e.kind, e.offset, e.size})
		}
		if err := p.one(number, e, payload); err != nil {
			return err
		}
	}
	return nil
}

// reserve makes the lists of event blocks with the lengths that they will have.
func (p *parser) reserve(entries []indexEntry) {
	var lengths []int // by stream
	for i := range entries {
		e := &entries[i]
		if s := int(e.info.stream); e.kind == blockEvents && s < len(entries) { // a stream has a line in some block
			lengths = append(lengths, make([]int, max(0, s+1-len(lengths)))...)
			lengths[s]++
		}
	}
	p.f.blocks = make([][]eventBlock, len(lengths))
	for s, n := range lengths {
		p.f.blocks[s] = make([]eventBlock, 0, n)
	}
}

// one adds a block to the file. payload is nil for an event block that is read later.
func (p *parser) one(number int, e *indexEntry, payload []byte) error {
	f := p.f
	var err error
	switch e.kind {
	case blockMeta, blockDict, blockEntries:
		err = p.read(e.kind, payload)
	case blockEvents:
		if s := int(e.info.stream); s >= len(p.head.Streams) {
			err = fmt.Errorf("it belongs to stream %d of %d", s, len(p.head.Streams))
		} else {
			f.blocks = append(f.blocks, make([][]eventBlock, max(0, s+1-len(f.blocks)))...)
			b := eventBlock{offset: e.offset, number: uint32(number), size: uint32(e.size), info: e.info}
			if payload != nil {
				b.payload = &payload
			}
			f.blocks[s] = append(f.blocks[s], b)
			f.states = nil // they are those of the events before it
		}
	case blockSummary:
		f.summary = &restBlock{number, e.kind, e.offset, e.size}
	case blockStates:
		f.states = &restBlock{number, e.kind, e.offset, e.size}
	}
	if err != nil {
		return &DamageError{number, e.offset, err.Error()}
	}
	return nil
}

// read reads a block of lines of the head or of entries.
func (p *parser) read(kind uint8, payload []byte) error {
	if kind == blockEntries {
		if err := parseEntries(payload, &p.entries); err != nil {
			return err
		}
		return p.entries.addTo(p.head.Dict)
	}
	h := &p.head
	if kind == blockMeta {
		h = &tracer.Head{Dict: &tracer.Dict{}, Lenient: true}
	}
	n := 0
	for line := range strings.Lines(string(payload)) {
		n++
		if err := h.Line(strings.TrimSuffix(line, "\n")); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if kind == blockMeta {
		p.f.meta = h.Meta
	} else if h.Translates() {
		return errors.New("its codes or contexts are not numbered in order")
	}
	return nil
}
