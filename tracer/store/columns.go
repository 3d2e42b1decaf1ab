package store

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"whorl/tracer"
)

// An event block holds its events as columns. Each column is encoded in two steps chosen for it: a prediction, which makes its numbers
// small, and a packing.

// Columns in the order of the file: a column comes before those that it predicts.
const (
	colKind = iota
	colPE
	colTime
	colTask
	colRef
	colPeer
	colCode
	colValue
	numColumns
)

// Predictions. The number stored for the value v is:
const (
	predNone     = iota // v - base, where base is the smallest v
	predPrevious        // v - previous v; the one before the first is base
	predZigzag          // v - previous v, signs folded: 0 -1 1 -2 2 ... become 0 1 2 3 4 ...; the one before the first is base
	predLane            // v - Task of the last event with the same PE modulo 256, signs folded; the one before the first is base
	predTask            // v - Task of the same event, signs folded
	predPE              // v - PE of the same event, signs folded
	numPredictions
)

// firstFor is the first column to which a prediction applies: the columns that it reads come before.
var firstFor = [numPredictions]uint8{predLane: colTask, predTask: colTask + 1, predPE: colPE + 1}

// Packings.
const (
	packBits  = iota // every number has the same number of bits, 0 to 57, low bits first
	packBytes        // every number has one of four lengths in bytes, chosen by two bits, for four numbers in a byte, low bits first; then come the bytes
	numPackings
)

const (
	lanes     = 256
	maxRows   = 1 << 16 // events in a block
	chunkRows = 512     // events decoded together, one column after the other, within the first-level cache
	pad       = 8       // zero bytes after the last column, so that a load of eight bytes stays within the block
)

func fold(d uint64) uint64   { return d<<1 ^ uint64(int64(d)>>63) }
func unfold(u uint64) uint64 { return u>>1 ^ -(u & 1) }

// An encoder encodes event blocks. It reuses its memory from block to block.
type encoder struct {
	numbers []uint64
	last    [lanes]uint64
	data    []byte
}

// A column describes a column of a block: prediction, base, packing, and the number of bits or bytes of its numbers.
type column struct {
	id, prediction, packing uint8
	base                    uint64
	width                   uint8    // packBits
	sizes                   [4]uint8 // packBytes
	data                    []byte   // the column and the rest of the block
	size                    int      // of the column alone
}

// predictions to try for each column.
var candidates = [numColumns][]uint8{
	colKind:  {predNone},
	colPE:    {predNone},
	colTime:  {predPrevious},
	colTask:  {predZigzag, predLane},
	colRef:   {predTask, predLane, predZigzag},
	colPeer:  {predNone, predPE},
	colCode:  {predNone},
	colValue: {predNone, predZigzag},
}

// choose returns the prediction that needs the fewest bits on a sample of the rows.
func (e *encoder) choose(id uint8, rows []tracer.Event) uint8 {
	cs := candidates[id]
	if len(cs) == 1 {
		return cs[0]
	}
	sample := rows[:min(len(rows), 256)]
	best, least := cs[0], 1<<30
	for _, p := range cs {
		numbers, base, width := e.predict(id, p, sample)
		if p != predNone {
			base = 0 // already subtracted
		}
		sum := 2 * len(numbers)
		for _, u := range numbers {
			sum += (bits.Len64(u-base) + 7) &^ 7
		}
		sum = min(sum, width*len(numbers))
		if sum < least {
			best, least = p, sum
		}
	}
	return best
}

// predict returns the numbers of a column after its prediction, the base, and the number of bits of the largest number. With predNone, pack
// subtracts the base.
func (e *encoder) predict(id, prediction uint8, rows []tracer.Event) (u []uint64, base uint64, width int) {
	u = e.numbers[:len(rows)]
	least, most := load(u, id, rows)
	if prediction == predNone {
		return u, uint64(least), bits.Len64(uint64(most) - uint64(least))
	}
	or := uint64(0)
	switch prediction {
	case predPrevious:
		base = u[0]
		before := base
		for i, v := range u {
			d := v - before
			before, u[i], or = v, d, or|d
		}
	case predZigzag:
		base = u[0]
		before := base
		for i, v := range u {
			d := fold(v - before)
			before, u[i], or = v, d, or|d
		}
	case predLane:
		base = rows[0].Task
		for i := range e.last {
			e.last[i] = base
		}
		for i, v := range u {
			lane := &e.last[uint8(rows[i].PE)]
			d := fold(v - *lane)
			*lane, u[i], or = rows[i].Task, d, or|d
		}
	case predTask:
		for i, v := range u {
			d := fold(v - rows[i].Task)
			u[i], or = d, or|d
		}
	case predPE:
		for i, v := range u {
			d := fold(v - uint64(int64(rows[i].PE)))
			u[i], or = d, or|d
		}
	}
	return u, base, bits.Len64(or)
}

