package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
)

// An Annotated is the source text of functions with what their lines and instructions took.
type Annotated struct {
	Metric    string              `json:"metric"`
	Unit      string              `json:"unit"`
	Run       TopRun              `json:"run"`
	Functions []AnnotatedFunction `json:"functions"` // the largest exclusive values first, or inclusive ones
}

// An AnnotatedFunction is a function with its lines in ascending order: those with values, and those around them whose text the trace has.
type AnnotatedFunction struct {
	Name      string          `json:"name"`
	File      string          `json:"file"` // "" if unknown
	Exclusive float64         `json:"exclusive"`
	Inclusive float64         `json:"inclusive"`
	Lines     []AnnotatedLine `json:"lines"`
}

// An AnnotatedLine is a line of a function. A function that was inlined into it has lines of its own.
type AnnotatedLine struct {
	Line         int32                  `json:"line"` // 0 if it is unknown
	Text         string                 `json:"text"`
	Exclusive    float64                `json:"exclusive"`
	Inclusive    float64                `json:"inclusive"`
	Instructions []AnnotatedInstruction `json:"instructions,omitempty"`
}

// An AnnotatedInstruction is an instruction of a line with samples.
type AnnotatedInstruction struct {
	Text      string  `json:"text"`
	Exclusive float64 `json:"exclusive"`
	Inclusive float64 `json:"inclusive"`
}

// Annotate returns the lines of the functions of a trace whose names match a regular expression.
func Annotate(name string, src tracer.Source, q ProfileQuery, cumulative bool, some *regexp.Regexp) (*Annotated, error) {
	q.By = "function"
	p, err := profileOf([]string{name}, []tracer.Source{src}, &q)
	if err != nil {
		return nil, err
	}
	m := p.tree.Metrics[p.metric]
	a := &annotator{src: src, codes: src.Dict().Codes(), scale: scaleOf(m), lines: map[uint32][]AnnotatedLine{}, files: map[uint32]string{}, texts: map[string][]string{}}
	for _, c := range a.codes {
		if c.Type == tracer.Line && c.File != "" && a.files[c.Parent] == "" {
			a.files[c.Parent] = c.File
		}
	}
	for _, s := range src.Meta().Source {
		a.texts[s.Name] = strings.Split(strings.TrimSuffix(s.Text, "\n"), "\n")
	}
	if err := a.read(&q, m.Name); err != nil {
		return nil, err
	}
	out := &Annotated{Metric: m.Name, Unit: m.Unit, Run: TopRun{name, p.first[1], p.totals[0], p.kept[0]}, Functions: []AnnotatedFunction{}}
	title := procedureNames(src)
	for _, f := range a.functions {
		if n := title(f.Code); some.MatchString(n) && (f.Exclusive != 0 || f.Inclusive != 0) {
			out.Functions = append(out.Functions, AnnotatedFunction{
				Name: n, File: a.file(f.Code), Exclusive: float64(f.Exclusive) * a.scale, Inclusive: float64(f.Inclusive) * a.scale, Lines: a.text(f.Code),
			})
		}
	}
	if len(out.Functions) == 0 {
		return nil, fmt.Errorf("%s: no function matches %q", name, some)
	}
	if cumulative {
		slices.SortStableFunc(out.Functions, func(a, b AnnotatedFunction) int { return cmp.Compare(b.Inclusive, a.Inclusive) })
	}
	return out, nil
}

// An annotator collects the lines of functions.
type annotator struct {
	src       tracer.Source
	codes     []tracer.Code
	scale     float64
	functions []callingcontext.Function
	lines     map[uint32][]AnnotatedLine // by code of the function
	files     map[uint32]string          // of the first line of a function, by its code
	texts     map[string][]string        // the lines of source files
}

// read makes the flat profiles of functions, lines and instructions.
func (a *annotator) read(q *ProfileQuery, metric string) error {
	flat := func(frame callingcontext.Frame) ([]callingcontext.Function, error) {
		_, t, _, err := q.trees(a.src, frame)
		if err != nil {
			return nil, err
		}
		t = t.Select(q.selection(a.src.Dict())).Tree
		k := t.Metric(metric)
		return t.Flat(callingcontext.Root, func(v int32, inclusive bool) int64 { return t.Total(v, k, inclusive) }), nil
	}
	var err error
	if a.functions, err = flat(callingcontext.ByFunction); err != nil {
		return err
	}
	lines, err := flat(callingcontext.ByLine)
	if err != nil {
		return err
	}
	instructions, err := flat(callingcontext.ByInstruction)
	if err != nil {
		return err
	}
	for _, f := range lines {
		code := a.codes[f.Code]
		line := a.line(tracer.Owner(a.codes, f.Code), code.Line, code.Type)
		line.Exclusive += float64(f.Exclusive) * a.scale
		line.Inclusive += float64(f.Inclusive) * a.scale
	}
	slices.SortStableFunc(instructions, func(x, y callingcontext.Function) int {
		return cmp.Or(cmp.Compare(a.codes[x.Code].Line, a.codes[y.Code].Line), cmp.Compare(x.Code, y.Code))
	})
	for _, f := range instructions {
		code := a.codes[f.Code]
		if code.Type != tracer.Instruction || int(code.Parent) >= len(a.codes) {
			continue
		}
		of := a.codes[code.Parent]
		line := a.line(tracer.Owner(a.codes, f.Code), of.Line, of.Type)
		line.Instructions = append(line.Instructions, AnnotatedInstruction{code.Name, float64(f.Exclusive) * a.scale, float64(f.Inclusive) * a.scale})
	}
	return nil
}

