package callgrind

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// Write writes the samples of a trace as the costs of lines and of calls. Each metric is an event, with its unit in brackets as Read takes it, and each
// processor with samples is a part. The costs of a call are those of the samples below it. A sample counts once for a caller and a callee, at their
// outermost call, and not for a call of a function by itself, so that recursive calls do not cost more than the program. Samples do not tell how often functions were called: the counts of calls
// are 0. Costs are whole and not negative: fractions are rounded, and negative values are left out.
func Write(w io.Writer, src tracer.Source) error {
	s, err := profile.Sum(src, profile.LineOf)
	if err != nil {
		return err
	}
	o := &writer{Sums: s, w: bufio.NewWriter(w), place: make([]site, len(s.Stacks)), again: make([]bool, len(s.Stacks)), below: make([][]int64, len(s.Stacks))}
	for i := 1; i < len(s.Stacks); i++ {
		o.place[i] = o.site(s.Stacks[i].Code)
		o.again[i] = o.repeats(uint32(i))
	}
	o.print("# callgrind format\nversion: 1\ncreator: whorl\n")
	names := s.Unique()
	for i, pe := range s.PEs {
		o.part(i, names[i], pe)
	}
	return o.w.Flush() // Flush returns the first error of all writes
}

type writer struct {
	*profile.Sums
	w     *bufio.Writer
	place []site    // by stack: its innermost frame
	again []bool    // by stack: the same call is further out on it
	below [][]int64 // by stack: the costs there and below in the present part, by metric; nil for none
	known [2]map[string]int
}

// A function is named by its file and its name.
type function struct{ file, name string }

// A site is a line of a function. The line may be in another file, such as a header.
type site struct {
	function
	in   string // the file of the line
	line int32
}

// A cost is that of a line, or of the calls from it to a function.
type cost struct {
	site
	calls  bool
	callee function
	start  int32 // first line of the callee
	values []int64
}

func (o *writer) print(text string) { _, _ = o.w.WriteString(text) }

// site returns the line of a code.
func (o *writer) site(code uint32) site {
	c, owner := o.Codes[code], o.Codes[profile.OwnerOf(o.Codes, code)]
	at := site{function: function{cmp.Or(owner.File, "???"), o.Name(code)}, line: owner.Line}
	at.in = at.file
	if c.Type == tracer.Line {
		at.in, at.line = cmp.Or(c.File, at.file), c.Line
	}
	return at
}

// repeats reports whether the call of the innermost frame of a stack is also further out on it.
func (o *writer) repeats(stack uint32) bool {
	caller := o.Stacks[stack].Caller
	for at := caller; at != 0 && caller != 0; {
		up := o.Stacks[at].Caller
		if up != 0 && o.place[at].function == o.place[stack].function && o.place[up].function == o.place[caller].function {
			return true
		}
		at = up
	}
	return false
}

// part writes the samples of a processor.
func (o *writer) part(number int, name string, pe int32) {
	var used []uint32 // stacks with costs
	totals := make([]int64, len(o.Metrics))
	for i := range o.Cells {
		c := &o.Cells[i]
		if c.PE != pe {
			continue
		}
		for at := c.Stack; at != 0; at = o.Stacks[at].Caller {
			if o.below[at] == nil {
				o.below[at] = make([]int64, len(o.Metrics))
				used = append(used, at)
			}
			o.add(o.below[at], c.Values)
		}
		o.add(totals, c.Values)
	}
	o.known = [2]map[string]int{{}, {}}
	o.printf("cmd: %s\npart: %d\n", plain(cmp.Or(o.Meta.Program, "???")), number+1)
	if len(o.PEs) > 1 {
		o.printf("thread: %d\ndesc: Processor: %s\n", number+1, plain(name))
	}
	o.print("positions: line\nevents:")
	for i := range o.Metrics {
		o.print(" " + event(&o.Metrics[i]))
	}
	o.print("\nsummary:" + numbers(totals) + "\n")
	var last function
	source := ""
	for _, c := range o.costs(pe, used) {
		if c.function != last {
			o.printf("\nfl=%s\nfn=%s\n", o.short(files, c.file), o.short(functions, c.name))
			last, source = c.function, c.file
		}
		if c.in != source {
			key := "fi"
			if c.in == c.file {
				key = "fe"
			}
			o.printf("%s=%s\n", key, o.short(files, c.in))
			source = c.in
		}
		if c.calls {
			o.printf("cfi=%s\ncfn=%s\ncalls=0 %d\n", o.short(files, c.callee.file), o.short(functions, c.callee.name), c.start)
		}
		o.print(strconv.Itoa(int(c.line)) + numbers(c.values) + "\n")
	}
	o.print("\ntotals:" + numbers(totals) + "\n\n")
	for _, at := range used {
		o.below[at] = nil
	}
}

