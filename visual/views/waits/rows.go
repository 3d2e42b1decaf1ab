package waits

import (
	"cmp"
	"encoding/csv"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer/derive/waits"
	"whorl/visual/view"
)

// A list holds the functions or tasks in the order shown.
type list struct {
	run     *view.Run
	waits   *waits.Waits
	byTask  bool
	sort    string
	reverse bool
	order   []int32                  // of waits.Groups or waits.Tasks
	blocks  map[uint32][]waits.Block // by function, longest first
}

// An entry is a function or a task.
type entry struct {
	id     uint64 // the code of a function, or the task
	code   uint32
	tasks  int64
	alive  int64
	waits  int64
	most   waits.Span
	times  *waits.Times
	causes []waits.Block // of a function
}

func newList(run *view.Run, w *waits.Waits, byTask bool, sort string, reverse bool) *list {
	l := &list{run: run, waits: w, byTask: byTask, sort: sort, reverse: reverse, blocks: map[uint32][]waits.Block{}}
	for _, b := range w.Blocks {
		l.blocks[b.Code] = append(l.blocks[b.Code], b)
	}
	n := len(w.Groups)
	if byTask {
		n = len(w.Tasks)
	}
	l.order = make([]int32, n)
	keys := make([]int64, n)
	for i := range l.order {
		e := l.entry(int32(i))
		l.order[i], keys[i] = int32(i), l.key(&e)
	}
	names := map[uint32]int{} // ranks
	if sort == sortName {
		names = l.ranks()
	}
	slices.SortFunc(l.order, func(a, b int32) int {
		c := cmp.Compare(keys[b], keys[a])
		if sort == sortName {
			c = cmp.Compare(names[l.code(a)], names[l.code(b)])
		}
		if reverse {
			c = -c
		}
		return cmp.Or(c, cmp.Compare(a, b))
	})
	return l
}

// ranks returns the ranks of functions by name.
func (l *list) ranks() map[uint32]int {
	ranks := map[uint32]int{}
	var codes []uint32
	for i := range l.waits.Groups {
		codes = append(codes, l.waits.Groups[i].Code)
	}
	slices.SortFunc(codes, func(a, b uint32) int { return cmp.Or(cmp.Compare(l.run.Name(a), l.run.Name(b)), cmp.Compare(a, b)) })
	for i, c := range codes {
		ranks[c] = i
	}
	return ranks
}

func (l *list) code(at int32) uint32 {
	if l.byTask {
		return l.waits.Tasks[at].Code
	}
	return l.waits.Groups[at].Code
}

// entry returns a function or task.
func (l *list) entry(at int32) entry {
	if l.byTask {
		t := &l.waits.Tasks[at]
		e := entry{id: t.ID, code: t.Code, tasks: 1, waits: t.Waits, most: t.Most, times: &t.Times}
		if t.Alive {
			e.alive = 1
		}
		return e
	}
	x := &l.waits.Groups[at]
	return entry{id: uint64(x.Code), code: x.Code, tasks: x.Tasks, alive: x.Alive, waits: x.Waits, most: x.Most, times: &x.Times, causes: l.blocks[x.Code]}
}

// key returns the number that rows are sorted by.
func (l *list) key(e *entry) int64 {
	if s := slices.Index(stateNames[:], l.sort); s >= 0 {
		return e.times[s]
	}
	switch l.sort {
	case sortLife:
		return e.times.Sum()
	case sortTasks:
		return e.tasks
	case sortWaits:
		return e.waits
	case sortLongest:
		return e.most.To - e.most.From
	}
	return 0
}

// name returns the name of an entry.
func (l *list) name(e *entry) string {
	if l.byTask {
		return l.run.TaskName(e.id, e.code)
	}
	return l.run.Name(e.code)
}

// reason returns what a wait was for.
func (l *list) reason(b *waits.Block) string {
	switch b.Kind {
	case waits.ForJoin:
		return "the end of a thread"
	case waits.ForBinding:
		return "a value"
	}
	if int(b.Reason) < len(l.run.Codes) && l.run.Codes[b.Reason].Name != "" {
		return l.run.Codes[b.Reason].Name
	}
	return "an unknown reason"
}

// cause returns what a wait was for and the function that ended it.
func (l *list) cause(b *waits.Block) string {
	s := l.reason(b)
	if b.By != 0 {
		s += ", by " + l.run.Name(b.By)
	}
	if b.Inferred {
		s += " (inferred)"
	}
	return s
}

// A row is a function or task, or one of its causes.
type row struct {
	entry  int32 // of the entry
	cause  int32 // index in its causes, -1 for the entry
	open   bool
	marked bool
}

