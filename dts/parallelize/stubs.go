package parallelize

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"
)

// A field is a parameter or a result in the stubs.
type field struct{ name, typ string }

// stubs returns the functions that fork and join f, with struct types for several arguments or results.
func (f *function) stubs() string {
	r := f.r
	args, results := f.fields(), f.resultFields()
	tparams, targs := f.typeParamText(), f.typeArgs()
	var b strings.Builder
	argType, resType := args.one(), results.one()
	if argType == "" {
		argType = f.args() + targs
		fmt.Fprintf(&b, "// %s are the arguments of %s.\ntype %s%s struct {\n%s}\n\n", f.args(), f.title(), f.args(), tparams, args.lines())
	}
	if resType == "" {
		resType = f.results() + targs
		fmt.Fprintf(&b, "// %s are the results of %s.\ntype %s%s struct {\n%s}\n\n", f.results(), f.title(), f.results(), tparams, results.lines())
	}

	fmt.Fprintf(&b, "// %s forks a thread that calls %s.\n", f.forker(), f.title())
	fmt.Fprintf(&b, "func %s%s(w *%s.Worker%s) %s.Handle[%s] {\n", f.forker(), tparams, r.dts, args.params(f.obj.Signature().Variadic()), r.dts, resType)
	fmt.Fprintf(&b, "return %s.Fork(w, %s, %s)\n}\n\n", r.dts, f.thread(args, results, argType, resType), args.value(argType))

	fmt.Fprintf(&b, "// %s waits for a thread of %s and returns its results.\n", f.joiner(), f.forker())
	fmt.Fprintf(&b, "func %s%s(w *%s.Worker, h %s.Handle[%s]) %s {\n", f.joiner(), tparams, r.dts, r.dts, resType, results.tuple())
	switch len(results) {
	case 0:
		b.WriteString("h.Join(w)\n}")
	case 1:
		b.WriteString("return h.Join(w)\n}")
	default:
		fmt.Fprintf(&b, "r := h.Join(w)\nreturn %s\n}", results.selectors("r"))
	}
	return b.String()
}

// thread returns the function of the thread.
func (f *function) thread(args, results fields, argType, resType string) string {
	single := len(args) == 1 && len(results) == 1 && f.decl.Recv == nil && !f.obj.Signature().Variadic()
	if single && f.worker {
		return f.on() + f.typeArgs()
	}
	var given []string
	for i, a := range args {
		x := "a." + a.name
		if len(args) == 1 {
			x = "a"
		}
		if i == len(args)-1 && f.obj.Signature().Variadic() {
			x += "..."
		}
		given = append(given, x)
	}
	w, fun, arg := "_", f.obj.Name(), "a"
	if len(args) == 0 {
		arg = "_"
	}
	if f.worker {
		w, fun = "w", f.on()
	}
	if f.decl.Recv != nil {
		fun, given = given[0]+"."+fun, given[1:]
	} else {
		fun += f.typeArgs()
	}
	if f.worker {
		given = append([]string{"w"}, given...)
	}
	call := fmt.Sprintf("%s(%s)", fun, strings.Join(given, ", "))
	ret := "return " + call
	if len(results) == 0 {
		ret = call + "\nreturn struct{}{}"
	}
	if len(results) > 1 {
		var names []string
		for i := range results {
			names = append(names, fmt.Sprintf("r%d", i))
		}
		ret = fmt.Sprintf("%s := %s\nreturn %s{%s}", strings.Join(names, ", "), call, resType, strings.Join(names, ", "))
	}
	return fmt.Sprintf("func(%s *%s.Worker, %s %s) %s {\n%s\n}", w, f.r.dts, arg, argType, resType, ret)
}

type fields []field

// one returns the type of a single field, "struct{}" for no field, "" for several.
func (fs fields) one() string {
	switch len(fs) {
	case 0:
		return "struct{}"
	case 1:
		return fs[0].typ
	}
	return ""
}

