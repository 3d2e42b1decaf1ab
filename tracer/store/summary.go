package store

import (
	"encoding/binary"
	"fmt"
	"math"

	"whorl/tracer"
)

// summaryBuckets is the largest number of buckets in a summary.
const summaryBuckets = 1024

// summaryFrom is the least number of events of a trace with a summary. Fewer are counted quickly, and their summary would be a large part of
// the file.
const summaryFrom = 1 << 16

// A Summary holds the number of events of each known kind in each bucket of time, so that a first picture needs no events. The width of a bucket
// is the smallest power of two ns that gives at most 1,024 buckets.
type Summary struct {
	From, Width int64                    // bucket i goes from From + i*Width, inclusive, to From + (i+1)*Width, in times of the run
	Counts      [tracer.NumKinds][]int64 // by kind and bucket; nil for a kind with no events
}

// Buckets returns the number of buckets.
func (s *Summary) Buckets() int {
	for _, c := range s.Counts {
		if c != nil {
			return len(c)
		}
	}
	return 0
}

// bucketSums collects a summary. The result does not depend on the order of the events.
type bucketSums struct {
	any    bool
	lo, hi int64 // smallest and largest time
	shift  uint
	base   int64 // lo >> shift
	cells  [][tracer.NumKinds]int64
}

func newBucketSums() *bucketSums {
	return &bucketSums{cells: make([][tracer.NumKinds]int64, summaryBuckets)}
}

func (s *bucketSums) add(rows []tracer.Event, offset int64) {
	lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
	for i := range rows {
		t := rows[i].Time + offset
		lo, hi = min(lo, t), max(hi, t)
	}
	s.cover(lo, hi)
	cells, shift, base := s.cells, s.shift, s.base
	for i := range rows {
		if k := rows[i].Kind; k < tracer.NumKinds {
			cells[(rows[i].Time+offset)>>(shift&63)-base][k]++
		}
	}
}

// cover makes room for the times from lo to hi.
func (s *bucketSums) cover(lo, hi int64) {
	if s.any {
		lo, hi = min(lo, s.lo), max(hi, s.hi)
	}
	shift := s.shift
	for uint64(hi>>shift)-uint64(lo>>shift) >= summaryBuckets {
		shift++
	}
	base := lo >> shift
	if s.any && (shift != s.shift || base != s.base) {
		old := s.cells
		s.cells = make([][tracer.NumKinds]int64, summaryBuckets)
		for i := range old[:s.used()] {
			to := &s.cells[(s.base+int64(i))>>(shift-s.shift)-base]
			for k, n := range old[i] {
				to[k] += n
			}
		}
	}
	s.any, s.lo, s.hi, s.shift, s.base = true, lo, hi, shift, base
}

// merge adds the sums of o.
func (s *bucketSums) merge(o *bucketSums) {
	if !o.any {
		return
	}
	s.cover(o.lo, o.hi)
	for i := range o.cells[:o.used()] {
		to := &s.cells[(o.base+int64(i))>>(s.shift-o.shift)-s.base]
		for k, n := range o.cells[i] {
			to[k] += n
		}
	}
}

// used returns the number of cells from the smallest to the largest time.
func (s *bucketSums) used() int { return int(s.hi>>s.shift-s.base) + 1 }

func (s *bucketSums) summary() Summary {
	if !s.any {
		return Summary{Width: 1}
	}
	n := s.used()
	sum := Summary{From: s.base << s.shift, Width: 1 << s.shift}
	for i, cell := range s.cells[:n] {
		for k, count := range cell {
			if count > 0 {
				if sum.Counts[k] == nil {
					sum.Counts[k] = make([]int64, n)
				}
				sum.Counts[k][i] = count
			}
		}
	}
	return sum
}

// appendPayload appends the payload of the summary's block: the binary logarithm of the width (1 byte), From (int64), the number of
// buckets (uvarint), the number of kinds (1 byte), and for each kind its number (1 byte) and its counts (uvarint each).
func (s *bucketSums) appendPayload(b []byte) []byte {
	sum := s.summary()
	b = binary.LittleEndian.AppendUint64(append(b, uint8(s.shift)), uint64(sum.From))
	b = binary.AppendUvarint(b, uint64(sum.Buckets()))
	at := len(b)
	b = append(b, 0)
	for k, counts := range sum.Counts {
		if counts == nil {
			continue
		}
		b[at]++
		b = append(b, uint8(k))
		for _, n := range counts {
			b = binary.AppendUvarint(b, uint64(n))
		}
	}
	return b
}

func parseSummary(b []byte) (Summary, error) {
	bad := fmt.Errorf("the summary is wrong")
	if len(b) < 11 || b[0] > 63 {
		return Summary{}, bad
	}
	sum := Summary{Width: 1 << b[0], From: int64(binary.LittleEndian.Uint64(b[1:]))}
	n, size := binary.Uvarint(b[9:])
	b = b[9+max(0, size):]
	if size <= 0 || n > summaryBuckets || len(b) == 0 {
		return Summary{}, bad
	}
	kinds := int(b[0])
	b = b[1:]
	for range kinds {
		if len(b) == 0 {
			return Summary{}, bad
		}
		kind := b[0]
		b = b[1:]
		counts := make([]int64, n)
		for i := range counts {
			count, size := binary.Uvarint(b)
			if size <= 0 || count > math.MaxInt64 {
				return Summary{}, bad
			}
			counts[i] = int64(count)
			b = b[size:]
		}
		if tracer.Kind(kind) < tracer.NumKinds {
			sum.Counts[kind] = counts
		}
	}
	return sum, nil
}
