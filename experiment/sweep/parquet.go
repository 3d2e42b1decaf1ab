package sweep

import (
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// rowGroup is the number of rows of a group in a Parquet file.
const rowGroup = 1 << 16

// node returns the description of a column in a Parquet file.
func (c *column) node() (schema.Node, error) {
	switch {
	case c.text != nil:
		return schema.NewPrimitiveNodeLogical(c.name, parquet.Repetitions.Optional, schema.StringLogicalType{}, parquet.Types.ByteArray, 0, -1)
	case c.whole != nil:
		return schema.NewInt64Node(c.name, parquet.Repetitions.Optional, -1), nil
	}
	return schema.NewFloat64Node(c.name, parquet.Repetitions.Optional, -1), nil
}

// writeParquet writes results as a Parquet file, whose metadata have the unit of each column and the grid. Unknown numbers and empty texts are null.
func writeParquet(w io.Writer, results []*Result, g *Grid) error {
	fields := make(schema.FieldList, len(columns))
	for i := range columns {
		var err error
		if fields[i], err = columns[i].node(); err != nil {
			return err
		}
	}
	root, err := schema.NewGroupNode("run", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return err
	}
	properties := parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy), parquet.WithCreatedBy("whorl "+version()))
	out, err := file.NewParquetWriterWithError(unclosed{w}, root, file.WithWriterProps(properties))
	if err != nil {
		return err
	}
	for i := range columns {
		if c := &columns[i]; c.unit != "" {
			err = errors.Join(err, out.AppendKeyValueMetadata("unit."+c.name, c.unit))
		}
	}
	err = errors.Join(err, out.AppendKeyValueMetadata("grid", g.Text))
	for from := 0; err == nil && from < len(results); from += rowGroup {
		err = writeGroup(out, results[from:min(from+rowGroup, len(results))])
	}
	return errors.Join(err, out.Close())
}

// unclosed is a writer that the Parquet writer does not close.
type unclosed struct{ io.Writer }

func writeGroup(out *file.Writer, results []*Result) error {
	group := out.AppendRowGroup()
	levels := make([]int16, len(results)) // 1 for a value, 0 for null
	for i := range columns {
		w, err := group.NextColumn()
		if err != nil {
			return err
		}
		c := &columns[i]
		switch w := w.(type) {
		case *file.ByteArrayColumnChunkWriter:
			_, err = w.WriteBatch(present(results, levels, func(r *Result) *parquet.ByteArray {
				if text := c.text(r); text != "" {
					b := parquet.ByteArray(text)
					return &b
				}
				return nil
			}), levels, nil)
		case *file.Int64ColumnChunkWriter:
			_, err = w.WriteBatch(present(results, levels, c.whole), levels, nil)
		case *file.Float64ColumnChunkWriter:
			_, err = w.WriteBatch(present(results, levels, c.number), levels, nil)
		}
		if err := errors.Join(err, w.Close()); err != nil {
			return err
		}
	}
	return group.Close()
}

// present returns the values that are known, and sets the level of each result.
func present[T any](results []*Result, levels []int16, value func(r *Result) *T) (known []T) {
	for i, r := range results {
		levels[i] = 0
		if v := value(r); v != nil {
			levels[i], known = 1, append(known, *v)
		}
	}
	return known
}
