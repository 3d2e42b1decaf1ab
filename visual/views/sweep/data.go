package sweep

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/tracer/derive/table"
)

// data is a table with the roles of its columns.
type data struct {
	table    *table.Table
	settings []int // columns that vary and tell runs apart, without the seed and without those that others determine
	measures []int // columns of numbers that vary, after the settings
	done     []bool
	distinct [][]int // by column: for each row the index of its value among those of the column
	values   []int   // by column: the number of different values
}

// newData finds the roles of columns: settings come before the first result.
func newData(t *table.Table) *data {
	d := &data{table: t, done: make([]bool, t.Rows)}
	end := len(t.Columns)
	for i := range t.Columns {
		of, n := distinct(&t.Columns[i], t.Rows)
		d.distinct, d.values = append(d.distinct, of), append(d.values, n)
		if name := t.Columns[i].Name; end == len(t.Columns) && (name == "outcome" || name == "runs" || name == "time_ns") {
			end = i
		}
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		switch {
		case d.values[i] < 2:
		case i < end && c.Name != "seed":
			d.addSetting(i)
		case i > end && c.Numbers != nil:
			d.measures = append(d.measures, i)
		}
	}
	if i := d.index("time_ns"); i == end && i >= 0 && d.values[i] > 1 {
		d.measures = append([]int{i}, d.measures...)
	}
	outcome := t.Column("outcome")
	for row := range d.done {
		d.done[row] = outcome == nil || outcome.Texts == nil || outcome.Texts[row] == "done"
	}
	return d
}

// addSetting adds a setting unless it varies exactly as another one does. Times of machines replace the names of machines.
func (d *data) addSetting(i int) {
	for k, other := range d.settings {
		if slices.Equal(d.distinct[i], d.distinct[other]) {
			if d.table.Columns[other].Name == "machine" {
				d.settings[k] = i
			}
			return
		}
	}
	d.settings = append(d.settings, i)
}

// distinct numbers the values of a column in the order of their first rows.
func distinct(c *table.Column, rows int) (of []int, n int) {
	of = make([]int, rows)
	if c.Texts != nil {
		seen := map[string]int{}
		for row, text := range c.Texts {
			k, ok := seen[text]
			if !ok {
				k = len(seen)
				seen[text] = k
			}
			of[row] = k
		}
		return of, len(seen)
	}
	seen := map[uint64]int{}
	for row, x := range c.Numbers {
		k, ok := seen[math.Float64bits(x)]
		if !ok {
			k = len(seen)
			seen[math.Float64bits(x)] = k
		}
		of[row] = k
	}
	return of, len(seen)
}

// index returns the column of a name, -1 for none.
func (d *data) index(name string) int {
	return slices.IndexFunc(d.table.Columns, func(c table.Column) bool { return c.Name == name })
}

// varies reports whether a column is a setting or a measure with several values.
func (d *data) varies(i int) bool {
	return slices.Contains(d.settings, i) || slices.Contains(d.measures, i)
}

// names returns the names of the columns that vary, of all columns if none does.
func (d *data) names() (names []string) {
	for i := range d.table.Columns {
		if d.varies(i) {
			names = append(names, d.table.Columns[i].Name)
		}
	}
	if len(names) == 0 {
		for i := range d.table.Columns {
			names = append(names, d.table.Columns[i].Name)
		}
	}
	return names
}

// name returns the name of a column, "" for -1.
func (d *data) name(i int) string {
	if i < 0 {
		return ""
	}
	return d.table.Columns[i].Name
}

// text returns the value of a row as it is written in pictures.
func (d *data) text(i, row int) string {
	c := &d.table.Columns[i]
	if c.Texts != nil {
		if c.Texts[row] == "" {
			return "none"
		}
		return c.Texts[row]
	}
	return written(c.Numbers[row], c.Unit)
}

// written formats a number with its unit.
func written(x float64, unit string) string {
	switch {
	case math.IsNaN(x):
		return "unknown"
	case unit == "ns":
		return figures.Duration(int64(math.Round(x)))
	case x == math.Trunc(x) && math.Abs(x) < 1e15:
		return strings.TrimSpace(figures.Count(int64(x)) + " " + unit)
	}
	return strings.TrimSpace(strconv.FormatFloat(x, 'g', 4, 64) + " " + unit)
}