// load copies a column out of the rows and returns its smallest and largest number as signed numbers.
func load(u []uint64, id uint8, rows []tracer.Event) (least, most int64) {
	rows = rows[:len(u)]
	least, most = math.MaxInt64, math.MinInt64
	switch id {
	case colKind:
		for i := range rows {
			v := int64(rows[i].Kind)
			u[i], least, most = uint64(v), min(least, v), max(most, v)
		}
	case colPE:
		for i := range rows {
			v := int64(rows[i].PE)
			u[i], least, most = uint64(v), min(least, v), max(most, v)
		}
	case colTime:
		for i := range rows {
			u[i] = uint64(rows[i].Time)
		}
	case colTask:
		for i := range rows {
			u[i] = rows[i].Task
		}
	case colRef:
		for i := range rows {
			u[i] = rows[i].Ref
		}
	case colPeer:
		for i := range rows {
			v := int64(rows[i].Peer)
			u[i], least, most = uint64(v), min(least, v), max(most, v)
		}
	case colCode:
		for i := range rows {
			v := int64(rows[i].Code)
			u[i], least, most = uint64(v), min(least, v), max(most, v)
		}
	case colValue:
		for i := range rows {
			v := rows[i].Value
			u[i], least, most = uint64(v), min(least, v), max(most, v)
		}
	}
	return least, most
}

// pack appends the numbers of a column with the given prediction, base and bits of the largest number, and sets its packing.
func pack(b []byte, c *column, u []uint64, width int) []byte {
	base := uint64(0)
	if c.prediction == predNone {
		base = c.base
	}
	start := len(b)
	if width <= 8 {
		c.packing, c.width = packBits, uint8(width)
		b = packInOctets(b, width, u, base)
	} else if sizes, total := chooseSizes(u, base, width); width > maxBits || total < len(u)*width/8 {
		c.packing, c.sizes = packBytes, sizes
		b = packInBytes(b, &c.sizes, u, base)
	} else {
		c.packing, c.width = packBits, uint8(width)
		b = packInBits(b, width, u, base)
	}
	c.size = len(b) - start
	return b
}

// chooseSizes returns the four lengths in bytes, ascending and with room for width bits, that pack a sample of the numbers into the fewest
// bytes, and an estimate of the bytes for all numbers.
func chooseSizes(u []uint64, base uint64, width int) (sizes [4]uint8, total int) {
	var upTo [9]int // by length in bytes: numbers of the sample that are no longer
	for i := 0; i < len(u); i += 16 {
		upTo[(bits.Len64(u[i]-base)+7)>>3]++
	}
	for n := range 8 {
		upTo[n+1] += upTo[n]
	}
	most := (width + 7) / 8
	total = math.MaxInt
	for a := 0; a <= most; a++ {
		for b := a; b <= most; b++ {
			for c := b; c <= most; c++ {
				sum := a*upTo[a] + b*(upTo[b]-upTo[a]) + c*(upTo[c]-upTo[b]) + most*(upTo[most]-upTo[c])
				if sum < total {
					sizes, total = [4]uint8{uint8(a), uint8(b), uint8(c), uint8(most)}, sum
				}
			}
		}
	}
	return sizes, total*len(u)/upTo[8] + len(u)/4
}

// packInOctets packs numbers of at most eight bits. Eight numbers fill a whole number of bytes.
func packInOctets(b []byte, width int, u []uint64, base uint64) []byte {
	n := len(b)
	size := (len(u)*width + 7) / 8
	b = slices.Grow(b, size+8)[:n+size+8]
	out := b[n:]
	w := uint(width)
	for len(u) >= 8 {
		g := (*[8]uint64)(u)
		low := g[0] - base | (g[1]-base)<<(w&63) | (g[2]-base)<<(2*w&63) | (g[3]-base)<<(3*w&63)
		high := g[4] - base | (g[5]-base)<<(w&63) | (g[6]-base)<<(2*w&63) | (g[7]-base)<<(3*w&63)
		binary.LittleEndian.PutUint64(out, low|high<<(4*w&63))
		out, u = out[width:], u[8:]
	}
	acc := uint64(0)
	for i, v := range u {
		acc |= (v - base) << (uint(i) * w)
	}
	binary.LittleEndian.PutUint64(out, acc)
	return b[:n+size]
}

// maxBits is the largest width that packInBits accepts: together with up to 7 remaining bits it fits into a word.
const maxBits = 56

// packInBits packs numbers of at most maxBits bits.
func packInBits(b []byte, width int, u []uint64, base uint64) []byte {
	n := len(b)
	size := (len(u)*width + 7) / 8
	b = slices.Grow(b, size+16)[:n+size+16]
	out := b[n:]
	acc, have, at := uint64(0), 0, 0
	for _, v := range u {
		acc |= (v - base) << (have & 63)
		binary.LittleEndian.PutUint64(out[at:], acc)
		have += width
		at += have >> 3
		acc >>= have & 56
		have &= 7
	}
	binary.LittleEndian.PutUint64(out[at:], acc)
	return b[:n+size]
}

func packInBytes(b []byte, sizes *[4]uint8, u []uint64, base uint64) []byte {
	var choice [65]uint8 // by the bits of a number
	for n := range choice {
		for choice[n] < 3 && 8*int(sizes[choice[n]]) < n {
			choice[n]++
		}
	}
	n, controls := len(b), (len(u)+3)/4
	b = slices.Grow(b, controls+8*len(u)+8)[:n+controls+8*len(u)+8]
	control, out := b[n:n+controls], b[n+controls:]
	at := 0
	for i := range control {
		bits4 := uint8(0)
		for j, v := range u[4*i : min(4*i+4, len(u))] {
			k := choice[bits.Len64(v-base)] & 3
			bits4 |= k << (2 * j & 7)
			binary.LittleEndian.PutUint64(out[at:], v-base)
			at += int(sizes[k])
		}
		control[i] = bits4
	}
	return b[:n+controls+at]
}
