package solve

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/fault"
	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/lesson"
	"whorl/tracer/query"
)

// A world holds the numbers and texts that the expressions of a lesson can use.
type world struct {
	names   []string // of the numbers, in their order
	numbers map[string]number
	words   map[string]words
	runs    map[string][]string   // those that a number or a text comes from
	schema  *query.Schema[*world] // of the names at the time when it was made, nil if there are more
}

// A number is a value of an expression. Times are in ns.
type number struct {
	value     float64
	dimension int
	share     bool
}

// words are a text, with those among which it is.
type words struct {
	text  string
	known []string
}

func newWorld() *world {
	return &world{numbers: map[string]number{}, words: map[string]words{}, runs: map[string][]string{}}
}

func (w *world) set(name string, n number) {
	if _, old := w.numbers[name]; !old {
		w.names = append(w.names, name)
	}
	w.numbers[name] = n
	w.schema = nil
}

// addRun adds the quantities of a run under a name. Those that the run does not have are not numbers.
func (w *world) addRun(name string, m *Made) {
	for i := range Quantities {
		q := &Quantities[i]
		n := number{value: math.NaN(), share: q.Share}
		if q.Type == query.Time {
			n.dimension = 1
		}
		if x := q.get(m.Stats); x != nil {
			n.value = *x
		}
		w.set(name+"."+q.Name, n)
		w.runs[name+"."+q.Name] = []string{name}
	}
	for _, n := range Names {
		text, known := n.get(m)
		w.words[name+"."+n.Name] = words{text, known}
		w.runs[name+"."+n.Name] = []string{name}
	}
}

// fields returns the schema of expressions.
func (w *world) fields() query.Schema[*world] {
	if w.schema == nil {
		s := query.Schema[*world]{Rows: "the lesson"}
		for _, name := range w.names {
			typ := query.Number
			if w.numbers[name].dimension == 1 {
				typ = query.Time
			}
			s.Fields = append(s.Fields, query.Field[*world]{Name: name, Type: typ, Real: func(w *world) float64 { return w.numbers[name].value }})
		}
		w.schema = &s
	}
	return *w.schema
}

// number computes an expression.
func (w *world) number(text string) (number, error) {
	e, err := query.Parse(text)
	if err != nil {
		return number{}, err
	}
	s := w.fields()
	measure, dimension, err := query.Measure(s, e)
	if err != nil {
		return number{}, w.explain(err, text)
	}
	if err := w.allKnown(e); err != nil {
		return number{}, err
	}
	n := number{value: measure(w), dimension: dimension, share: w.numbers[strings.TrimSpace(text)].share}
	if math.IsNaN(n.value) || math.IsInf(n.value, 0) {
		return n, e.Wrong("the expression has no value: it divides by 0", "")
	}
	if dimension != 0 && dimension != 1 {
		return n, e.Wrong(fmt.Sprintf("the expression is a time to the power of %d", dimension), "a time or a plain number")
	}
	return n, nil
}

// holds computes a condition.
func (w *world) holds(text string) (bool, error) {
	e, err := query.Parse(text)
	if err != nil {
		return false, err
	}
	where, err := query.Where(w.fields(), e)
	if err != nil {
		return false, w.explain(err, text)
	}
	if err := w.allKnown(e); err != nil {
		return false, err
	}
	return where(w), nil
}

// allKnown returns an error for an expression that uses a quantity that its run does not have.
func (w *world) allKnown(e *query.Expr) error {
	for _, name := range query.Uses(w.fields(), e) {
		if math.IsNaN(w.numbers[name].value) {
			run, quantity, _ := strings.Cut(name, ".")
			return e.Wrong(fmt.Sprintf("the run %s has no %s", run, quantity), "a quantity that runs of this kind have")
		}
	}
	return nil
}

// from returns the runs that the value of an expression comes from, in alphabetical order.
func (w *world) from(text string) (runs []string) {
	if _, ok := w.words[text]; ok {
		return w.runs[text]
	}
	e, err := query.Parse(text)
	if err != nil {
		return nil
	}
	for _, name := range query.Uses(w.fields(), e) {
		runs = append(runs, w.runs[name]...)
	}
	slices.Sort(runs)
	return slices.Compact(runs)
}

// explain makes errors about unknown names shorter: they name the near ones of many.
func (w *world) explain(err error, text string) error {
	wrong := new(fault.Error)
	if !errors.As(err, &wrong) {
		return err
	}
	for name := range w.words {
		if strings.Contains(text, name) {
			wrong.Want = "a number; the text " + name + " is an answer by itself"
		}
	}
	return err
}

// text returns the text with a name.
func (w *world) text(name string) (words, error) {
	if t, ok := w.words[name]; ok {
		if t.text == "" {
			return t, fmt.Errorf("%s has no text in these runs", name)
		}
		return t, nil
	}
	var known []string
	for name := range w.words {
		known = append(known, name)
	}
	slices.Sort(known)
	return words{}, nearest.Unknown("text", name, known)
}

// fill replaces names and expressions in single braces by their values, as users write them: {pes}, {longest}, {16 * pes}. In an expression texts are
// quoted, and braces around anything else are those of a set.
func (w *world) fill(text string, quoted bool) (string, error) {
	var b strings.Builder
	for {
		before, inner, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		name, after, closed := strings.Cut(inner, "}")
		word := w.words[name].text
		n, err := w.number(name)
		if !closed || err != nil && word == "" {
			if quoted {
				b.WriteByte('{')
				text = inner
				continue
			}
			if err == nil {
				err = errors.New("{ has no }")
			}
			return "", err
		}
		text = after
		switch {
		case word != "" && quoted:
			b.WriteString(strconv.Quote(word))
		case word != "":
			b.WriteString(word)
		case n.dimension == 1:
			b.WriteString(query.FormatTime(int64(math.Round(n.value))))
		default:
			b.WriteString(strconv.FormatFloat(n.value, 'f', -1, 64))
		}
	}
}

// show formats a number for people.
func (n number) show(m lesson.Measure) string {
	switch {
	case n.dimension == 1:
		return figures.Duration(int64(math.Round(n.value)))
	case m == lesson.Portion:
		return figures.Share(n.value, 1)
	case n.value == math.Trunc(n.value) && math.Abs(n.value) < 1<<53:
		return figures.Count(int64(n.value))
	}
	return figures.Fixed(n.value, 2)
}

// measure returns the measure of a number that a question may name.
func (n number) measure(named string) lesson.Measure {
	switch {
	case n.dimension == 1:
		return lesson.Time
	case named != "":
		return lesson.Measure(named)
	case n.share:
		return lesson.Portion
	}
	return lesson.Plain
}
