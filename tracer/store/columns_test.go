package store

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
)

func encodeBlock(rows []tracer.Event) []byte {
	var e encoder
	var counts [256]int64
	b, _ := e.appendBlock(nil, 3, 77, rows, &counts)
	return b
}

func decodeBlock(b []byte, chunk int, want Columns) ([]tracer.Event, error) {
	var counts [256]int64
	info, rest, err := parseBlock(b, &counts)
	if err != nil {
		return nil, err
	}
	var d decoder
	if err := d.begin(rest, int(info.count)); err != nil {
		return nil, err
	}
	var all []tracer.Event
	es := make([]tracer.Event, chunk)
	want = d.needed(want)
	for {
		n := d.next(es, want)
		if n == 0 {
			return all, nil
		}
		all = append(all, es[:n]...)
	}
}

func TestBlockRoundTrip(t *testing.T) {
	testenv.Sequential(t)
	for _, n := range []int{1, 2, 3, 5, 7, 8, 9, 511, 512, 513, 4095, 4096, maxRows} {
		for _, pes := range []int{1, 16, 1000} {
			rows := fghcLike(n, pes, 1)
			b := encodeBlock(rows)
			if got, err := decodeBlock(b, chunkRows, AllColumns); err != nil || !slices.Equal(got, rows) {
				t.Fatalf("%d rows of %d PEs come back differently: %v", n, pes, err)
			}
			if size := len(b) / n; n >= 4095 && size > 12 {
				t.Errorf("%d rows of %d PEs take %d bytes each", n, pes, size)
			}
		}
	}
}

func TestBlockRoundTripOfExtremes(t *testing.T) {
	ints := []int64{0, 1, -1, 127, 128, -129, 255, 256, 1 << 31, math.MaxInt64, math.MinInt64, 1 << 56, 1 << 57, 1<<57 + 1}
	rapid.Check(t, func(t *rapid.T) {
		// Columns of limited width use every packing.
		bits := rapid.IntRange(0, 64).Draw(t, "bits")
		number := rapid.Custom(func(t *rapid.T) int64 {
			if rapid.IntRange(0, 9).Draw(t, "extreme") == 0 {
				return rapid.SampledFrom(ints).Draw(t, "int")
			}
			return int64(rapid.Uint64().Draw(t, "word") >> (64 - bits))
		})
		rows := make([]tracer.Event, rapid.IntRange(1, 70).Draw(t, "rows"))
		for i := range rows {
			rows[i] = tracer.Event{
				Time: number.Draw(t, "time"), Value: number.Draw(t, "value"), Task: uint64(number.Draw(t, "task")), Ref: uint64(number.Draw(t, "ref")),
				PE: int32(number.Draw(t, "pe")), Peer: int32(number.Draw(t, "peer")), Code: uint32(number.Draw(t, "code")), Kind: tracer.Kind(number.Draw(t, "kind")),
			}
		}
		chunk := rapid.SampledFrom([]int{8, 16, 64, chunkRows}).Draw(t, "chunk")
		got, err := decodeBlock(encodeBlock(rows), chunk, AllColumns)
		if err != nil || !slices.Equal(got, rows) {
			t.Fatalf("%v:\n%+v\nwant\n%+v", err, got, rows)
		}
		some := must.Get(decodeBlock(encodeBlock(rows), chunk, Ref|Peer))(t)
		for i := range rows {
			if some[i].Ref != rows[i].Ref || some[i].Peer != rows[i].Peer {
				t.Fatalf("only two columns: event %d is %+v, want %+v", i, some[i], rows[i])
			}
		}
	})
}

// TestDamagedBlocksDoNoHarm flips each bit of a block's payload. Decoding gives an error or other events, but not more events.
func TestDamagedBlocksDoNoHarm(t *testing.T) {
	b := encodeBlock(fghcLike(100, 4, 1))
	for i := range b {
		for bit := range 8 {
			b[i] ^= 1 << bit
			if got, err := decodeBlock(b, chunkRows, AllColumns); err == nil && len(got) != 100 {
				t.Fatalf("bit %d of byte %d: %d events", bit, i, len(got))
			}
			b[i] ^= 1 << bit
		}
	}
	for n := range len(b) {
		if _, err := decodeBlock(b[:n], chunkRows, AllColumns); err == nil {
			t.Fatalf("a block of %d bytes is decoded from %d", len(b), n)
		}
	}
}

func FuzzBlock(f *testing.F) {
	f.Add(encodeBlock(fghcLike(30, 4, 1)))
	f.Add(encodeBlock([]tracer.Event{{Time: math.MinInt64, Value: math.MaxInt64, Task: math.MaxUint64, Kind: 255}, {}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		rows, err := decodeBlock(b, chunkRows, AllColumns)
		if err != nil {
			return
		}
		again, err := decodeBlock(encodeBlock(rows), chunkRows, AllColumns)
		if err != nil || !slices.Equal(again, rows) {
			t.Fatalf("%v: %v become %v", err, rows, again)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	for _, pes := range []int{1, 16, 256} {
		b.Run(fmt.Sprint(pes), func(b *testing.B) {
			rows := fghcLike(1<<16, pes, 1)
			var e encoder
			var counts [256]int64
			var buf []byte
			size, n := 0, 0
			for b.Loop() {
				at := n % len(rows)
				buf, _ = e.appendBlock(buf[:0], 0, 0, rows[at:at+4096], &counts)
				size += len(buf)
				n += 4096
			}
			b.ReportMetric(float64(size)/float64(n), "B/event")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/event")
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, pes := range []int{1, 16, 256} {
		b.Run(fmt.Sprint(pes), func(b *testing.B) {
			rows := fghcLike(1<<16, pes, 1)
			var blocks [16][]byte
			for i := range blocks {
				blocks[i] = encodeBlock(rows[i<<12 : (i+1)<<12])
			}
			es := make([]tracer.Event, chunkRows)
			var d decoder
			var counts [256]int64
			n := 0
			for b.Loop() {
				_, rest, _ := parseBlock(blocks[n>>12&15], &counts)
				_ = d.begin(rest, 4096)
				for d.next(es, AllColumns) > 0 {
					n += chunkRows
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/event")
		})
	}
}

// TestWidths reads back numbers of every width. A number of 57 bits after 7 remaining bits fills a word and must not damage the next number.
func TestWidths(t *testing.T) {
	for width := 1; width <= 64; width++ {
		for _, small := range []bool{false, true} { // a few small numbers among large ones change the packing
			u := make([]uint64, 40)
			for i := range u {
				u[i] = (uint64(i)*0x9e3779b97f4a7c15 | 1<<63 | 1) >> (64 - width)
				if small && i%16 == 0 {
					u[i] = 0
				}
			}
			c := column{id: colTask, prediction: predPrevious}
			c.data = append(pack(nil, &c, u, width), make([]byte, 16)...)
			var r columnReader
			must.Do(t, r.begin(c, len(u)))
			got := make([]uint64, len(u))
			if c.packing == packBits {
				r.unpackBits(got)
			} else {
				r.unpackBytes(got)
			}
			if !slices.Equal(got, u) {
				t.Fatalf("%d bits, packed as %d: %x, want %x", width, c.packing, got, u)
			}
		}
	}
}