// label returns the name of a column for people, without its unit.
func label(name string) string {
	if name == "pes" {
		return "PEs"
	}
	return strings.ReplaceAll(strings.TrimSuffix(name, "_ns"), "_", " ")
}

// combination returns the values of some columns in a row as a text, and as a key.
func (d *data) combination(columns []int, row int) (text, key string) {
	var words []string
	for _, i := range columns {
		key += strconv.Itoa(d.distinct[i][row]) + " "
		word := d.text(i, row)
		if c := &d.table.Columns[i]; c.Numbers != nil {
			word = label(c.Name) + " " + word
		}
		words = append(words, word)
	}
	return strings.Join(words, ", "), key
}

// others returns the settings without some columns.
func (d *data) others(without ...int) (out []int) {
	for _, i := range d.settings {
		if !slices.Contains(without, i) {
			out = append(out, i)
		}
	}
	return out
}

// leftOut says how many runs a chart leaves out.
func leftOut(n int) string {
	return figures.Counted(int64(n), "run") + " not done or not kept " + map[bool]string{true: "is", false: "are"}[n == 1] + " left out."
}

// A keep lists conditions on columns. A run has to meet all of them.
type keep []condition

// A condition is a range of the numbers of a column, or a list of its values.
type condition struct {
	column    int
	low, high float64 // if values is nil
	values    []string
}

// parseKeep reads conditions as users write them. The error is for the first one that is wrong.
func parseKeep(text string, d *data) (keep, error) {
	var k keep
	for part := range strings.SplitSeq(text, ";") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, value, ok := strings.Cut(part, "=")
		i := d.index(strings.TrimSpace(name))
		if i < 0 {
			return k, &nearest.UnknownError{Kind: "column", Name: strings.TrimSpace(name), Known: d.names()}
		}
		if !ok {
			return k, fmt.Errorf("keep %s: expected a column and its values, as in pes=2..8 or policy=steal|random", nearest.Quote(part))
		}
		c := condition{column: i, low: math.Inf(-1), high: math.Inf(1)}
		low, high, isRange := strings.Cut(value, "..")
		if !isRange || d.table.Columns[i].Numbers == nil {
			c.values = strings.Split(value, "|")
			k = append(k, c)
			continue
		}
		for _, end := range []struct {
			text string
			to   *float64
		}{{low, &c.low}, {high, &c.high}} {
			if end.text = strings.TrimSpace(end.text); end.text == "" {
				continue
			}
			x, err := strconv.ParseFloat(end.text, 64)
			if err != nil {
				return k, fmt.Errorf("keep %s: %s is not a number; expected a range such as 2..8", nearest.Quote(part), nearest.Quote(end.text))
			}
			*end.to = x
		}
		k = append(k, c)
	}
	return k, nil
}

// text is the inverse of parseKeep.
func (k keep) text(d *data) string {
	var parts []string
	for _, c := range k {
		value := strings.Join(c.values, "|")
		if c.values == nil {
			value = bound(c.low) + ".." + bound(c.high)
		}
		parts = append(parts, d.name(c.column)+"="+value)
	}
	return strings.Join(parts, ";")
}

func bound(x float64) string {
	if math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// with returns the conditions with one in place of those on its column; a condition without ends and values removes them.
func (k keep) with(c condition) keep {
	out := slices.DeleteFunc(slices.Clone(k), func(x condition) bool { return x.column == c.column })
	if c.values == nil && math.IsInf(c.low, -1) && math.IsInf(c.high, 1) {
		return out
	}
	return append(out, c)
}

// meets reports whether a row meets a condition.
func (c *condition) meets(d *data, row int) bool {
	column := &d.table.Columns[c.column]
	if column.Texts != nil {
		return slices.Contains(c.values, column.Texts[row])
	}
	x := column.Numbers[row]
	if c.values == nil {
		return x >= c.low && x <= c.high
	}
	return slices.ContainsFunc(c.values, func(v string) bool { y, err := strconv.ParseFloat(v, 64); return err == nil && x == y })
}

// rows returns the rows that are done and meet all conditions, and the number of the others.
func (k keep) rows(d *data) (rows []int, left int) {
	for row := range d.table.Rows {
		meets := d.done[row]
		for i := range k {
			meets = meets && k[i].meets(d, row)
		}
		if meets {
			rows = append(rows, row)
		}
	}
	return rows, d.table.Rows - len(rows)
}
