package build

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"slices"
	"strings"

	"whorl/fghc/check"
	"whorl/fghc/inline"
	"whorl/fghc/syntax"
)

// An Inline is a Go file whose functions replace C code of a program. The comment of such a function contains //whorl:inline with the name of the
// code (inline.Code).
type Inline struct {
	name      string
	text      string
	pack      [2]int // the byte offsets of the name of the package
	functions []function
}

type function struct {
	code    string
	name    string
	in, out []string // types
	where   string
}

const directive = "//whorl:inline "

// ReadInline reads a Go file.
func ReadInline(name, text string) (*Inline, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	in := &Inline{name: name, text: text, pack: [2]int{set.Position(file.Name.Pos()).Offset, set.Position(file.Name.End()).Offset}}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil {
			continue
		}
		where := set.Position(f.Name.Pos()).String()
		if f.Name.Name == "main" {
			return nil, fmt.Errorf("%s: the program has its own function main", where)
		}
		if f.Doc == nil {
			continue
		}
		for _, c := range f.Doc.List {
			if code, ok := strings.CutPrefix(c.Text, directive); ok {
				in.functions = append(in.functions, function{strings.TrimSpace(code), f.Name.Name, fields(f.Type.Params), fields(f.Type.Results), where})
			}
		}
	}
	if len(in.functions) == 0 {
		return nil, fmt.Errorf("%s: no function has a comment such as %smain:p/2, the procedure whose C code it replaces", name, directive)
	}
	return in, nil
}

// fields returns the types of parameters or results.
func fields(list *ast.FieldList) (all []string) {
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		all = append(all, slices.Repeat([]string{types.ExprString(f.Type)}, max(1, len(f.Names)))...)
	}
	return all
}

// Names returns the names of the codes that the functions replace.
func (in *Inline) Names() (names []string) {
	for _, f := range in.functions {
		names = append(names, f.code)
	}
	return names
}

// goTypes are the Go types of the types of C code.
var goTypes = []struct{ kind, name, word string }{
	{"int", "int64", "int64"},
	{"float", "float64", "float64"},
	{"object(float)", "float64", "float64"},
	{"atom", "string", "world.AtomName"},
	{"object(byte_string)", "string", "string"},
}

// write writes the functions as the field Functions of a standalone.Program.
func (in *Inline) write(w io.Writer, sources []check.Source) error {
	var codes []inline.Code
	for _, s := range sources {
		f, _ := syntax.Parse(s.Name, s.Text) // check.Read has reported the errors
		more, _ := inline.Translate(f, in.Names())
		codes = append(codes, more...)
	}
	fmt.Fprint(w, "Functions: []world.Function{\n")
	for _, f := range in.functions {
		i := slices.IndexFunc(codes, func(c inline.Code) bool { return c.Name == f.code })
		if i < 0 {
			return fmt.Errorf("%s: the program has no C code in %s", f.where, f.code)
		}
		if err := f.write(w, codes[i]); err != nil {
			return err
		}
	}
	fmt.Fprint(w, "},\n")
	return nil
}

// write writes a function with the parameters and results that the C code has.
func (f *function) write(w io.Writer, code inline.Code) error {
	var in, out, args, names, results []string
	for k, kind := range code.In {
		i := slices.IndexFunc(goTypes, func(t struct{ kind, name, word string }) bool { return t.kind == kind })
		if i < 0 {
			return f.unknown(kind)
		}
		in = append(in, goTypes[i].name)
		args = append(args, fmt.Sprintf("%s(in[%d].(%s))", goTypes[i].name, k, goTypes[i].word))
	}
	for k, kind := range code.Out {
		i := slices.IndexFunc(goTypes, func(t struct{ kind, name, word string }) bool { return t.kind == kind })
		if i < 0 {
			return f.unknown(kind)
		}
		out = append(out, goTypes[i].name)
		names = append(names, fmt.Sprintf("r%d", k))
		results = append(results, fmt.Sprintf("%s(r%d)", goTypes[i].word, k))
	}
	tests := len(f.out) == len(out)+1 && f.out[len(out)] == "bool"
	if !slices.Equal(f.in, in) || !slices.Equal(f.out, out) && !(tests && slices.Equal(f.out[:len(out)], out)) {
		return fmt.Errorf("%s: %s replaces C code with the type func(%s) (%s), where a further result bool says whether the guard holds",
			f.where, f.name, strings.Join(in, ", "), strings.Join(out, ", "))
	}
	ok := "true"
	if tests {
		names, ok = append(names, "ok"), "ok"
	}
	call := fmt.Sprintf("%s(%s)", f.name, strings.Join(args, ", "))
	if len(names) > 0 {
		call = strings.Join(names, ", ") + " := " + call
	}
	_, err := fmt.Fprintf(w, "func(in []any) ([]any, bool) {\n%s\nreturn []any{%s}, %s\n},\n", call, strings.Join(results, ", "), ok)
	return err
}

func (f *function) unknown(kind string) error {
	return errors.New(f.where + ": values of the type " + kind + " cannot be passed to Go; expected int, float, atom or object(byte_string)")
}

// source returns the file as a part of the program's main package.
func (in *Inline) source() string {
	return fmt.Sprintf("//line %s:1\n%smain%s", in.name, in.text[:in.pack[0]], in.text[in.pack[1]:])
}
