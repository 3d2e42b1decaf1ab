package store

import (
	"encoding/binary"
	"fmt"

	"whorl/tracer"
)

// A columnReader decodes a column in chunks.
type columnReader struct {
	column
	mask    uint64
	masks   [4]uint64
	control []byte // packBytes: the remaining choices of lengths
	bit     int    // packBits: bit offset of the next number
	offset  int    // packBytes: offset of the next number
	last    *[lanes]uint64
}

// begin prepares to decode a column. It checks that the column holds exactly n numbers, so that decoding cannot run out of data.
func (r *columnReader) begin(c column, n int) error {
	*r = columnReader{column: c, last: r.last}
	switch c.packing {
	case packBits:
		if c.width > 57 || c.size != (n*int(c.width)+7)/8 {
			return fmt.Errorf("column %d has %d bytes for %d numbers of %d bits", c.id, c.size, n, c.width)
		}
		r.mask = 1<<c.width - 1
	case packBytes:
		choices := (n + 3) / 4
		if c.size < choices {
			return fmt.Errorf("column %d has %d bytes for %d numbers", c.id, c.size, n)
		}
		var sizes [4]int
		for k, s := range c.sizes {
			if s > 8 {
				return fmt.Errorf("column %d has numbers of %d bytes", c.id, s)
			}
			sizes[k], r.masks[k] = int(s), 1<<(8*s)-1 // 0 - 1 for 8 bytes
		}
		r.control, r.data = c.data[:choices], c.data[choices:]
		total := choices
		for i, c := range r.control {
			left := n - 4*i
			total += sizes[c&3]
			if left > 1 {
				total += sizes[c>>2&3]
			}
			if left > 2 {
				total += sizes[c>>4&3]
			}
			if left > 3 {
				total += sizes[c>>6&3]
			}
		}
		if c.size != total {
			return fmt.Errorf("column %d has %d bytes where its numbers take %d", c.id, c.size, total)
		}
	}
	if c.prediction == predLane {
		if r.last == nil {
			r.last = new([lanes]uint64)
		}
		for i := range r.last {
			r.last[i] = c.base
		}
	}
	return nil
}

// next decodes the next len(es) numbers of the column into the events; u is scratch of at least that length. In all calls but the last
// len(es) is a multiple of eight.
func (r *columnReader) next(es []tracer.Event, u []uint64) {
	u = u[:len(es)]
	if r.packing == packBits {
		r.unpackBits(u)
	} else {
		r.unpackBytes(u)
	}
	switch r.prediction {
	case predNone:
		store(es, r.id, u, r.base)
		return
	case predPrevious:
		v := r.base
		for i, d := range u {
			v += d
			u[i] = v
		}
		r.base = v
	case predZigzag:
		v := r.base
		for i, d := range u {
			v += unfold(d)
			u[i] = v
		}
		r.base = v
	case predLane:
		r.lane(es, u)
	case predTask:
		for i, d := range u {
			u[i] = es[i].Task + unfold(d)
		}
	case predPE:
		for i, d := range u {
			u[i] = uint64(int64(es[i].PE)) + unfold(d)
		}
	}
	store(es, r.id, u, 0)
}

func (r *columnReader) lane(es []tracer.Event, u []uint64) {
	es, last := es[:len(u)], r.last
	if r.id == colTask {
		for i, d := range u {
			lane := &last[uint8(es[i].PE)]
			*lane += unfold(d)
			u[i] = *lane
		}
		return
	}
	for i, d := range u {
		lane := &last[uint8(es[i].PE)]
		u[i] = *lane + unfold(d)
		*lane = es[i].Task
	}
}

func (r *columnReader) unpackBits(u []uint64) {
	if r.width == 0 {
		clear(u)
		return
	}
	if r.width <= 8 {
		r.unpackOctets(u)
		return
	}
	data, bit, width, mask := r.data, r.bit, int(r.width), r.mask
	for i := range u {
		u[i] = binary.LittleEndian.Uint64(data[bit>>3:]) >> (bit & 7) & mask
		bit += width
	}
	r.bit = bit
}

// unpackOctets unpacks numbers of at most eight bits. Eight numbers fill a whole number of bytes.
func (r *columnReader) unpackOctets(u []uint64) {
	data, w, mask := r.data, uint(r.width), r.mask
	for len(u) >= 8 {
		word := binary.LittleEndian.Uint64(data)
		g := (*[8]uint64)(u)
		g[0] = word & mask
		g[1] = word >> (w & 63) & mask
		g[2] = word >> (2 * w & 63) & mask
		g[3] = word >> (3 * w & 63) & mask
		g[4] = word >> (4 * w & 63) & mask
		g[5] = word >> (5 * w & 63) & mask
		g[6] = word >> (6 * w & 63) & mask
		g[7] = word >> (7 * w & 63) & mask
		u, data = u[8:], data[w:]
	}
	r.data = data
	for i := range u {
		u[i] = binary.LittleEndian.Uint64(data) >> (uint(i) * w & 63) & mask
	}
}

func (r *columnReader) unpackBytes(u []uint64) {
	data, at := r.data, r.offset
	sizes := [4]int{int(r.sizes[0]), int(r.sizes[1]), int(r.sizes[2]), int(r.sizes[3])}
	for len(u) >= 4 {
		c := r.control[0]
		r.control = r.control[1:]
		u[0] = binary.LittleEndian.Uint64(data[at:]) & r.masks[c&3]
		at += sizes[c&3]
		u[1] = binary.LittleEndian.Uint64(data[at:]) & r.masks[c>>2&3]
		at += sizes[c>>2&3]
		u[2] = binary.LittleEndian.Uint64(data[at:]) & r.masks[c>>4&3]
		at += sizes[c>>4&3]
		u[3] = binary.LittleEndian.Uint64(data[at:]) & r.masks[c>>6]
		at += sizes[c>>6]
		u = u[4:]
	}
	for i := range u {
		c := r.control[0] >> (2 * i) & 3
		u[i] = binary.LittleEndian.Uint64(data[at:]) & r.masks[c]
		at += sizes[c]
	}
	r.offset = at
}

// store adds the base to the numbers and stores them in the events.
func store(es []tracer.Event, id uint8, u []uint64, base uint64) {
	es = es[:len(u)]
	switch id {
	case colKind:
		for i, v := range u {
			es[i].Kind = tracer.Kind(v + base)
		}
	case colPE:
		for i, v := range u {
			es[i].PE = int32(v + base)
		}
	case colTime:
		for i, v := range u {
			es[i].Time = int64(v + base)
		}
	case colTask:
		for i, v := range u {
			es[i].Task = v + base
		}
	case colRef:
		for i, v := range u {
			es[i].Ref = v + base
		}
	case colPeer:
		for i, v := range u {
			es[i].Peer = int32(v + base)
		}
	case colCode:
		for i, v := range u {
			es[i].Code = uint32(v + base)
		}
	case colValue:
		for i, v := range u {
			es[i].Value = int64(v + base)
		}
	}
}
