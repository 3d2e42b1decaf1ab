package report

import (
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/account"
)

// Work divides the work of a run by code and by task.
type Work struct {
	Functions  []FunctionTime `json:"functions"`   // the work by function or procedure, most first
	Lines      []LineTime     `json:"lines"`       // the same by line or clause, most first; empty if no line is known
	TopTasks   []TaskTime     `json:"top_tasks"`   // the tasks with the most work, most first
	OtherTasks *TaskSums      `json:"other_tasks"` // all others with work; null if the trace names no tasks
	CostError  *float64       `json:"cost_error"`  // of the functions' times, relative, if they are parts of measured times by calibrated costs
}

// A FunctionTime is the work in a function or procedure.
type FunctionTime struct {
	Function string  `json:"function"`
	TimeNs   int64   `json:"time_ns"`
	Share    float64 `json:"share"` // of the work, 0 to 1
	Parts    int64   `json:"parts"` // tries and reductions, or uninterrupted runs; 0 if samples name the function
}

// A LineTime is the work in a line of a program or in a clause, or the work in a function whose lines are unknown.
type LineTime struct {
	File     string  `json:"file"` // "" if unknown
	Line     int32   `json:"line"` // 0 if unknown
	Text     string  `json:"text"` // of the line, "" if the trace does not have it
	Function string  `json:"function"`
	TimeNs   int64   `json:"time_ns"`
	Share    float64 `json:"share"` // of the work, 0 to 1
}

// A TaskTime holds the times and the messages of a task.
type TaskTime struct {
	Task     uint64  `json:"task"`
	Function string  `json:"function"`
	TimeNs   int64   `json:"time_ns"`
	Share    float64 `json:"share"` // of the work, 0 to 1
	WaitNs   int64   `json:"wait_ns"`
	Messages int64   `json:"messages"`
}

// TaskSums are the sums of several tasks.
type TaskSums struct {
	Count    int64   `json:"count"`
	TimeNs   int64   `json:"time_ns"`
	Share    float64 `json:"share"` // of the work, 0 to 1
	WaitNs   int64   `json:"wait_ns"`
	Messages int64   `json:"messages"`
}

// mostListed is the number of rows of a list; the others are summed in one more row.
const mostListed = 8

// noWork returns the division of unknown work.
func noWork() Work {
	return Work{Functions: []FunctionTime{}, Lines: []LineTime{}, TopTasks: []TaskTime{}}
}

// workOf divides the work of an account.
func workOf(src tracer.Source, a *account.Account) Work {
	w := noWork()
	meta, d := src.Meta(), division{namesOf(src), a.Total()[account.Work]}
	functions := a.Functions(d.codes)
	if len(functions) == 1 && functions[0].Owner == 0 { // the trace names no code
		functions = nil
	}
	for _, f := range functions {
		w.Functions = append(w.Functions, FunctionTime{d.owner(f.Owner), f.Work, d.share(f.Work), f.Parts()})
	}
	if e, ok := meta.CostError(); ok && len(functions) > 0 {
		w.CostError = &e
	}
	if lines, known := d.lines(a.Lines(d.codes), linesOf(meta.Source)); known {
		w.Lines = lines
	}
	if a.Tasks != nil && a.Tasks.Count > 0 {
		w.divideTasks(a.Tasks, d)
	}
	return w
}

// A division divides the work of a run in ns among its codes.
type division struct {
	names
	work int64
}

// share returns a part of the work as a share, 0 to 1.
func (d division) share(ns int64) float64 {
	if d.work <= 0 {
		return 0
	}
	return float64(ns) / float64(d.work)
}

// lines returns the work by line. known reports whether any part has a line.
func (d division) lines(parts []account.Part, texts sourceLines) (lines []LineTime, known bool) {
	for _, p := range parts {
		if p.Work <= 0 {
			continue
		}
		c := &d.codes[p.Owner]
		x := LineTime{File: c.File, Function: d.owner(p.Owner), TimeNs: p.Work, Share: d.share(p.Work)}
		if c.Line > 0 && (c.Type == tracer.Line || c.Type == tracer.Clause) {
			known = true
			x.Line, x.Text = c.Line, texts.line(c.File, c.Line)
		}
		lines = append(lines, x)
	}
	return lines, known
}

