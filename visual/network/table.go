package network

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"whorl/visual/view"
)

// A Table is a table of columns of equal length. It is immutable.
type Table struct {
	Title   string
	Columns []Column
	Things  []view.Selection // by row: the things that the rows are about; nil if unknown. Their Trace is empty
}

// A Column is a column of texts or of numbers.
type Column struct {
	Name, Unit string    // of the numbers: ns, bytes, "" for a plain number
	Texts      []string  // nil for a column of numbers
	Numbers    []float64 // NaN for a missing number
}

// Len returns the number of rows.
func (t *Table) Len() int {
	if len(t.Columns) == 0 {
		return 0
	}
	return max(len(t.Columns[0].Texts), len(t.Columns[0].Numbers))
}

// Column returns the index of a column by its name.
func (t *Table) Column(name string) (int, error) {
	var names []string
	for i, c := range t.Columns {
		if c.Name == name {
			return i, nil
		}
		names = append(names, c.Name)
	}
	return 0, unknownColumn(name, names)
}

// Rows returns the table with only the given rows, in their order.
func (t *Table) Rows(rows []int) *Table {
	out := &Table{Title: t.Title}
	for _, c := range t.Columns {
		d := Column{Name: c.Name, Unit: c.Unit}
		for _, r := range rows {
			if c.Texts != nil {
				d.Texts = append(d.Texts, c.Texts[r])
			} else {
				d.Numbers = append(d.Numbers, c.Numbers[r])
			}
		}
		out.Columns = append(out.Columns, d)
	}
	if t.Things != nil {
		for _, r := range rows {
			out.Things = append(out.Things, t.Things[r])
		}
	}
	return out
}

// Heading returns the name of the column with its unit, as in "time (ns)".
func (c Column) Heading() string {
	if c.Unit == "" {
		return c.Name
	}
	return c.Name + " (" + c.Unit + ")"
}

// ShareUnit is the unit of numbers that are shares of 1.
const ShareUnit = "of 1"

// WriteCSV writes the table with a line of headings. A number has the fewest digits that give it back.
func (t *Table) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	record := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		record[i] = c.Heading()
	}
	if err := out.Write(record); err != nil {
		return err
	}
	for r := range t.Len() {
		for i, c := range t.Columns {
			switch {
			case c.Texts != nil:
				record[i] = c.Texts[r]
			case c.Numbers[r] != c.Numbers[r]:
				record[i] = ""
			default:
				record[i] = strconv.FormatFloat(c.Numbers[r], 'f', -1, 64)
			}
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// maxCells bounds a table that is read.
const maxCells = 10_000_000

// ReadCSV reads a table with a line of headings, such as one of whorl sweep. A column whose cells are all numbers or empty is a column of numbers.
func ReadCSV(title string, r io.Reader) (*Table, error) {
	in := csv.NewReader(r)
	in.ReuseRecord = true
	heads, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: no line of headings: %w", title, err)
	}
	heads = slices.Clone(heads)
	texts := make([][]string, len(heads))
	for cells := 0; ; cells += len(heads) {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && cells > maxCells {
			err = fmt.Errorf("more than %d cells", maxCells)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", title, err)
		}
		for i, cell := range record {
			texts[i] = append(texts[i], strings.Clone(cell))
		}
	}
	t := &Table{Title: title}
	for i, head := range heads {
		t.Columns = append(t.Columns, column(head, texts[i]))
	}
	return t, nil
}

// column returns the column with some cells.
func column(head string, texts []string) Column {
	c := Column{Name: head}
	if name, unit, ok := strings.Cut(strings.TrimSuffix(head, ")"), " ("); ok && strings.HasSuffix(head, ")") {
		c.Name, c.Unit = name, unit
	}
	numbers := make([]float64, len(texts))
	for i, text := range texts {
		x, err := strconv.ParseFloat(text, 64)
		if text == "" {
			x = missing
		} else if err != nil {
			c.Texts = texts
			return c
		}
		numbers[i] = x
	}
	c.Numbers = numbers
	return c
}
