package store

import (
	"encoding/binary"
	"fmt"
	"math"

	"whorl/tracer"
)

// blockHead is the fixed part at the beginning of an event block.
const blockHead = 40

// A blockInfo is the head of an event block: everything but its columns.
type blockInfo struct {
	stream   uint32
	count    uint32
	first    uint64 // index of the first event in its stream
	from, to int64  // smallest and largest time of the stream's clock
	kinds    tracer.KindSet
}

// appendBlock appends the payload of an event block with the given 1 to maxRows rows, and adds them to counts.
func (e *encoder) appendBlock(b []byte, stream uint32, first uint64, rows []tracer.Event, counts *[256]int64) ([]byte, blockInfo) {
	if cap(e.numbers) < len(rows) {
		e.numbers = make([]uint64, len(rows))
	}
	info := blockInfo{stream: stream, count: uint32(len(rows)), first: first, from: math.MaxInt64, to: math.MinInt64}
	var mine [4][256]int64 // four tables, because two successive increments of one counter stall
	for i := range rows {
		t := rows[i].Time
		info.from, info.to = min(info.from, t), max(info.to, t)
		mine[i&3][rows[i].Kind]++
	}
	present := 0
	for k := range mine[0] {
		mine[0][k] += mine[1][k] + mine[2][k] + mine[3][k]
		if n := mine[0][k]; n > 0 {
			present++
			counts[k] += n
			info.kinds |= tracer.Kinds(tracer.Kind(k))
		}
	}
	b = info.appendHead(b)
	b = append(b, uint8(present-1))
	for k, n := range mine[0] {
		if n > 0 {
			b = binary.AppendUvarint(append(b, uint8(k)), uint64(n))
		}
	}
	var columns [numColumns]column
	e.data = e.data[:0]
	for id := range columns {
		c := &columns[id]
		c.id = uint8(id)
		c.prediction = e.choose(c.id, rows)
		numbers, base, width := e.predict(c.id, c.prediction, rows)
		c.base = base
		e.data = pack(e.data, c, numbers, width)
	}
	b = append(b, numColumns)
	for i := range columns {
		b = columns[i].appendHead(b)
	}
	b = append(b, e.data...)
	return append(b, make([]byte, pad)...), info
}

func (i *blockInfo) appendHead(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(le.AppendUint32(b, i.stream), i.count)
	b = le.AppendUint64(b, i.first)
	b = le.AppendUint64(le.AppendUint64(b, uint64(i.from)), uint64(i.to))
	return le.AppendUint64(b, uint64(i.kinds))
}

func (c *column) appendHead(b []byte) []byte {
	b = append(b, c.id, c.prediction, c.packing)
	b = binary.AppendUvarint(b, fold(c.base))
	if c.packing == packBits {
		b = append(b, c.width)
	} else {
		b = append(b, c.sizes[:]...)
	}
	return binary.AppendUvarint(b, uint64(c.size))
}

// parseBlock reads the fixed part of an event block and adds its counts by kind to counts. It returns the rest of the block.
func parseBlock(b []byte, counts *[256]int64) (info blockInfo, rest []byte, err error) {
	if len(b) < blockHead+2+pad {
		return info, nil, fmt.Errorf("the event block has %d bytes, fewer than its head", len(b))
	}
	le := binary.LittleEndian
	info = blockInfo{
		stream: le.Uint32(b), count: le.Uint32(b[4:]), first: le.Uint64(b[8:]),
		from: int64(le.Uint64(b[16:])), to: int64(le.Uint64(b[24:])), kinds: tracer.KindSet(le.Uint64(b[32:])),
	}
	if info.count == 0 || info.count > maxRows {
		return info, nil, fmt.Errorf("the event block claims %d events; expected 1 to %d", info.count, maxRows)
	}
	n, b := int(b[blockHead])+1, b[blockHead+1:]
	sum := uint64(0)
	for range n {
		if len(b) == 0 {
			return info, nil, fmt.Errorf("the counts by kind are truncated")
		}
		kind := tracer.Kind(b[0])
		count, size := binary.Uvarint(b[1:])
		if sum += count; size <= 0 || count > maxRows || sum > uint64(info.count) || !info.kinds.Contains(kind) {
			return info, nil, fmt.Errorf("the count of kind %d is wrong", kind)
		}
		counts[kind] += int64(count)
		b = b[1+size:]
	}
	if sum != uint64(info.count) {
		return info, nil, fmt.Errorf("the counts by kind add up to %d of %d events", sum, info.count)
	}
	return info, b, nil
}

