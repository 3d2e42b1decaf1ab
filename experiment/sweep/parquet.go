package sweep

import (
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// A schema has the columns of the table in their order; a parquet.Group alone sorts them by name.
type schema struct{ parquet.Group }

// Fields implements parquet.Node.
func (s schema) Fields() []parquet.Field {
	fields := s.Group.Fields()
	place := func(f parquet.Field) int {
		return slices.IndexFunc(columns, func(c column) bool { return c.name == f.Name() })
	}
	slices.SortFunc(fields, func(a, b parquet.Field) int { return place(a) - place(b) })
	return fields
}

// node returns the description of a column in a Parquet file.
func (c *column) node() parquet.Node {
	switch {
	case c.text != nil:
		return parquet.Optional(parquet.String())
	case c.whole != nil:
		return parquet.Optional(parquet.Int(64))
	}
	return parquet.Optional(parquet.Leaf(parquet.DoubleType))
}

// value returns the value of a result in a Parquet file. Unknown numbers and empty texts are null.
func (c *column) value(r *Result) parquet.Value {
	switch {
	case c.text != nil:
		if text := c.text(r); text != "" {
			return parquet.ByteArrayValue([]byte(text))
		}
	case c.whole != nil:
		if n := c.whole(r); n != nil {
			return parquet.Int64Value(*n)
		}
	default:
		if x := c.number(r); x != nil {
			return parquet.DoubleValue(*x)
		}
	}
	return parquet.NullValue()
}

// rowGroup is the number of rows that are written at a time.
const rowGroup = 1 << 14

// writeParquet writes results as a Parquet file, whose metadata have the unit of each column and the grid.
func writeParquet(w io.Writer, results []*Result, g *Grid) error {
	group := parquet.Group{}
	options := []parquet.WriterOption{
		parquet.Compression(&parquet.Snappy), parquet.CreatedBy("whorl", version(), ""), parquet.KeyValueMetadata("grid", g.Text),
	}
	for i := range columns {
		c := &columns[i]
		group[c.name] = c.node()
		if c.unit != "" {
			options = append(options, parquet.KeyValueMetadata("unit."+c.name, c.unit))
		}
	}
	out := parquet.NewWriter(w, append(options, parquet.NewSchema("runs", schema{group}))...)
	rows := make([]parquet.Row, 0, min(len(results), rowGroup))
	for some := range slices.Chunk(results, rowGroup) {
		rows = rows[:0]
		for _, r := range some {
			row := make(parquet.Row, len(columns))
			for i := range columns {
				v := columns[i].value(r)
				level := 1
				if v.IsNull() {
					level = 0
				}
				row[i] = v.Level(0, level, i)
			}
			rows = append(rows, row)
		}
		if _, err := out.WriteRows(rows); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return out.Close()
}
