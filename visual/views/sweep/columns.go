package sweep

import (
	"slices"
	"strings"
)

// namesOf returns the names of columns.
func (d *data) namesOf(columns []int) (names []string) {
	for _, i := range columns {
		names = append(names, d.name(i))
	}
	return names
}

// lastNames returns the names of columns, the last one first.
func (d *data) lastNames(columns []int) []string {
	names := d.namesOf(columns)
	slices.Reverse(names)
	return names
}

// firstName returns the name of the first of some columns, "" for none. Policies come before other settings.
func (d *data) firstName(columns []int) string {
	if len(columns) == 0 {
		return ""
	}
	if i := d.index("policy"); slices.Contains(columns, i) {
		return "policy"
	}
	return d.name(columns[0])
}

// numeric returns the settings with numbers.
func (d *data) numeric() (out []int) {
	for _, i := range d.settings {
		if d.table.Columns[i].Numbers != nil {
			out = append(out, i)
		}
	}
	return out
}

// without returns columns without one of them.
func (d *data) without(columns []int, one int) []int {
	return slices.DeleteFunc(slices.Clone(columns), func(i int) bool { return i == one })
}

// listed returns the labels of columns as a part of a sentence.
func (d *data) listed(columns []int) string {
	var words []string
	for _, i := range columns {
		words = append(words, label(d.name(i)))
	}
	return strings.Join(words, ", ")
}
