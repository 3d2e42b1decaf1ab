package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"whorl/tracer"
)

// An indexEntry locates a block and, for an event block, holds its head.
type indexEntry struct {
	kind         uint8
	offset, size int64 // of the frame and the payload
	info         blockInfo
}

// endSize is the size of the last block of a closed file: its payload is the offset of the index (uint64) and its number (uint64).
const endSize = frameSize + 16

// end writes the blocks that close a file.
func (w *Writer) end(sums *bucketSums) {
	events := int64(0)
	for _, n := range w.counts {
		events += n
	}
	if events >= summaryFrom {
		w.block(sums.appendPayload(beginFrame(nil, blockSummary)), indexEntry{kind: blockSummary})
	}
	if b, ok := w.states.appendPayload(beginFrame(nil, blockStates), events); ok {
		w.block(b, indexEntry{kind: blockStates})
	}
	index, number := w.size, len(w.index)
	w.block(appendIndex(beginFrame(nil, blockIndex), w.index, &w.counts), indexEntry{kind: blockIndex})
	b := beginFrame(nil, blockEnd)
	b = binary.LittleEndian.AppendUint64(b, uint64(index))
	b = binary.LittleEndian.AppendUint64(b, uint64(number))
	w.block(b, indexEntry{kind: blockEnd})
}

// appendIndex appends the payload of the index: the number of blocks (uvarint); for each block its type (1 byte) and its size with the frame
// (uvarint); for an event block also the stream, the number of events, the smallest time with its sign folded, the largest time minus the
// smallest (uvarint each) and the set of kinds (uint64); then the number of kinds (uvarint), and for each kind its number (1 byte) and the
// number of its events in the file (uvarint).
func appendIndex(b []byte, entries []indexEntry, counts *[256]int64) []byte {
	b = binary.AppendUvarint(b, uint64(len(entries)))
	for i := range entries {
		e := &entries[i]
		b = binary.AppendUvarint(append(b, e.kind), uint64(e.size))
		if e.kind == blockEvents {
			b = binary.AppendUvarint(b, uint64(e.info.stream))
			b = binary.AppendUvarint(b, uint64(e.info.count))
			b = binary.AppendUvarint(b, fold(uint64(e.info.from)))
			b = binary.AppendUvarint(b, uint64(e.info.to)-uint64(e.info.from))
			b = binary.LittleEndian.AppendUint64(b, uint64(e.info.kinds))
		}
	}
	n := uint64(0)
	for _, count := range counts {
		if count > 0 {
			n++
		}
	}
	b = binary.AppendUvarint(b, n)
	for k, count := range counts {
		if count > 0 {
			b = binary.AppendUvarint(append(b, uint8(k)), uint64(count))
		}
	}
	return b
}

// A fieldReader reads the fields of an index. After an error it returns zeros.
type fieldReader struct {
	b   []byte
	bad bool
}

func (r *fieldReader) byte() uint8 {
	if len(r.b) == 0 {
		r.bad = true
		return 0
	}
	v := r.b[0]
	r.b = r.b[1:]
	return v
}

func (r *fieldReader) uvarint(most uint64) uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > most {
		r.bad = true
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *fieldReader) uint64() uint64 {
	if len(r.b) < 8 {
		r.bad = true
		return 0
	}
	v := binary.LittleEndian.Uint64(r.b)
	r.b = r.b[8:]
	return v
}

// parseIndex reads the index at the given offset. Its blocks must fill the file from the header to that offset.
func parseIndex(b []byte, offset int64) (entries []indexEntry, counts [256]int64, err error) {
	bad := errors.New("the index is wrong")
	r := fieldReader{b: b}
	n := r.uvarint(uint64(len(b) / 2)) // an entry has at least two bytes
	firsts := map[uint32]uint64{}
	at := int64(headSize)
	sum := int64(0)
	for range n {
		e := indexEntry{kind: r.byte(), offset: at, size: int64(r.uvarint(maxBlock + frameSize))}
		if e.kind == blockEvents {
			i := &e.info
			i.stream, i.count = uint32(r.uvarint(math.MaxUint32)), uint32(r.uvarint(maxRows))
			i.from = int64(unfold(r.uvarint(math.MaxUint64)))
			i.to = int64(uint64(i.from) + r.uvarint(math.MaxUint64))
			i.kinds = tracer.KindSet(r.uint64())
			i.first = firsts[i.stream]
			firsts[i.stream] += uint64(i.count)
			sum += int64(i.count)
		}
		at += e.size
		if r.bad || e.size < frameSize || at > offset {
			return nil, counts, bad
		}
		entries = append(entries, e)
	}
	kinds := r.uvarint(256)
	for range kinds {
		k := r.byte()
		counts[k] = int64(r.uvarint(math.MaxInt64))
		sum -= counts[k]
	}
	if r.bad || at != offset || sum != 0 {
		return nil, counts, fmt.Errorf("%w: its blocks end at %d, its kinds lack %d events", bad, at, sum)
	}
	return entries, counts, nil
}