func (fs fields) lines() string {
	var b strings.Builder
	for _, f := range fs {
		b.WriteString(f.name + " " + f.typ + "\n")
	}
	return b.String()
}

// params returns the fields as further parameters.
func (fs fields) params(variadic bool) string {
	var b strings.Builder
	for i, f := range fs {
		t := f.typ
		if variadic && i == len(fs)-1 {
			t = "..." + strings.TrimPrefix(t, "[]")
		}
		b.WriteString(", " + f.name + " " + t)
	}
	return b.String()
}

// value returns the argument of the thread, built from the parameters.
func (fs fields) value(typ string) string {
	switch len(fs) {
	case 0:
		return "struct{}{}"
	case 1:
		return fs[0].name
	}
	var names []string
	for _, f := range fs {
		names = append(names, f.name)
	}
	return typ + "{" + strings.Join(names, ", ") + "}"
}

func (fs fields) tuple() string {
	var types []string
	for _, f := range fs {
		types = append(types, f.typ)
	}
	switch len(types) {
	case 0:
		return ""
	case 1:
		return types[0]
	}
	return "(" + strings.Join(types, ", ") + ")"
}

func (fs fields) selectors(v string) string {
	var out []string
	for _, f := range fs {
		out = append(out, v+"."+f.name)
	}
	return strings.Join(out, ", ")
}

// fields returns the parameters of f, the receiver first.
func (f *function) fields() (out fields) {
	used := map[string]bool{"w": true, "h": true, "r": true}
	add := func(list *ast.FieldList, name string) {
		if list == nil {
			return
		}
		for _, p := range list.List {
			typ := f.r.raw(p.Type)
			if e, ok := p.Type.(*ast.Ellipsis); ok {
				typ = "[]" + f.r.raw(e.Elt)
			}
			names := p.Names
			if len(names) == 0 {
				names = []*ast.Ident{{Name: "_"}}
			}
			for _, id := range names {
				n := id.Name
				for i := 0; n == "_" || used[n] || f.r.pkg.Types.Scope().Lookup(n) != nil || n == f.r.dts; i++ {
					n = fmt.Sprintf("%s%d", name, i)
				}
				used[n] = true
				out = append(out, field{n, typ})
			}
		}
	}
	add(f.decl.Recv, "recv")
	add(f.decl.Type.Params, "arg")
	return out
}

// resultFields returns the results of f.
func (f *function) resultFields() (out fields) {
	if f.decl.Type.Results == nil {
		return nil
	}
	for _, p := range f.decl.Type.Results.List {
		for range max(1, len(p.Names)) {
			out = append(out, field{fmt.Sprintf("r%d", len(out)), f.r.raw(p.Type)})
		}
	}
	return out
}

// typeParamText returns the declaration of the type parameters in brackets, "" for none.
func (f *function) typeParamText() string {
	if p := f.decl.Type.TypeParams; p != nil {
		return f.r.raw(p)
	}
	return ""
}

// resultOf returns the result type of a call as written in the file.
func (f *function) resultOf(c *call) string {
	return types.TypeString(f.r.pkg.TypesInfo.TypeOf(c.expr), func(p *types.Package) string {
		if p == f.r.pkg.Types {
			return ""
		}
		for _, s := range f.r.file.Imports {
			if s.Name != nil && s.Path.Value == strconv.Quote(p.Path()) {
				return s.Name.Name
			}
		}
		return p.Name()
	})
}

// isPointer reports whether a type is a pointer.
func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// embedded returns the selectors from a value to the embedded field of a promoted method.
func embedded(s *types.Selection) string {
	t := s.Recv()
	path := ""
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		field := t.Underlying().(*types.Struct).Field(i)
		path += "." + field.Name()
		t = field.Type()
	}
	return path
}

// last returns the type of a method's receiver, promoted or not.
func last(s *types.Selection) types.Type {
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		t = t.Underlying().(*types.Struct).Field(i).Type()
	}
	return t
}
