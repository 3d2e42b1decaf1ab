package modules

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"whorl/tracer/query"
	"whorl/visual/flow"
	"whorl/visual/network"
	"whorl/visual/view"
)

// measure adds a column that an expression computes.
func measure() *network.Module {
	return &network.Module{
		Name: "measure", Title: "Measure", Doc: "a further column of a table, computed from the others by an expression",
		Class: network.Transform, In: tableIn, Out: network.Tabular,
		Params: []view.Param{
			{Name: "name", Label: "Name", Doc: "name of the new column", Default: "measure"},
			{Name: "as", Label: "As", Doc: "an expression with the names of columns, as in work / reductions; blanks in a name are written as _", Default: "0"},
		},
		Check: func(v flow.Values) error {
			if v.Text("name") == "" {
				return errors.New("name: the new column needs one")
			}
			_, err := query.Parse(v.Text("as"))
			return err
		},
		Run: func(c *network.Call) (any, error) {
			t := c.Table("table")
			e, err := query.Parse(c.Params.Text("as"))
			if err != nil {
				return nil, err
			}
			f, dimension, err := query.Measure(rowsOf(t), e)
			if err != nil {
				return nil, err
			}
			column := network.Column{Name: c.Params.Text("name"), Numbers: make([]float64, t.Len())}
			if dimension == 1 {
				column.Unit = "ns"
			}
			for row := range column.Numbers {
				column.Numbers[row] = f(row)
			}
			out := *t
			out.Columns = append(slices.Clip(t.Columns), column)
			return &out, nil
		},
	}
}

// rowsOf returns the schema of the rows of a table.
func rowsOf(t *network.Table) query.Schema[int] {
	s := query.Schema[int]{Rows: "rows of the table"}
	for _, c := range t.Columns {
		f := query.Field[int]{Name: word(c.Name), Doc: c.Heading()}
		switch {
		case c.Texts != nil:
			texts := c.Texts
			f.Type, f.Texts = query.Text, texts
			f.Int = func(row int) int64 { return int64(row) }
		case c.Unit == "ns":
			f.Type = query.Time
			f.Real = func(row int) float64 { return c.Numbers[row] }
		default:
			f.Type = query.Number
			f.Real = func(row int) float64 { return c.Numbers[row] }
		}
		s.Fields = append(s.Fields, f)
	}
	return s
}

// word returns the name of a column as a name of an expression.
func word(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, name)
}
