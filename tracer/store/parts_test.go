package store

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
)

func TestBucketSumsDoNotDependOnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(-3000, 3000), rapid.Int64()), 1, 50).Draw(t, "times")
		rows := make([]tracer.Event, len(times))
		for i, at := range times {
			rows[i] = tracer.Event{Time: at, Kind: tracer.Kind(1 + i%3)}
		}
		cut := rapid.IntRange(0, len(rows)).Draw(t, "cut")
		whole, a, b := newBucketSums(), newBucketSums(), newBucketSums()
		whole.add(rows, 0)
		for i := range rows[:cut] {
			a.add(rows[i:i+1], 0)
		}
		if cut < len(rows) {
			b.add(rows[cut:], 0)
		}
		b.merge(a)
		one, two := whole.appendPayload(nil), b.appendPayload(nil)
		if !bytes.Equal(one, two) {
			t.Fatalf("%v and %v", whole.summary(), b.summary())
		}
		sum := must.Get(parseSummary(one))(t)
		// Count the expected events one by one.
		var want [tracer.NumKinds][]int64
		for i := range rows {
			k := rows[i].Kind
			if want[k] == nil {
				want[k] = make([]int64, sum.Buckets())
			}
			want[k][uint64(rows[i].Time-sum.From)/uint64(sum.Width)]++
		}
		for k := range want {
			if !slices.Equal(want[k], sum.Counts[k]) {
				t.Fatalf("kind %d: %v, want %v", k, sum.Counts[k], want[k])
			}
		}
		if lo, hi := slices.Min(times), slices.Max(times); sum.Width > 1 && uint64(hi)-uint64(lo) < uint64(sum.Width/2)*(summaryBuckets-1) {
			t.Fatalf("buckets of %d ns are longer than they must be for %d..%d", sum.Width, lo, hi)
		}
	})
}

func TestIndexRoundTrip(t *testing.T) {
	entries := []indexEntry{
		{kind: blockMeta, offset: headSize, size: 100},
		{kind: blockEvents, offset: headSize + 100, size: 500, info: blockInfo{stream: 2, count: 10, from: math.MinInt64, to: math.MaxInt64, kinds: tracer.AllKinds}},
		{kind: blockEvents, offset: headSize + 600, size: 50, info: blockInfo{stream: 2, count: 1, first: 10, from: -5, to: -5, kinds: 2}},
	}
	counts := [256]int64{1: 3, 255: 8}
	b := appendIndex(nil, entries, &counts)
	got, gotCounts, err := parseIndex(b, headSize+650)
	if err != nil || !slices.Equal(got, entries) || gotCounts != counts {
		t.Errorf("%v: %v %v", err, got, gotCounts)
	}
	if _, _, err := parseIndex(b, headSize+651); err == nil {
		t.Error("an index of other blocks is accepted")
	}
	counts[1]++
	if _, _, err := parseIndex(appendIndex(nil, entries, &counts), headSize+650); err == nil {
		t.Error("counts that do not add up are accepted")
	}
}

func FuzzIndex(f *testing.F) {
	f.Add(appendIndex(nil, []indexEntry{{kind: blockEvents, size: 50, info: blockInfo{count: 1}}}, &[256]int64{1}), int64(headSize+50))
	f.Fuzz(func(t *testing.T, b []byte, offset int64) {
		entries, _, err := parseIndex(b, offset)
		if err == nil && len(entries) > len(b) {
			t.Fatalf("%d entries from %d bytes", len(entries), len(b))
		}
	})
}

func FuzzSummary(f *testing.F) {
	s := newBucketSums()
	s.add([]tracer.Event{{Kind: 1}, {Time: 9, Kind: 2}}, 0)
	f.Add(s.appendPayload(nil))
	f.Fuzz(func(t *testing.T, b []byte) { _, _ = parseSummary(b) })
}

func smallRing() []byte {
	b := append([]byte(ringMark), make([]byte, 2*ringAlign-8)...)
	ne := binary.NativeEndian
	ne.PutUint32(b[8:], ringVersion)
	ne.PutUint32(b[12:], ringOrder)
	ne.PutUint64(b[16:], 7)
	area := b[ringAlign:]
	ne.PutUint32(area, 1) // stream 0
	ne.PutUint32(area[4:], 2)
	ne.PutUint32(area[8:], 4)
	for i, first := range []uint64{4, 0} {
		s := area[ringHead+i*segmentSize(4):]
		ne.PutUint64(s, first)
		ne.PutUint64(s[8:], 3) // rows 0 to 2 are whole
		for r := range 3 {
			ne.PutUint64(s[ringHead+r*rowSize:], uint64(100+r))
		}
	}
	ne.PutUint64(area[ringHead+segmentSize(4)+16:], 4) // and row 3 of the second segment is synced
	return b
}

func TestParseRing(t *testing.T) {
	b := smallRing()
	tails := must.Get(parseRing(bytes.NewReader(b), int64(len(b)), 7))(t)
	ts := tails[0]
	if len(ts) != 2 || ts[0].first != 0 || len(ts[0].rows) != 4 || ts[1].first != 4 || len(ts[1].rows) != 3 || ts[1].rows[2].Time != 102 {
		t.Errorf("%+v", tails)
	}
	for _, c := range []struct {
		name   string
		offset int
		set    uint32
	}{{"mark", 16, 8}, {"version", 8, 9}, {"order", 12, 1}, {"magic", 0, 0}, {"rows", ringAlign + 8, 1 << 30}, {"segments", ringAlign + 4, 1 << 30}, {"fill", ringAlign + ringHead + 8, 5}} {
		bad := smallRing()
		binary.NativeEndian.PutUint32(bad[c.offset:], c.set)
		if _, err := parseRing(bytes.NewReader(bad), int64(len(bad)), 7); err == nil {
			t.Errorf("%s: a damaged ring is accepted", c.name)
		}
	}
}

func FuzzRing(f *testing.F) {
	b := smallRing()
	f.Add(b[ringAlign : ringAlign+ringHead+2*segmentSize(4)])
	f.Fuzz(func(t *testing.T, area []byte) {
		b := append(smallRing()[:ringAlign], area...)
		b = append(b, make([]byte, -len(b)&(ringAlign-1))...)
		_, _ = parseRing(bytes.NewReader(b), int64(len(b)), 7)
	})
}
