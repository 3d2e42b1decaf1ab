package query_test

import (
	"fmt"

	"whorl/tracer/query"
)

// A derived measure of the rows of a table.
func ExampleMeasure() {
	type row struct {
		procedure int
		count     int64
		time      int64 // ns
	}
	rows := query.Schema[row]{Rows: "procedures", Fields: []query.Field[row]{
		{Name: "procedure", Type: query.Text, Texts: []string{"big", "small"}, Int: func(r row) int64 { return int64(r.procedure) }},
		{Name: "count", Int: func(r row) int64 { return r.count }},
		{Name: "time", Type: query.Time, Int: func(r row) int64 { return r.time }},
	}}
	e, err := query.Parse("time / count")
	if err != nil {
		fmt.Println(err)
		return
	}
	mean, dimension, err := query.Measure(rows, e)
	fmt.Println(mean(row{0, 4, 1000}), dimension, err)
	e, _ = query.Parse("procedure = bgi or time > 2ms")
	_, err = query.Where(rows, e)
	fmt.Println(err)
	// Output:
	// 250 1 <nil>
	// expression:1:13: there is no procedure "bgi"; did you mean big?
	//     procedure = bgi or time > 2ms
	//                 ^
}