// A decoder decodes event blocks. It reuses its memory from block to block.
type decoder struct {
	columns [numColumns]columnReader
	have    [numColumns]bool
	left    int // events still to decode
	u       [chunkRows]uint64
}

// begin opens the columns of a block; b is the rest that parseBlock returned.
func (d *decoder) begin(b []byte, count int) error {
	if len(b) == 0 {
		return fmt.Errorf("the columns are missing")
	}
	n := int(b[0])
	b = b[1:]
	var heads [256]column
	for i := range heads[:n] {
		var err error
		if heads[i], b, err = parseColumn(b); err != nil {
			return err
		}
	}
	d.left, d.have = count, [numColumns]bool{}
	for i := range heads[:n] {
		c := &heads[i]
		if c.size > len(b)-pad {
			return fmt.Errorf("column %d claims %d bytes, but %d are left", c.id, c.size, max(0, len(b)-pad))
		}
		c.data = b
		b = b[c.size:]
		if c.id >= numColumns {
			continue // of a later version
		}
		if d.have[c.id] {
			return fmt.Errorf("column %d is repeated", c.id)
		}
		if c.prediction >= numPredictions || c.packing >= numPackings {
			return fmt.Errorf("column %d has the unknown prediction %d or packing %d", c.id, c.prediction, c.packing)
		}
		if c.id < firstFor[c.prediction] {
			return fmt.Errorf("column %d has prediction %d, which needs a later column", c.id, c.prediction)
		}
		d.have[c.id] = true
		if err := d.columns[c.id].begin(*c, count); err != nil {
			return err
		}
	}
	for id, have := range d.have {
		if !have {
			return fmt.Errorf("column %d is missing", id)
		}
	}
	return nil
}

func parseColumn(b []byte) (c column, rest []byte, err error) {
	bad := fmt.Errorf("the list of columns is truncated")
	if len(b) < 5 {
		return c, nil, bad
	}
	c = column{id: b[0], prediction: b[1], packing: b[2]}
	base, n := binary.Uvarint(b[3:])
	if n <= 0 {
		return c, nil, bad
	}
	c.base = unfold(base)
	b = b[3+n:]
	head := 1
	if c.packing != packBits {
		head = 4
	}
	if len(b) < head {
		return c, nil, bad
	}
	c.width = b[0]
	if head == 4 {
		c.sizes = [4]uint8(b)
	}
	size, n := binary.Uvarint(b[head:])
	if n <= 0 || size > math.MaxInt32 {
		return c, nil, bad
	}
	c.size = int(size)
	return c, b[head+n:], nil
}

// next decodes up to min(len(es), chunkRows) further events and returns their number, 0 at the end of the block. It decodes the wanted
// columns, which must include those that predict them (see needed); the other fields are undefined.
func (d *decoder) next(es []tracer.Event, want Columns) int {
	n := min(len(es), chunkRows, d.left)
	if n == 0 {
		return 0
	}
	d.left -= n
	for id := range d.columns {
		if want>>id&1 != 0 {
			d.columns[id].next(es[:n], d.u[:])
		}
	}
	return n
}

// needed returns the wanted columns and those that predict them in this block.
func (d *decoder) needed(want Columns) Columns {
	for id := numColumns - 1; id >= 0; id-- {
		if want>>id&1 == 0 {
			continue
		}
		switch d.columns[id].prediction {
		case predLane:
			want |= 1<<colPE | 1<<colTask
		case predTask:
			want |= 1 << colTask
		case predPE:
			want |= 1 << colPE
		}
	}
	return want
}

// Columns is a set of the fields of an event.
type Columns uint8

// The columns of a trace.
const (
	Kind Columns = 1 << iota
	PE
	Time
	Task
	Ref
	Peer
	Code
	Value
	AllColumns Columns = 1<<iota - 1
)
