// Package match finds the steps of a run that a selection contains: the tries and commits of goals and the runs of threads.
// All views over time use it, so a selection highlights the same steps in each.
package match

import (
	"math"
	"slices"

	"whorl/internal/ranges"
	"whorl/tracer/derive/account"
	"whorl/visual/view"
)

// Steps finds the steps that a selection contains.
type Steps struct {
	s        view.Selection
	pes      view.Spans
	index    *Index
	min, max uint64       // bounds of its tasks
	mask     uint64       // of the codes, as in summary
	plain    bool         // it is one subtree and nothing else
	trees    [][2]int32   // ranges of nodes, ascending and apart
	ids      []view.Tasks // ranges of tasks, ascending and apart, Last set
	codes    []bool       // by code; nil for all
}

// fewNodes is the largest subtree whose tasks are bounded exactly. The limit keeps hovering fast, which may need another subtree in each
// frame.
const fewNodes = 1 << 16

// New prepares a selection. It returns nil for one without steps: of another trace, empty, or of a calling context.
func New(run *view.Run, index *Index, trace string, s view.Selection) *Steps {
	if s.Empty() || s.Unknown() || s.Trace != trace {
		return nil
	}
	s = run.Coded(s)
	m := &Steps{s: s, pes: view.Joined(s.PEs), index: index, min: math.MaxUint64, mask: math.MaxUint64}
	nodes := index.Nodes
	for _, t := range s.Tasks {
		if node := nodes.Node(t.First); t.Subtree && node >= 0 {
			end := node + nodes.tree.Size[node]
			m.trees = append(m.trees, [2]int32{node, end})
			if end-node > fewNodes {
				m.min, m.max = 0, math.MaxUint64
			} else {
				for ; node < end; node++ {
					task := nodes.tree.Task.At(int(node))
					m.min, m.max = min(m.min, task), max(m.max, task)
				}
			}
		}
		if t.Last = max(t.First, t.Last); t.Subtree { // the task itself, even if it is not a node
			t.Last = t.First
		}
		m.ids = append(m.ids, t)
		m.min, m.max = min(m.min, t.First), max(m.max, t.Last)
	}
	if len(s.Tasks) == 0 {
		m.min, m.max = 0, math.MaxUint64
	}
	m.trees, m.ids = ranges.Join(m.trees), view.JoinedTasks(m.ids)
	if len(s.Codes) > 0 {
		m.codes = run.Among(s.Codes)
		m.mask = 0
		for c, in := range m.codes {
			if in {
				m.mask |= 1 << (c & 63)
			}
		}
	}
	m.plain = len(s.Tasks) == 1 && len(m.trees) == 1 && len(s.Codes) == 0 && s.Time == nil
	return m
}

// OnlyPlace reports whether the selection consists of PEs, a time, or both. It then contains everything that happened there, including idle time.
func (m *Steps) OnlyPlace() bool { return len(m.s.Tasks) == 0 && len(m.s.Codes) == 0 }

// PE reports whether the selection contains a PE from first to last.
func (m *Steps) PE(first, last int) bool {
	return len(m.s.PEs) == 0 || m.pes.Meets(int64(first), int64(last))
}

// Any reports whether the selection contains anything of a PE from first to end-1: the PE itself, or a step of it.
func (m *Steps) Any(first, end int) bool {
	if !m.PE(first, end-1) {
		return false
	}
	if m.OnlyPlace() && m.s.Time == nil {
		return true
	}
	for pe := first; pe < min(end, len(m.index.act.Lanes)); pe++ {
		if m.PE(pe, pe) && m.Next(pe, m.First(pe)) < m.index.act.Lanes[pe].Steps.Len() {
			return true
		}
	}
	return false
}

// First returns the index from which to search for selected steps of a PE.
func (m *Steps) First(pe int) int {
	if m.s.Time == nil {
		return 0
	}
	return max(m.index.act.Lanes[pe].First(m.s.Time.First)-1, 0)
}

// Next returns the index of the first selected step of a PE from i on, or the number of its steps. It does not check
// whether the selection contains the PE.
func (m *Steps) Next(pe, i int) int { return m.next(pe, i, m.index.act.Lanes[pe].Steps.Len()) }

