// Package table derives the table of runs from a trace that tracer/formats/table has read.
package table

import (
	"fmt"
	"math"

	"whorl/internal/figures"
	"whorl/tracer"
)

// A Table holds values by column and row.
type Table struct {
	Columns []Column
	Rows    int
}

// A Column has texts or numbers, one for each row.
type Column struct {
	Name    string
	Unit    string    // of Numbers: ns, B, or "" for none
	Texts   []string  // "" where there is none; nil for a column of numbers
	Numbers []float64 // NaN where there is none; nil for a column of texts
}

// Build returns the table of a trace.
func Build(src tracer.Source) (*Table, error) {
	codes := src.Dict().Codes()
	t := &Table{}
	index := make([]int, len(codes)) // column of a code, from 1
	for id, c := range codes {
		if c.Type == tracer.Metric || c.Type == tracer.Name && c.Parent == 0 {
			t.Columns = append(t.Columns, Column{Name: c.Name, Unit: c.Unit})
			index[id] = len(t.Columns)
		}
	}
	var cells []tracer.Event
	err := src.Scan(tracer.Kinds(tracer.Counter, tracer.Mark), func(es []tracer.Event) error {
		for i := range es {
			if es[i].Task > 0 && es[i].Task <= maxRows && int(es[i].Code) < len(codes) {
				t.Rows = max(t.Rows, int(es[i].Task))
				cells = append(cells, es[i])
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if t.Rows*len(t.Columns) > maxCells {
		return nil, fmt.Errorf("a table of %s by %s is too large", figures.Counted(int64(t.Rows), "row"), figures.Counted(int64(len(t.Columns)), "column"))
	}
	for id, c := range codes {
		if index[id] == 0 {
			continue
		}
		column := &t.Columns[index[id]-1]
		if c.Type == tracer.Name {
			column.Texts = make([]string, t.Rows)
			continue
		}
		column.Numbers = make([]float64, t.Rows)
		for i := range column.Numbers {
			column.Numbers[i] = math.NaN()
		}
	}
	for i := range cells {
		e := &cells[i]
		c, row := codes[e.Code], e.Task-1
		switch {
		case e.Kind == tracer.Counter && c.Type == tracer.Metric:
			t.Columns[index[e.Code]-1].Numbers[row] = amount(e.Value, c.Scale)
		case e.Kind == tracer.Mark && c.Type == tracer.Name && int(c.Parent) < len(codes) && index[c.Parent] > 0:
			if texts := t.Columns[index[c.Parent]-1].Texts; texts != nil {
				texts[row] = c.Name
			}
		}
	}
	return t, nil
}

// Bounds of the memory for a damaged trace.
const (
	maxRows  = 1 << 20
	maxCells = 1 << 26
)

// amount returns a value in the unit of its metric. A division by the inverse of a decimal scale gives the nearest number.
func amount(value int64, scale float64) float64 {
	if scale > 0 && scale < 1 {
		return float64(value) / math.Round(1/scale)
	}
	return float64(value) * scale
}

// Column returns the column of a name, nil if there is none.
func (t *Table) Column(name string) *Column {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i]
		}
	}
	return nil
}