// divideTasks lists the tasks with the most work and sums the others.
func (w *Work) divideTasks(tasks *account.ByTask, d division) {
	most := tasks.Most[:min(mostListed, len(tasks.Most))]
	for i := range most {
		t := &most[i]
		w.TopTasks = append(w.TopTasks, TaskTime{t.ID, d.owner(t.Code), t.Work, d.share(t.Work), t.Waiting, t.Messages})
	}
	n, rest := tasks.Others(len(most))
	w.OtherTasks = &TaskSums{n, rest.Work, d.share(rest.Work), rest.Waiting, rest.Messages}
}

// names has the names of the codes of a trace.
type names struct {
	codes    []tracer.Code
	homonyms map[uint32]string
}

func namesOf(src tracer.Source) names {
	codes := src.Dict().Codes()
	return names{codes, tracer.Homonyms(codes)}
}

// owner returns the name of the procedure or function of a code, with what tells it from others of the same name.
func (n names) owner(code uint32) string {
	if owner := tracer.Owner(n.codes, code); owner > 0 && n.codes[owner].Name != "" {
		return n.codes[owner].Name + n.homonyms[owner]
	}
	return "unknown"
}

// sourceLines holds the lines of source files by name.
type sourceLines map[string][]string

func linesOf(files []tracer.SourceFile) sourceLines {
	t := sourceLines{}
	for _, f := range files {
		t[f.Name] = strings.Split(f.Text, "\n")
	}
	return t
}

// line returns the text of a line without the space around it, "" if it is unknown.
func (t sourceLines) line(file string, line int32) string {
	if all := t[file]; line > 0 && int(line) <= len(all) {
		return strings.TrimSpace(all[line-1])
	}
	return ""
}

// table adds the numbers to a table. It lists lines only of sampled programs; the clauses of others are parts of their procedures.
func (w *Work) table(t rows) {
	functions := make([]portion, len(w.Functions))
	for i, f := range w.Functions {
		functions[i] = portion{f.Function, f.TimeNs, f.Share, ""}
	}
	t.portions("functions", functions)
	if w.CostError != nil {
		t("cost error", "± "+figures.Share(*w.CostError, 0)+": functions share measured times by calibrated costs")
	}
	if sampled := len(w.Functions) > 0 && len(w.TopTasks) == 0; sampled {
		lines := make([]portion, len(w.Lines))
		for i, l := range w.Lines {
			name := l.Function
			if l.Line > 0 {
				name = l.File + ":" + strconv.Itoa(int(l.Line))
			}
			lines[i] = portion{name, l.TimeNs, l.Share, cut(l.Text, lineWidth)}
		}
		t.portions("lines", lines)
	}
	tasks := make([]portion, len(w.TopTasks))
	for i, x := range w.TopTasks {
		tasks[i] = portion{strconv.FormatUint(x.Task, 10) + " " + x.Function, x.TimeNs, x.Share, spentText(x.WaitNs, x.Messages)}
	}
	t.portions("tasks by work", tasks)
	if o := w.OtherTasks; o != nil && o.Count > 0 {
		t(" ", portion{"and " + figures.Count(o.Count) + " more with work", o.TimeNs, o.Share, spentText(o.WaitNs, o.Messages)}.text())
	}
}

const lineWidth = 48 // of the text of a line in a table

// cut cuts a text after n characters.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// spentText describes the waits and the messages of tasks.
func spentText(waiting, messages int64) string {
	s := ""
	if waiting > 0 {
		s = "waiting " + figures.Duration(waiting)
	}
	switch {
	case messages == 1:
		s = joined(s, "1 message")
	case messages > 1:
		s = joined(s, figures.Count(messages)+" messages")
	}
	return s
}

// A portion is a named part of a time.
type portion struct {
	name  string
	ns    int64
	share float64
	more  string // follows the share, "" for nothing
}

func (p portion) text() string {
	s := p.name + "  " + figures.Duration(p.ns) + "  " + figures.Share(p.share, 1)
	if p.more != "" {
		s += "  " + p.more
	}
	return s
}

// portions adds a row for each of the first portions and one for the sum of the others.
func (t rows) portions(name string, all []portion) {
	for i, p := range all {
		if i == mostListed {
			rest := portion{name: "and " + figures.Count(int64(len(all)-i)) + " more"}
			for _, q := range all[i:] {
				rest.ns, rest.share = rest.ns+q.ns, rest.share+q.share
			}
			t(" ", rest.text())
			return
		}
		t(name, p.text())
		name = " "
	}
}