// add adds values of a cell, as they are written.
func (o *writer) add(to, values []int64) {
	for m, v := range values {
		_, scale := profile.UnitOf(&o.Metrics[m])
		if v = profile.Multiplied(v, scale); v > 0 {
			to[m] = min(to[m], math.MaxInt64-v) + v
		}
	}
}

// costs returns the costs of a processor, sorted by function and line, those of lines before those of calls.
func (o *writer) costs(pe int32, used []uint32) []cost {
	type key struct {
		site
		calls  bool
		callee function
	}
	var all []cost
	known := map[key]int{}
	find := func(c cost) *cost {
		k := key{c.site, c.calls, c.callee}
		i, ok := known[k]
		if !ok {
			i = len(all)
			known[k] = i
			c.values = make([]int64, len(o.Metrics))
			all = append(all, c)
		}
		return &all[i]
	}
	for i := range o.Cells {
		if c := &o.Cells[i]; c.PE == pe {
			o.add(find(cost{site: o.place[c.Stack]}).values, c.Values)
		}
	}
	for _, at := range used {
		caller := o.Stacks[at].Caller
		if caller == 0 || o.again[at] || o.place[at].function == o.place[caller].function {
			continue
		}
		start := o.Codes[profile.OwnerOf(o.Codes, o.Stacks[at].Code)].Line
		values := find(cost{site: o.place[caller], calls: true, callee: o.place[at].function, start: start}).values
		for m, v := range o.below[at] {
			values[m] = min(values[m], math.MaxInt64-v) + v
		}
	}
	all = slices.DeleteFunc(all, func(c cost) bool { return slices.Max(c.values) == 0 })
	slices.SortFunc(all, func(a, b cost) int {
		return cmp.Or(
			cmp.Compare(a.file, b.file), cmp.Compare(a.name, b.name), compareFiles(a, b), cmp.Compare(a.line, b.line), order(a.calls)-order(b.calls),
			cmp.Compare(a.callee.file, b.callee.file), cmp.Compare(a.callee.name, b.callee.name),
		)
	})
	return all
}

// compareFiles puts the lines in the file of a function before others.
func compareFiles(a, b cost) int {
	return cmp.Or(order(a.in != a.file)-order(b.in != b.file), cmp.Compare(a.in, b.in))
}

func order(later bool) int {
	if later {
		return 1
	}
	return 0
}

func (o *writer) printf(format string, args ...any) { _, _ = fmt.Fprintf(o.w, format, args...) }

// short returns a name with its number, or the number alone of a name that the part had before.
func (o *writer) short(kind int, name string) string {
	n, ok := o.known[kind][name]
	if ok {
		return "(" + strconv.Itoa(n) + ")"
	}
	n = len(o.known[kind]) + 1
	o.known[kind][name] = n
	return "(" + strconv.Itoa(n) + ") " + plain(name)
}

// plain returns a text on one line.
func plain(text string) string { return strings.Join(strings.Fields(text), " ") }

// numbers returns costs, each behind a blank. Those at the end that are 0 may be missing.
func numbers(values []int64) (text string) {
	for len(values) > 1 && values[len(values)-1] == 0 {
		values = values[:len(values)-1]
	}
	for _, v := range values {
		text += " " + strconv.FormatInt(v, 10)
	}
	return text
}

// symbols are the units that are written in a short form.
var symbols = map[string]string{"nanoseconds": "ns", "microseconds": "us", "milliseconds": "ms", "seconds": "s"}

// word matches the units that Read takes.
var word = regexp.MustCompile(`^\w+$`)

// event returns the name of an event, without blanks.
func event(metric *tracer.Code) string {
	unit, _ := profile.UnitOf(metric)
	unit = cmp.Or(symbols[unit], unit)
	name := strings.Join(strings.Fields(metric.Name), "_")
	if unit == metric.Name || !word.MatchString(unit) {
		return name
	}
	return name + "(" + unit + ")"
}
