package store

import (
	"fmt"
	"slices"
	"testing"

	"whorl/tracer"
)

func decodeAll(b []byte) ([]tracer.Event, error) {
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
	es := make([]tracer.Event, chunkRows)
	for {
		n := d.next(es, AllColumns)
		if n == 0 {
			return all, nil
		}
		all = append(all, es[:n]...)
	}
}

func TestBlockRoundTrip(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 4096, 4095} {
		rows := fghcLike(n, 4, 1)
		var e encoder
		var counts [256]int64
		b, _ := e.appendBlock(nil, 0, 0, rows, &counts)
		got, err := decodeAll(b)
		if err != nil || !slices.Equal(got, rows) {
			t.Fatalf("%d rows come back differently: %v", n, err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, pes := range []int{1, 4, 16, 256} {
		b.Run(fmt.Sprint(pes), func(b *testing.B) {
			rows := fghcLike(1<<18, pes, 1)
			var e encoder
			var counts [256]int64
			var buf []byte
			size, n := 0, 0
			var cols [numColumns]int
			for b.Loop() {
				at := n % len(rows)
				buf, _ = e.appendBlock(buf[:0], 0, 0, rows[at:at+4096], &counts)
				size += len(buf)
				n += 4096
				var d decoder
				_ = d
			}
			_ = cols
			b.ReportMetric(float64(size)/float64(n), "B/event")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/event")
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, pes := range []int{1, 4, 16, 256} {
		b.Run(fmt.Sprint(pes), func(b *testing.B) {
			rows := fghcLike(1<<16, pes, 1)
			var blocks [][]byte
			var e encoder
			var counts [256]int64
			for at := 0; at < len(rows); at += 4096 {
				buf, _ := e.appendBlock(nil, 0, 0, rows[at:at+4096], &counts)
				blocks = append(blocks, buf)
			}
			es := make([]tracer.Event, chunkRows)
			var d decoder
			var cols [numColumns]string
			n := 0
			for b.Loop() {
				buf := blocks[n>>12&15]
				_, rest, _ := parseBlock(buf, &counts)
				_ = d.begin(rest, 4096)
				for d.next(es, AllColumns) > 0 {
				}
				n += 4096
			}
			for i := range cols {
				c := d.columns[i]
				cols[i] = fmt.Sprintf("%d:p%d/%d %.2f w%d %v", i, c.prediction, c.packing, float64(c.size)/4096, c.width, c.sizes)
			}
			b.Log(cols)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/event")
		})
	}
}
