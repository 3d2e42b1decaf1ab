package query

import "slices"

// A Type is the type of a field.
type Type uint8

// The types of fields.
const (
	Number Type = iota
	Time        // a number of ns
	Text        // an entry of Field.Texts
	Place       // an entry of Field.Texts, which is a source file, and of Field.Lines
)

// String names the type in errors and lists.
func (t Type) String() string { return [...]string{"number", "time", "text", "place"}[t] }

// A Field is a value that each row has.
type Field[R any] struct {
	Name, Doc string
	Type      Type

	// Int returns the value of a row: a whole number, or the index of its text or place. Real returns it instead for a number with
	// fractions; exactly one of the two is set.
	Int  func(row R) int64
	Real func(row R) float64

	Texts []string // of a Text, its texts; of a Place, the names of its files
	Lines []int32  // of a Place

	// Short returns a shorter form of a text that users may write too, if it is set: the name of a procedure without its arity, that of a
	// file without its folder.
	Short func(text string) string

	// Subtree returns the function that reports whether a value is below root in a tree or root itself, for subtree(root). It is nil for
	// a field without a tree. It returns nil if root is not in the tree.
	Subtree func(root int64) func(value int64) bool
}

// known returns the texts as users may write them, each once.
func (f *Field[R]) known() (names []string) {
	for _, text := range f.Texts {
		if f.Short != nil {
			text = f.Short(text)
		}
		if text != "" && text != "." {
			names = append(names, text)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// A Schema describes rows of type R.
type Schema[R any] struct {
	Rows   string // what the rows are, in the plural, for errors: events
	Fields []Field[R]
}

func (s *Schema[R]) names() (names []string) {
	for i := range s.Fields {
		names = append(names, s.Fields[i].Name)
	}
	return names
}

func (s *Schema[R]) field(name string) *Field[R] {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return &s.Fields[i]
		}
	}
	return nil
}