// line returns a line of a function, a new one if it has none of this number. A code that is no line or clause has no number.
func (a *annotator) line(function uint32, number int32, t tracer.CodeType) *AnnotatedLine {
	if t != tracer.Line && t != tracer.Clause {
		number = 0
	}
	all := a.lines[function]
	k, found := slices.BinarySearchFunc(all, number, func(l AnnotatedLine, number int32) int { return cmp.Compare(l.Line, number) })
	if !found {
		all = slices.Insert(all, k, AnnotatedLine{Line: number})
		a.lines[function] = all
	}
	return &all[k]
}

// file returns the file of a function: its own, or that of its first line.
func (a *annotator) file(function uint32) string {
	return cmp.Or(a.codes[function].File, a.files[function])
}

// around is the number of lines without values that are shown before and after those with values.
const around = 5

// text returns the lines of a function with their text, and lines around them.
func (a *annotator) text(function uint32) []AnnotatedLine {
	lines := a.lines[function]
	text := a.texts[a.file(function)]
	if len(text) == 0 || len(lines) == 0 || lines[len(lines)-1].Line == 0 {
		return lines
	}
	numbered := lines
	if lines[0].Line == 0 {
		numbered = lines[1:]
	}
	first, last := numbered[0].Line, numbered[len(numbered)-1].Line
	begin, end := max(first-around, 1), last+around
	if f := a.codes[function]; f.Type == tracer.Function && f.Line > 0 && f.Line <= first {
		if begin = max(begin, f.Line); f.Children > 0 {
			end = min(end, max(f.Line+f.Children-1, last))
		}
	}
	whole := slices.Clone(lines[:len(lines)-len(numbered)])
	for n := begin; n <= max(min(end, int32(len(text))), last); n++ {
		line := AnnotatedLine{Line: n}
		if len(numbered) > 0 && numbered[0].Line == n {
			line, numbered = numbered[0], numbered[1:]
		} else if int(n) > len(text) {
			continue // the text is shorter than the file was
		}
		if int(n) <= len(text) {
			line.Text = text[n-1]
		}
		whole = append(whole, line)
	}
	return whole
}

// Cut keeps the first n functions, all for 0, and returns the number of the others.
func (l *Annotated) Cut(n int) (left int) { return firstRows(&l.Functions, n) }

// WriteJSON writes the functions as one object.
func (l *Annotated) WriteJSON(w io.Writer) error { return WriteJSON(w, l) }

// WriteCSV writes a line of headings, a line for each line of a function, and one for each of its instructions.
func (l *Annotated) WriteCSV(w io.Writer) error {
	rows := [][]string{{"function", "file", "line", "kind", "text", "exclusive", "inclusive"}}
	for _, f := range l.Functions {
		for _, x := range f.Lines {
			number := strconv.Itoa(int(x.Line))
			rows = append(rows, []string{f.Name, f.File, number, "line", x.Text, plain(x.Exclusive), plain(x.Inclusive)})
			for _, i := range x.Instructions {
				rows = append(rows, []string{f.Name, f.File, number, "instruction", i.Text, plain(i.Exclusive), plain(i.Inclusive)})
			}
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// WriteTable writes a block for each function: its values, and its lines with theirs. Left is the number of functions that were cut off.
func (l *Annotated) WriteTable(w io.Writer, left int) error {
	var b strings.Builder
	l.Run.write(&b, "", l.Metric, l.Unit)
	text := func(v float64) string {
		if v == 0 {
			return "."
		}
		return amount(v, l.Unit)
	}
	for _, f := range l.Functions {
		fmt.Fprintf(&b, "\n%s", f.Name)
		if f.File != "" {
			b.WriteString(" in " + f.File)
		}
		fmt.Fprintf(&b, ": exclusive %s (%s), inclusive %s (%s)\n\n", amount(f.Exclusive, l.Unit), share(f.Exclusive, l.Run.Total), amount(f.Inclusive, l.Unit), share(f.Inclusive, l.Run.Total))
		rows := [][]string{{"", "exclusive", "inclusive", "line", ""}}
		for _, x := range f.Lines {
			number := strconv.Itoa(int(x.Line))
			if x.Line == 0 {
				number, x.Text = "", "(line unknown)"
			}
			rows = append(rows, []string{"", text(x.Exclusive), text(x.Inclusive), number, strings.ReplaceAll(strings.TrimSuffix(x.Text, "\r"), "\t", "    ")})
			for _, i := range x.Instructions {
				rows = append(rows, []string{"", text(i.Exclusive), text(i.Inclusive), "", "    | " + i.Text})
			}
		}
		writeColumns(&b, rows, 4)
	}
	if left > 0 {
		b.WriteString("\n" + figures.Counted(int64(left), "function") + " with smaller values\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