// next is Next among the steps before n.
func (m *Steps) next(pe, i, n int) int {
	x := m.index
	steps, sums := &x.act.Lanes[pe].Steps, x.lanes[pe]
	var place lane
	if m.plain {
		place = x.places()[pe]
	}
	for i < n {
		end := min((i/blockLen+1)*blockLen, n)
		if i%blockLen == 0 && !m.mayContain(&sums[i/blockLen]) {
			i = end
			continue
		}
		switch {
		case m.plain:
			low, size := m.trees[0][0], uint32(m.trees[0][1]-m.trees[0][0])
			if s := &place.spans[i/blockLen]; i%blockLen == 0 && (s.first >= m.trees[0][1] || s.last < low) {
				i = end
				continue
			}
			for ; i < end; i++ {
				if uint32(place.nodes[i]-low) < size {
					return i
				}
			}
		case m.codes != nil && len(m.s.Tasks) == 0 && m.s.Time == nil: // codes alone
			for ; i < end; i++ {
				if c := steps.Step(i).Code; int(c) < len(m.codes) && m.codes[c] {
					return i
				}
			}
		default:
			for ; i < end; i++ {
				s := steps.Step(i)
				if m.contains(&s) {
					return i
				}
				if m.s.Time != nil && s.Time > m.s.Time.Last {
					return n
				}
			}
		}
	}
	return n
}

// A Block is a run of consecutive steps of a PE whose selected steps are known without a look at each.
type Block struct {
	From, To int64  // when the first step begins and the last one ends
	Spent    int64  // ns that the selected steps took
	Parts    []Part // by code, also by codes that it does not contain (Steps.Admits); nil if unknown
}

// Visit calls one for each selected step of a PE from step i on that begins before a time. It does not check whether the selection contains the PE. It
// calls block first for each Block: if that returns true, its steps are done.
func (m *Steps) Visit(pe, i int, before int64, block func(Block) bool, one func(account.Step)) {
	steps := &m.index.act.Lanes[pe].Steps
	for n := steps.Len(); i < n; {
		end := min((i/blockLen+1)*blockLen, n)
		if i%blockLen == 0 {
			b, what := m.block(pe, i/blockLen)
			if what == known {
				b.From, b.To = steps.Step(i).Time, steps.End(end-1)
			}
			if what == none || what == known && block(b) {
				i = end
				continue
			}
		}
		for i = m.next(pe, i, end); i < end; i = m.next(pe, i+1, end) {
			s := steps.Step(i)
			if s.Time >= before {
				return
			}
			one(s)
		}
	}
}

// What is known about the steps of a block.
const (
	unknown = iota // whether they are selected
	none           // is selected
	known          // which ones are selected, by their codes
)

// block returns the steps of a block as far as they are known, and their time and codes if these are known.
func (m *Steps) block(pe, k int) (b Block, what int) {
	sum := &m.index.lanes[pe][k]
	if !m.mayContain(sum) {
		return b, none
	}
	b = Block{Spent: sum.spent, Parts: sum.parts}
	switch {
	case m.plain:
		s, tree := m.index.places()[pe].spans[k], m.trees[0]
		switch {
		case s.first >= tree[1] || s.last < tree[0]:
			return b, none
		case s.all && s.first >= tree[0] && s.last < tree[1]:
			return b, known
		}
	case sum.parts != nil && m.codes != nil && len(m.s.Tasks) == 0 && m.s.Time == nil:
		b.Spent = 0
		for _, p := range sum.parts {
			if m.Code(p.Code) {
				b.Spent += p.Spent
			}
		}
		return b, known
	}
	return b, unknown
}

// mayContain reports whether the selection may contain steps of a summary.
func (m *Steps) mayContain(s *summary) bool {
	return s.max >= m.min && s.min <= m.max && s.codes&m.mask != 0
}

// Code reports whether the selection contains a code or its procedure.
func (m *Steps) Code(code uint32) bool { return int(code) < len(m.codes) && m.codes[code] }

// Admits reports whether steps of a code may be selected: the selection has no codes, or has this one.
func (m *Steps) Admits(code uint32) bool { return m.codes == nil || m.Code(code) }

// contains reports whether the selection contains a step. It does not check the step's PE.
func (m *Steps) contains(s *account.Step) bool {
	if m.s.Time != nil && !m.s.Time.Contains(s.Time) || !m.Admits(s.Code) {
		return false
	}
	return len(m.s.Tasks) == 0 || m.Task(s.Task)
}

// Task reports whether the selection names a task or a subtree with it.
func (m *Steps) Task(task uint64) bool {
	if k, ok := slices.BinarySearchFunc(m.ids, task, func(t view.Tasks, task uint64) int {
		switch {
		case t.Last < task:
			return -1
		case t.First > task:
			return 1
		}
		return 0
	}); ok && task >= m.ids[k].First {
		return true
	}
	if len(m.trees) == 0 {
		return false
	}
	node := m.index.Nodes.Node(task)
	_, ok := slices.BinarySearchFunc(m.trees, node, func(t [2]int32, node int32) int {
		switch {
		case t[1] <= node:
			return -1
		case t[0] > node:
			return 1
		}
		return 0
	})
	return ok && node >= 0
}
