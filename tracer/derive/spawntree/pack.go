package spawntree

import (
	"slices"

	"whorl/internal/packed"
	"whorl/internal/parallel"
)

// A page holds up to pageLen records of a builder: in rows while they may change, then packed, which takes a third of the memory.
type page struct {
	rows *rows // nil if the records are packed

	task            packed.Column[uint64]
	time, cost      packed.Column[int64]
	level, pe, from packed.Column[int32]
	code            packed.Column[uint32]
	parent          []int32
	state           []state // nil if all are goals
}

// rows are the fields of the records of a page.
type rows struct {
	task                    [pageLen]uint64
	time, cost              [pageLen]int64
	level, pe, from, parent [pageLen]int32
	code                    [pageLen]uint32
	state                   [pageLen]state
}

func (w *rows) set(k int32, r *record) {
	w.task[k], w.time[k], w.cost[k], w.level[k], w.pe[k] = r.task, r.time, r.cost, r.level, r.pe
	w.from[k], w.parent[k], w.code[k], w.state[k] = r.from, r.parent, r.code, r.state
}

func (w *rows) record(k int32) record {
	return record{
		task: w.task[k], time: w.time[k], cost: w.cost[k], level: w.level[k], pe: w.pe[k],
		from: w.from[k], parent: w.parent[k], code: w.code[k], state: w.state[k],
	}
}

// turn begins a new page. It packs the last one if its records are goals, which do not change.
func (b *builder) turn() {
	var w *rows
	if k := len(b.pages) - 1; k >= 0 && !b.threads {
		w = b.pages[k].rows
		b.packPage(k)
	} else {
		w = new(rows)
	}
	b.pages = append(b.pages, page{rows: w})
}

// pack packs the records that are left.
func (b *builder) pack() {
	for i := range b.pages {
		if b.pages[i].rows != nil {
			b.packPage(i)
		}
	}
}

// packPage packs a page.
func (b *builder) packPage(i int) {
	p := &b.pages[i]
	w, n := p.rows, min(int(b.n)-i*pageLen, pageLen)
	if b.threads {
		p.state = append(p.state, w.state[:n]...)
		for k, s := range p.state {
			if s&running != 0 {
				w.cost[k] += b.last
			}
		}
	}
	p.task, p.time, p.cost = pack(w.task[:n], &b.ranges.task), pack(w.time[:n], &b.ranges.time), pack(w.cost[:n], &b.ranges.cost)
	p.level, p.pe, p.from = pack(w.level[:n], &b.ranges.level), pack(w.pe[:n], &b.ranges.pe), pack(w.from[:n], &b.ranges.from)
	p.code = pack(w.code[:n], &b.ranges.code)
	p.parent = append(p.parent, w.parent[:n]...)
	p.rows = nil
}

// pack returns a column of numbers and extends total to them.
func pack[T packed.Integer](numbers []T, total *packed.Range[T]) packed.Column[T] {
	var r packed.Range[T]
	r.AddAll(numbers)
	total.Join(r)
	c := r.Column(len(numbers))
	c.Write(0, numbers)
	return c
}

// fill moves the packed records to their places in a tree, two columns at a time. It makes columns that the tree lacks. It calls tick after each
// pair of columns, and ends with its error.
func (b *builder) fill(t *Tree, place []int32, tick func() error) error {
	columns := []func(){
		func() {
			move(b, place, &t.Time, &b.ranges.time, func(p *page) *packed.Column[int64] { return &p.time })
		},
		func() {
			move(b, place, &t.Task, &b.ranges.task, func(p *page) *packed.Column[uint64] { return &p.task })
		},
		func() {
			move(b, place, &t.Cost, &b.ranges.cost, func(p *page) *packed.Column[int64] { return &p.cost })
		},
		func() {
			move(b, place, &t.Level, &b.ranges.level, func(p *page) *packed.Column[int32] { return &p.level })
		},
		func() { move(b, place, &t.PE, &b.ranges.pe, func(p *page) *packed.Column[int32] { return &p.pe }) },
		func() {
			move(b, place, &t.From, &b.ranges.from, func(p *page) *packed.Column[int32] { return &p.from })
		},
		func() {
			move(b, place, &t.Code, &b.ranges.code, func(p *page) *packed.Column[uint32] { return &p.code })
		},
		func() {
			for i := range min(len(t.state), len(place)) {
				t.state[place[i]] = goal
				if s := b.pages[i/pageLen].state; s != nil {
					t.state[place[i]] = s[i%pageLen]
				}
			}
		},
	}
	for pair := range slices.Chunk(columns, 2) {
		parallel.Both(pair[0], pair[1])
		if err := tick(); err != nil {
			return err
		}
	}
	return nil
}

// move moves a column of the pages to a tree.
func move[T packed.Integer](b *builder, place []int32, to *packed.Column[T], r *packed.Range[T], column func(*page) *packed.Column[T]) {
	if to.Len() == 0 {
		*to = r.Column(len(place))
	}
	buffer := make([]T, min(pageLen, len(place)))
	for i := range b.pages {
		c := column(&b.pages[i])
		part := buffer[:c.Len()]
		c.Read(part, 0)
		to.Scatter(place[i*pageLen:][:len(part)], part)
		*c = packed.Column[T]{}
	}
}
