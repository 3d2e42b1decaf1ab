package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"whorl/tracer"
)

// The ring file begins with a page of ringAlign bytes: ringMark, version (uint32), ringOrder (uint32), and the mark of the trace's header
// (uint64). Then comes an area for each stream, which begins and ends at multiples of ringAlign. Its head of ringHead bytes holds the number
// of the stream plus 1, the number of segments, the rows in a segment, and 0 (uint32 each). Each segment has a head with the index of its
// first event and a tracer.Fill, followed by its rows as in memory. All numbers are in the byte order of the machine.
const (
	ringMark    = "WHRLRING"
	ringVersion = 1
	ringOrder   = 0x01020304
	ringAlign   = 1 << 16
	ringHead    = 64
	rowSize     = 48
)

func segmentSize(rows int) int { return ringHead + rows*rowSize }

func areaSize(segments, rows int) int {
	return (ringHead + segments*segmentSize(rows) + ringAlign - 1) &^ (ringAlign - 1)
}

// A tail is a piece of a stream, read from the ring.
type tail struct {
	first uint64
	rows  []tracer.Event
}

// readRing returns the events in the ring file at path, by stream, in order. The writer may still record: readRing omits a segment that was
// reused meanwhile, since its events are in the trace by then. A missing ring, or the ring of another trace, is an error.
func readRing(path string, mark uint64) (map[uint32][]tail, error) {
	f, err := os.Open(path)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			err = fmt.Errorf("the file %s, which held them, does not exist", path)
		}
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return parseRing(f, info.Size(), mark)
}

func parseRing(f io.ReaderAt, size int64, mark uint64) (map[uint32][]tail, error) {
	ne := binary.NativeEndian
	var head [ringHead]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return nil, fmt.Errorf("the ring file is too short: %w", err)
	}
	switch {
	case string(head[:8]) != ringMark:
		return nil, fmt.Errorf("the ring file begins with %q; expected %q", head[:8], ringMark)
	case ne.Uint32(head[12:]) != ringOrder:
		return nil, errors.New("the ring file was written by a machine of another byte order")
	case ne.Uint32(head[8:]) != ringVersion:
		return nil, fmt.Errorf("the ring file has version %d; expected %d", ne.Uint32(head[8:]), ringVersion)
	case ne.Uint64(head[16:]) != mark:
		return nil, errors.New("the ring file belongs to another trace")
	}
	tails := map[uint32][]tail{}
	for at := int64(ringAlign); at+ringHead <= size; {
		if _, err := f.ReadAt(head[:], at); err != nil {
			return nil, err
		}
		stream, segments, rows := ne.Uint32(head[:]), int64(ne.Uint32(head[4:])), int64(ne.Uint32(head[8:]))
		if stream == 0 {
			break // the process died before the area was ready
		}
		if segments > 1<<16 || rows > maxRows || rows == 0 || at+int64(areaSize(int(segments), int(rows))) > size {
			return nil, fmt.Errorf("the ring file is damaged at offset %d: %d segments of %d rows", at, segments, rows)
		}
		for i := range segments {
			t, err := readSegment(f, at+ringHead+i*int64(segmentSize(int(rows))), rows)
			if err != nil {
				return nil, err
			}
			if len(t.rows) > 0 {
				tails[stream-1] = append(tails[stream-1], t)
			}
		}
		at += int64(areaSize(int(segments), int(rows)))
	}
	for _, ts := range tails {
		slices.SortStableFunc(ts, func(a, b tail) int { return compare(a.first, b.first) })
	}
	return tails, nil
}

func compare(a, b uint64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func readSegment(f io.ReaderAt, at, rows int64) (tail, error) {
	ne := binary.NativeEndian
	var head, again [ringHead]byte
	if _, err := f.ReadAt(head[:], at); err != nil {
		return tail{}, err
	}
	fill := tracer.Fill{Last: int64(ne.Uint64(head[8:])), Synced: int64(ne.Uint64(head[16:]))}
	whole := fill.Whole()
	if whole == 0 {
		return tail{}, nil
	}
	if whole < 0 || whole > rows {
		return tail{}, fmt.Errorf("the ring file is damaged at offset %d: %d of %d rows are filled", at, whole, rows)
	}
	data := make([]byte, whole*rowSize)
	if _, err := f.ReadAt(data, at+ringHead); err != nil {
		return tail{}, err
	}
	if _, err := f.ReadAt(again[:], at); err != nil {
		return tail{}, err
	}
	t := tail{first: ne.Uint64(head[:])}
	if ne.Uint64(again[:]) != t.first || int64(ne.Uint64(again[8:])) < fill.Last {
		return tail{}, nil
	}
	t.rows = make([]tracer.Event, whole)
	for i := range t.rows {
		b := data[i*rowSize:]
		t.rows[i] = tracer.Event{
			Time: int64(ne.Uint64(b)), Value: int64(ne.Uint64(b[8:])), Task: ne.Uint64(b[16:]), Ref: ne.Uint64(b[24:]),
			PE: int32(ne.Uint32(b[32:])), Peer: int32(ne.Uint32(b[36:])), Code: ne.Uint32(b[40:]), Kind: tracer.Kind(b[44]),
		}
	}
	return t, nil
}
