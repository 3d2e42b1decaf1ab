// Package rhythm makes the sound of a trace from its reductions: each is a short tone. The pitch is the depth in the spawn tree, and the
// side is the PE.
package rhythm

import (
	"cmp"
	"slices"
	"time"

	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/flow"
	"whorl/visual/sound"
	"whorl/visual/view"
)

// A Rhythm finds the nodes of a spawn tree by their times. They lie in buckets of the same length of time.
type Rhythm struct {
	tree  *spawntree.Tree
	first int64   // the time of the earliest node, in ns
	width uint64  // of a bucket, in ns
	start []int32 // by bucket: the index of its first node; one more at the end
	nodes []int32
}

// CanHear returns why the reductions or forks of a trace cannot be heard, nil if they can.
func CanHear(src tracer.Source) error { return kind.CanOpen(src) }

// kind describes the traces that can be heard.
var kind = &view.Kind{
	Name: "sound", Title: "Sound",
	Needs: []tracer.KindSet{tracer.Kinds(tracer.Reduce), tracer.Kinds(tracer.Fork)},
}

// Stage computes the rhythm of a trace.
var Stage = flow.Derive("rhythm", "the nodes of the spawn tree by time",
	flow.In(view.SpawnTree), nil,
	func(c *flow.Call[*Rhythm]) (*Rhythm, error) {
		return newRhythm(view.SpawnTree.In(c), c.Tick)
	})

// buckets is the largest number of buckets.
const buckets = 1 << 16

func newRhythm(tree *spawntree.Tree, tick flow.Tick) (*Rhythm, error) {
	n := tree.Len()
	if n == 0 {
		return &Rhythm{tree: tree, width: 1, start: make([]int32, 2)}, nil
	}
	span := tree.Time.Range()
	first, last := span.Least, span.Most
	r := &Rhythm{tree: tree, first: first, width: (uint64(last)-uint64(first))/buckets + 1, nodes: make([]int32, n)}
	r.start = make([]int32, r.bucket(last)+2)
	const piece = 1 << 16
	each := func(done int, f func(node int)) error {
		for i := range n {
			if i%piece == 0 {
				if err := tick(int64(done+i), int64(2*n)); err != nil {
					return err
				}
			}
			f(i)
		}
		return nil
	}
	if err := each(0, func(node int) { r.start[r.bucket(tree.Time.At(node))+1]++ }); err != nil {
		return nil, err
	}
	for b := 1; b < len(r.start); b++ {
		r.start[b] += r.start[b-1]
	}
	next := slices.Clone(r.start)
	err := each(n, func(node int) {
		b := r.bucket(tree.Time.At(node))
		r.nodes[next[b]] = int32(node)
		next[b]++
	})
	return r, err
}

func (r *Rhythm) bucket(time int64) int { return int((uint64(time) - uint64(r.first)) / r.width) }

// between returns the nodes with times after one time and until another, in the order of time. If there are more than most, it divides
// the time into that many parts and returns the earliest node of each.
func (r *Rhythm) between(after, until int64, most int) []int32 {
	if until <= after || until < r.first || len(r.nodes) == 0 {
		return nil
	}
	lo := r.bucket(max(after, r.first))
	hi := min(r.bucket(until), len(r.start)-2)
	earlier := func(a, b int32) int {
		return cmp.Or(cmp.Compare(r.tree.Time.At(int(a)), r.tree.Time.At(int(b))), cmp.Compare(a, b))
	}
	count := 0
	var all []int32
	parts := make([]int32, most)
	for i := range parts {
		parts[i] = -1
	}
	for b := lo; b <= hi; b++ {
		for _, node := range r.nodes[r.start[b]:r.start[b+1]] {
			at := r.tree.Time.At(int(node))
			if at <= after || at > until {
				continue
			}
			if count++; count <= most {
				all = append(all, node)
			}
			part := min(int(share(at-1, after, until)*float64(most)), most-1)
			if p := parts[part]; p < 0 || earlier(node, p) < 0 {
				parts[part] = node
			}
		}
	}
	if count <= most {
		slices.SortFunc(all, earlier)
		return all
	}
	return slices.DeleteFunc(parts, func(node int32) bool { return node < 0 })
}

// Properties of the tones.
const (
	mostTones  = 8   // of a part
	lowestTone = 220 // Hz, of the root
	toneSteps  = 15  // of the scale, from the root to the deepest level
	toneLength = 180 * time.Millisecond
)

// Tones returns the tones of the nodes after one time and until another, when that part is played in a given time. Their times count from
// the beginning of the part.
func (r *Rhythm) Tones(after, until int64, pes int, lasts time.Duration) []sound.Tone {
	tree := r.tree
	nodes := r.between(after, until, mostTones)
	volume := 0.25 / (1 + 0.2*float64(len(nodes)-1))
	tones := make([]sound.Tone, len(nodes))
	for i, node := range nodes {
		pan := 0.0
		if pes > 1 {
			pan = float64(2*float64(tree.PE.At(int(node)))/float64(pes-1)) - 1
		}
		tones[i] = sound.Tone{
			Start:  time.Duration(share(tree.Time.At(int(node)), after, until) * float64(lasts)),
			Length: toneLength, Volume: volume, Pan: min(pan, 1),
			Pitch: sound.Degree(lowestTone, int(int64(tree.Level.At(int(node)))*toneSteps/(int64(tree.Height)+1))),
		}
	}
	return tones
}

// share returns the part of a span that has passed at a time, from 0 to 1.
func share(at, from, to int64) float64 {
	return (float64(at) - float64(from)) / (float64(to) - float64(from))
}
