package network

import (
	"math"
	"strconv"

	"whorl/internal/nearest"
	"whorl/visual/view"
)

// missing is the value of a missing number.
var missing = math.NaN()

func unknownColumn(name string, known []string) error { return nearest.Unknown("column", name, known) }

// A Matrix holds a number for each row and column: a profile of lines by PEs, or a series of each PE by time. It is immutable.
type Matrix struct {
	Title, Unit string
	Rows, Cols  Axis
	Values      []float64 // by row, then by column

	Strip  int  // rows of a strip, if it is to be shown as strips side by side; 0 for one strip
	Shares bool // the numbers are shares of 1
}

// An Axis describes the rows or the columns of a matrix.
type Axis struct {
	Name   string           // of the axis: line, PE, time
	Labels []string         // by index
	Things []view.Selection // by index, nil if unknown. Their Trace is empty
}

// Len returns the number of rows or columns.
func (a Axis) Len() int { return len(a.Labels) }

// At returns the number at a row and a column.
func (m *Matrix) At(row, col int) float64 { return m.Values[row*m.Cols.Len()+col] }

// Row returns the numbers of a row, which the caller must not change.
func (m *Matrix) Row(row int) []float64 {
	n := m.Cols.Len()
	return m.Values[row*n : (row+1)*n]
}

// Pick returns the matrix with only the given rows, in their order.
func (m *Matrix) Pick(rows []int) *Matrix {
	out := *m
	out.Rows = m.Rows.Pick(rows)
	out.Values = make([]float64, 0, len(rows)*m.Cols.Len())
	for _, r := range rows {
		out.Values = append(out.Values, m.Row(r)...)
	}
	return &out
}

// Pick returns the axis with only the given entries.
func (a Axis) Pick(entries []int) Axis {
	out := Axis{Name: a.Name}
	for _, i := range entries {
		out.Labels = append(out.Labels, a.Labels[i])
		if a.Things != nil {
			out.Things = append(out.Things, a.Things[i])
		}
	}
	return out
}

// Map returns the matrix with f of each number.
func (m *Matrix) Map(f func(row, col int, x float64) float64) *Matrix {
	out := *m
	out.Values = make([]float64, len(m.Values))
	n := max(m.Cols.Len(), 1)
	for i, x := range m.Values {
		out.Values[i] = f(i/n, i%n, x)
	}
	return &out
}

// Range returns the least and the largest number, 0 and 0 of a matrix without numbers.
func (m *Matrix) Range() (least, most float64) {
	none := true
	for _, x := range m.Values {
		switch {
		case math.IsNaN(x):
		case none:
			least, most, none = x, x, false
		default:
			least, most = min(least, x), max(most, x)
		}
	}
	return least, most
}

// Table returns the matrix as a table with a column for each of its columns.
func (m *Matrix) Table() *Table {
	t := &Table{Title: m.Title, Columns: []Column{{Name: m.Rows.Name, Texts: m.Rows.Labels}}, Things: m.Rows.Things}
	if t.Columns[0].Texts == nil {
		t.Columns[0].Texts = []string{}
	}
	for c, label := range m.Cols.Labels {
		col := Column{Name: m.Cols.Name + " " + label, Unit: m.Unit, Numbers: make([]float64, m.Rows.Len())}
		for r := range col.Numbers {
			col.Numbers[r] = m.At(r, c)
		}
		t.Columns = append(t.Columns, col)
	}
	return t
}

// Numbered returns the axis of n entries numbered from 0.
func Numbered(name string, n int) Axis {
	a := Axis{Name: name, Labels: make([]string, n)}
	for i := range n {
		a.Labels[i] = strconv.Itoa(i)
	}
	return a
}

// PEs returns the axis of the first n PEs.
func PEs(n int) Axis {
	a := Numbered("PE", n)
	for i := range n {
		a.Things = append(a.Things, view.Selection{PEs: []view.Span{{First: int64(i), Last: int64(i)}}})
	}
	return a
}