// causesOf returns the causes of the waits of an entry, longest first. Those of a task are known only while it is open.
func (g *Geometry) causesOf(e *entry) []waits.Block {
	if g.byTask {
		return g.causes[e.id]
	}
	return e.causes
}

// mostOpened is the largest number of open rows; the oldest are forgotten.
const mostOpened = 1000

// lay makes the rows: the entries, and the causes of the open ones.
func (g *Geometry) lay(open []uint64) {
	isOpen := map[uint64]bool{}
	for _, id := range open[max(len(open)-mostOpened, 0):] {
		isOpen[id] = true
	}
	g.rows = make([]row, 0, len(g.order))
	for _, at := range g.order {
		r := row{entry: at, cause: -1}
		if len(isOpen) > 0 {
			if e := g.entry(at); isOpen[e.id] {
				causes := g.causesOf(&e)
				r.open = len(causes) > 0
				g.rows = append(g.rows, r)
				for k := range causes {
					g.rows = append(g.rows, row{entry: at, cause: int32(k)})
				}
				continue
			}
		}
		g.rows = append(g.rows, r)
	}
}

// search marks the rows whose names match, and the entries with such causes.
func (g *Geometry) search(re *regexp.Regexp) {
	names := map[uint32]bool{}
	match := func(code uint32) bool {
		m, known := names[code]
		if !known {
			m = re.MatchString(g.run.Name(code))
			names[code] = m
		}
		return m
	}
	for i := range g.rows {
		r := &g.rows[i]
		e := g.entry(r.entry)
		if r.cause >= 0 {
			r.marked = re.MatchString(g.cause(&g.causesOf(&e)[r.cause]))
		} else {
			r.marked = match(e.code) || g.byTask && re.MatchString(strconv.FormatUint(e.id, 10))
			if !r.open {
				r.marked = r.marked || slices.ContainsFunc(g.causesOf(&e), func(b waits.Block) bool { return re.MatchString(g.cause(&b)) })
			}
		}
		if r.marked {
			g.found++
		}
	}
}

// toggled returns the value of the parameter opened with some entries opened or closed.
func (g *Geometry) toggled(open bool, ids ...uint64) string {
	fields := strings.FieldsFunc(g.opened, func(c rune) bool { return c == ',' || c == ' ' })
	for _, id := range ids {
		text := strconv.FormatUint(id, 10)
		fields = slices.DeleteFunc(fields, func(s string) bool { return s == text })
		if open {
			fields = append(fields, text)
		}
	}
	return strings.Join(fields[max(len(fields)-mostOpened, 0):], ",")
}

// unlisted returns the number of tasks that have no row of their own.
func (l *list) unlisted() int64 {
	if !l.byTask {
		return 0
	}
	return l.waits.All.Tasks - int64(len(l.waits.Tasks))
}

// lines returns the cells of each row after its name: the cause, the tasks, the waits, the life, the time in each state, and the longest wait.
func (g *Geometry) lines(count, duration func(int64) string) (lines [][]string) {
	for i := range g.rows {
		e := g.entry(g.rows[i].entry)
		line, longest := []string{"", count(e.tasks), count(e.waits), duration(e.times.Sum())}, e.most
		for _, ns := range e.times {
			line = append(line, duration(ns))
		}
		if k := g.rows[i].cause; k >= 0 {
			b := &g.causesOf(&e)[k]
			clear(line)
			longest = b.Most
			line[0], line[2], line[4+waits.Blocked] = g.cause(b), count(b.Count+b.Open), duration(b.Time)
		}
		lines = append(lines, append(line, duration(longest.To-longest.From)))
	}
	return lines
}

// Table returns all rows.
func (g *Geometry) Table() (title string, headings []string, rows [][]string) {
	headings = []string{view.Capital(g.run.Unit()), "cause", "tasks", "waits", "life"}
	for s := range waits.NumStates {
		headings = append(headings, s.String())
	}
	for i, line := range g.lines(figures.Count, figures.Duration) {
		e := g.entry(g.rows[i].entry)
		rows = append(rows, append([]string{g.name(&e)}, line...))
	}
	return "Waits", append(headings, "longest wait"), rows
}

// CSV returns all rows with times in ns.
func (g *Geometry) CSV() string {
	headings := []string{g.run.Unit(), "task", "cause", "tasks", "waits", "life_ns"}
	for _, name := range stateNames {
		headings = append(headings, name+"_ns")
	}
	records := [][]string{append(headings, "longest_ns")}
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	for i, line := range g.lines(number, number) {
		e := g.entry(g.rows[i].entry)
		task := ""
		if g.byTask {
			task = strconv.FormatUint(e.id, 10)
		}
		records = append(records, append([]string{g.run.Name(e.code), task}, line...))
	}
	var b strings.Builder
	_ = csv.NewWriter(&b).WriteAll(records) // a Builder has no errors
	return b.String()
}
