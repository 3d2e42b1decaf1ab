package parallelize

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// An edit replaces a range of the text, which may be empty. Edits at the same offset apply in the order of the list.
type edit struct {
	from, to int
	text     string
}

// emit returns the new text of the file.
func (r *rewriter) emit() ([]byte, error) {
	var edits []edit
	needsContext, needsDTS := false, false
	r.dts, r.context = r.importName(dtsPath, "dts"), r.importName("context", "context")
	for _, f := range r.funcs {
		if !f.worker && !f.fit {
			continue
		}
		needsDTS = true
		if err := f.nameAll(); err != nil {
			return nil, err
		}
	}
	for _, f := range r.funcs {
		at := r.offset(f.decl.End())
		edits = append(edits, f.remarks(false)...)
		if !f.worker {
			edits = append(edits, f.remarks(true)...)
		}
		if f.worker {
			second := "\n\n" + f.plan.second()
			if f.isMain() {
				needsContext = true
				edits = append(edits, edit{r.offset(f.decl.Body.Pos()), at, f.entry() + second})
			} else {
				edits = append(edits, edit{at, at, second})
			}
		}
		if f.fit {
			edits = append(edits, edit{at, at, "\n\n" + f.stubs()})
		}
	}
	if needsDTS {
		edits = append(edits, r.imports(needsContext)...)
	} else {
		edits = nil
	}
	text := splice(r.text, 0, len(r.text), edits)
	out, err := format.Source([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be rewritten: %w", r.path, err)
	}
	return out, nil
}

// splice returns a range of the text with the edits in it.
func splice(text []byte, from, to int, edits []edit) string {
	in := slices.Clone(edits)
	in = slices.DeleteFunc(in, func(e edit) bool { return e.from < from || e.to > to })
	slices.SortStableFunc(in, func(a, b edit) int { return a.from - b.from })
	var b bytes.Buffer
	at := from
	for _, e := range in {
		if e.from < at {
			continue // inside a larger edit
		}
		b.Write(text[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.Write(text[at:to])
	return b.String()
}

func (r *rewriter) offset(p token.Pos) int { return r.pkg.Fset.Position(p).Offset }

// source returns the text of a node in one line.
func (r *rewriter) source(n ast.Node) string {
	return strings.Join(strings.Fields(string(r.text[r.offset(n.Pos()):r.offset(n.End())])), " ")
}

// raw returns the text of a node.
func (r *rewriter) raw(n ast.Node) string { return string(r.text[r.offset(n.Pos()):r.offset(n.End())]) }

// start returns the offset of a statement, including the comment above it if it is the first in its line.
func (r *rewriter) start(s ast.Stmt) int {
	line := r.position(s.Pos()).Line
	at := s.Pos()
	own := r.offset(at)
	if begin := bytes.LastIndexByte(r.text[:own], '\n') + 1; len(bytes.TrimSpace(r.text[begin:own])) > 0 {
		return own
	}
	for _, g := range r.file.Comments {
		first := r.offset(g.Pos())
		begin := bytes.LastIndexByte(r.text[:first], '\n') + 1
		if r.position(g.End()).Line == line-1 && len(bytes.TrimSpace(r.text[begin:first])) == 0 {
			at = g.Pos()
		}
	}
	return r.offset(at)
}

// importName returns the name of a package in the file, chosen if the file does not import it yet.
func (r *rewriter) importName(path, name string) string {
	for _, s := range r.file.Imports {
		if p, _ := strconv.Unquote(s.Path.Value); p == path && (s.Name == nil || s.Name.Name != "_" && s.Name.Name != ".") {
			if s.Name != nil {
				return s.Name.Name
			}
			return name
		}
	}
	taken := r.pkg.Types.Scope().Lookup(name) != nil
	ast.Inspect(r.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			taken = true
		}
		return !taken
	})
	if taken {
		return "whorl" + name
	}
	return name
}

// imports returns the edits that add the new imports.
func (r *rewriter) imports(needsContext bool) []edit {
	var std, own string
	imported := func(path string) bool {
		return slices.ContainsFunc(r.file.Imports, func(s *ast.ImportSpec) bool {
			p, _ := strconv.Unquote(s.Path.Value)
			return p == path && (s.Name == nil || s.Name.Name != "_" && s.Name.Name != ".")
		})
	}
	spec := func(name, bare, path string) string {
		if name == bare {
			return strconv.Quote(path)
		}
		return name + " " + strconv.Quote(path)
	}
	if needsContext && !imported("context") {
		std = spec(r.context, "context", "context")
	}
	if !imported(dtsPath) {
		own = spec(r.dts, "dts", dtsPath)
	}
	if std == "" && own == "" {
		return nil
	}
	for _, d := range r.file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		if g.Lparen.IsValid() {
			return []edit{
				{r.offset(g.Lparen) + 1, r.offset(g.Lparen) + 1, "\n" + std},
				{r.offset(g.Rparen), r.offset(g.Rparen), "\n\n" + own + "\n"},
			}
		}
		if s := g.Specs[0].(*ast.ImportSpec); s.Path.Value != `"C"` { // a single import becomes a list
			text := "(\n" + std + "\n" + r.source(s) + "\n\n" + own + "\n)"
			return []edit{{r.offset(s.Pos()), r.offset(s.End()), text}}
		}
	}
	at := r.offset(r.file.Name.End())
	return []edit{{at, at, "\n\nimport (\n" + std + "\n\n" + own + "\n)"}}
}

// isMain reports whether f is the main function of the program.
func (f *function) isMain() bool {
	return f.obj.Name() == "main" && f.decl.Recv == nil && f.r.pkg.Name == "main"
}

// title returns the name of a function in notes.
func (f *function) title() string {
	if n := f.recvName(); n != "" {
		return n + "." + f.obj.Name()
	}
	return f.obj.Name()
}

// recvName returns the name of the receiver's type, "" for a function.
func (f *function) recvName() string {
	if f.decl.Recv == nil {
		return ""
	}
	t := f.obj.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// typeParams returns the type parameters of f or of its receiver's type.
func (f *function) typeParams() *types.TypeParamList {
	s := f.obj.Signature()
	if s.TypeParams().Len() > 0 {
		return s.TypeParams()
	}
	if s.RecvTypeParams().Len() > 0 {
		return s.RecvTypeParams()
	}
	return nil
}

// Names of the functions and types generated for f.
func (f *function) on() string      { return f.obj.Name() + "On" }
func (f *function) forker() string  { return "fork" + f.capital() }
func (f *function) joiner() string  { return "join" + f.capital() }
func (f *function) args() string    { return f.small() + "Args" }
func (f *function) results() string { return f.small() + "Results" }

func (f *function) capital() string { return upper(f.recvName()) + upper(f.obj.Name()) }

func (f *function) small() string {
	c := f.capital()
	return strings.ToLower(c[:1]) + c[1:]
}

func upper(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// nameAll reports the generated names that the package already declares.
func (f *function) nameAll() error {
	var names []string
	if f.worker && f.decl.Recv == nil {
		names = append(names, f.on())
	}
	if f.fit {
		names = append(names, f.forker(), f.joiner(), f.args(), f.results())
	}
	for _, n := range names {
		if obj := f.r.pkg.Types.Scope().Lookup(n); obj != nil {
			f.r.fault(f.decl.Name.Pos(), "%s needs the name %s, which is declared in %s: was the file rewritten before?", f.title(), n, f.r.place(obj.Pos()))
			return &Error{f.r.faults}
		}
	}
	if f.worker && f.decl.Recv != nil {
		if obj, _, _ := types.LookupFieldOrMethod(f.obj.Signature().Recv().Type(), true, f.r.pkg.Types, f.on()); obj != nil {
			f.r.fault(f.decl.Name.Pos(), "%s needs the name %s, which is declared in %s: was the file rewritten before?", f.title(), f.on(), f.r.place(obj.Pos()))
			return &Error{f.r.faults}
		}
	}
	return nil
}

// unique returns a name that does not occur in f.
func (f *function) unique(name string) string {
	n := name
	for i := 2; f.names[n]; i++ {
		n = name + strconv.Itoa(i)
	}
	f.names[n] = true
	return n
}
