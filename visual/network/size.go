package network

import (
	"reflect"

	"whorl/internal/figures"
	"whorl/tracer"
)

// Describe returns the size of a value of a stage for people: the events of a trace, the rows and columns of a table or a matrix, the memory of
// anything else.
func Describe(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case tracer.Source:
		counts, sum := v.Counts(), int64(0)
		for _, n := range counts {
			sum += n
		}
		return figures.Counted(sum, "event")
	case *Table:
		return figures.Count(int64(v.Len())) + " rows, " + figures.Counted(int64(len(v.Columns)), "column")
	case *Matrix:
		return figures.Count(int64(v.Rows.Len())) + " × " + figures.Count(int64(v.Cols.Len()))
	}
	m := measurer{seen: map[uintptr]bool{}, left: 20_000}
	m.add(reflect.ValueOf(v))
	if m.left <= 0 {
		return "over " + figures.Size(m.bytes)
	}
	return figures.Size(m.bytes)
}

// A measurer adds up the memory that a value keeps, each part once. It stops after some parts.
type measurer struct {
	seen  map[uintptr]bool
	left  int
	bytes int64
}

// add adds the memory that a value points to.
func (m *measurer) add(v reflect.Value) {
	if m.left--; m.left <= 0 {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || m.known(v.Pointer()) {
			return
		}
		m.bytes += int64(v.Type().Elem().Size())
		m.add(v.Elem())
	case reflect.Interface:
		if !v.IsNil() {
			m.add(v.Elem())
		}
	case reflect.String:
		m.bytes += int64(v.Len())
	case reflect.Slice:
		if v.IsNil() || v.Len() > 0 && m.known(v.Pointer()) {
			return
		}
		m.bytes += int64(v.Cap()) * int64(v.Type().Elem().Size())
		m.elements(v)
	case reflect.Array:
		m.elements(v)
	case reflect.Struct:
		for i := range v.NumField() {
			if pointers(v.Field(i).Kind()) {
				m.add(v.Field(i))
			}
		}
	case reflect.Map:
		t := v.Type()
		m.bytes += int64(v.Len()) * int64(t.Key().Size()+t.Elem().Size())
	}
}

func (m *measurer) elements(v reflect.Value) {
	if !pointers(v.Type().Elem().Kind()) {
		return
	}
	for i := 0; i < v.Len() && m.left > 0; i++ {
		m.add(v.Index(i))
	}
}

// known reports whether the memory at an address is counted already, and notes it.
func (m *measurer) known(at uintptr) bool {
	before := m.seen[at]
	m.seen[at] = true
	return before
}

// pointers reports whether values of a kind may point to further memory.
func pointers(k reflect.Kind) bool {
	switch k {
	case reflect.Pointer, reflect.Interface, reflect.String, reflect.Slice, reflect.Array, reflect.Struct, reflect.Map:
		return true
	}
	return false
}
