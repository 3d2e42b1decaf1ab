package parallelize

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// entry returns the body of main: a run of its second version under the options of the environment.
func (f *function) entry() string {
	r := f.r
	return fmt.Sprintf(`{
	_, err := %[1]s.Run(%[2]s.Background(), %[1]s.Options{}, func(w *%[1]s.Worker) struct{} {
		mainOn(w)
		return struct{}{}
	})
	if err != nil {
		panic(err)
	}
}`, r.dts, r.context)
}

// second returns the version of f that runs on a worker.
func (f *function) second() string {
	r, d := f.r, f.decl
	w := f.unique("w")
	edits := f.remarks(true)
	insert := func(at int, text string) { edits = append(edits, edit{at, at, text}) }

	params := d.Type.Params
	first := w + " *" + r.dts + ".Worker"
	if len(params.List) > 0 {
		first += ", "
	}
	insert(r.offset(params.Opening)+1, first)
	names := f.nameParams(&edits)
	if cond, why := f.cutOff(); cond != "" {
		call := f.plainCall(names)
		if f.obj.Signature().Results().Len() > 0 {
			call = "return " + call
		} else {
			call += "\nreturn"
		}
		text := fmt.Sprintf("\nif %s { // %s\n%s\n}", cond, why, call)
		if body := d.Body.List; len(body) > 0 && r.pkg.Fset.Position(body[0].Pos()).Line == r.pkg.Fset.Position(d.Body.Lbrace).Line {
			text += "\n"
		}
		insert(r.offset(d.Body.Lbrace)+1, text)
	}
	for _, k := range f.forks {
		f.rewriteFork(k, w, &edits)
	}
	for _, l := range f.loops {
		f.rewriteLoop(l, w, &edits)
	}
	edits = append(edits, f.innerEdits(d.Body, w)...) // edits of moved statements lie inside those that replace them
	name := r.offset(d.Name.Pos())
	edits = append(edits, edit{name, r.offset(d.Name.End()), f.on()})
	what := fmt.Sprintf("// %s is %s on threads of dts, with the worker %s.\n", f.on(), f.obj.Name(), w)
	return what + splice(r.text, r.offset(d.Pos()), r.offset(d.End()), edits)
}

// cutOff returns the condition under which f does not fork, "" for none, and the reason.
func (f *function) cutOff() (cond, why string) {
	if f.mark == nil || !f.fit || len(f.forks)+len(f.loops) == 0 {
		return "", ""
	}
	small, lengths := f.mark.small, f.r.analysis.Required(f.ssa)
	switch {
	case lengths == "":
		return small, "too little for threads"
	case small == "":
		return "!(" + lengths + ")", "calls may use the same memory"
	}
	return small + " || !(" + lengths + ")", "too little for threads, or calls may use the same memory"
}

// nameParams names the unnamed parameters and returns the names of all, the receiver's first.
func (f *function) nameParams(edits *[]edit) (names []string) {
	give := func(list *ast.FieldList, name string) {
		if list == nil {
			return
		}
		for _, field := range list.List {
			if len(field.Names) == 0 {
				n := f.unique(name)
				at := f.r.offset(field.Type.Pos())
				*edits = append(*edits, edit{at, at, n + " "})
				names = append(names, n)
			}
			for _, id := range field.Names {
				n := id.Name
				if n == "_" {
					n = f.unique(name)
					*edits = append(*edits, edit{f.r.offset(id.Pos()), f.r.offset(id.End()), n})
				}
				names = append(names, n)
			}
		}
	}
	give(f.decl.Recv, "recv")
	give(f.decl.Type.Params, "arg")
	return names
}

// plainCall returns a call of the sequential function with the given arguments.
func (f *function) plainCall(names []string) string {
	fun := f.obj.Name()
	if f.decl.Recv != nil {
		fun = names[0] + "." + fun
		names = names[1:]
	}
	args := strings.Join(names, ", ")
	if f.obj.Signature().Variadic() {
		args += "..."
	}
	return fun + f.typeArgs() + "(" + args + ")"
}

// typeArgs returns the type parameters of f as arguments in brackets, "" for none.
func (f *function) typeArgs() string {
	var names []string
	for p := range f.obj.Signature().TypeParams().TypeParams() {
		names = append(names, p.Obj().Name())
	}
	if len(names) == 0 {
		return ""
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// onWorker returns a call of the worker version.
func (f *function) onWorker(c *call, w string) string {
	if !c.f.worker {
		return f.r.raw(c.expr)
	}
	var fun string
	switch x := ast.Unparen(c.expr.Fun).(type) {
	case *ast.SelectorExpr:
		fun = f.inner(x.X, w) + "." + c.f.on()
	case *ast.Ident:
		fun = c.f.on()
	default: // with type arguments
		fun = c.f.on() + f.explicit(c)
	}
	return fun + "(" + f.withWorker(c, w) + ")"
}

// explicit returns the explicit type arguments of a call in brackets.
func (f *function) explicit(c *call) string {
	switch x := ast.Unparen(c.expr.Fun).(type) {
	case *ast.IndexExpr:
		return string(f.r.text[f.r.offset(x.X.End()):f.r.offset(x.End())])
	case *ast.IndexListExpr:
		return string(f.r.text[f.r.offset(x.X.End()):f.r.offset(x.End())])
	}
	return ""
}

// withWorker returns the arguments of a call, the worker first.
func (f *function) withWorker(c *call, w string) string {
	if len(c.expr.Args) == 0 {
		return w
	}
	return w + ", " + f.argumentText(c, w)
}

// argumentText returns the arguments of a call, with the calls in them on the worker.
func (f *function) argumentText(c *call, w string) string {
	from, to := c.expr.Args[0].Pos(), c.expr.Args[len(c.expr.Args)-1].End()
	var edits []edit
	for _, a := range c.expr.Args {
		edits = append(edits, f.innerEdits(a, w)...)
	}
	text := splice(f.r.text, f.r.offset(from), f.r.offset(to), edits)
	if c.expr.Ellipsis.IsValid() {
		text += "..."
	}
	return text
}

// inner returns the text of a node with its calls rewritten.
func (f *function) inner(n ast.Node, w string) string {
	return splice(f.r.text, f.r.offset(n.Pos()), f.r.offset(n.End()), f.innerEdits(n, w))
}

// innerEdits returns the edits of the outermost calls below n.
func (f *function) innerEdits(n ast.Node, w string) (edits []edit) {
	ast.Inspect(n, func(n ast.Node) bool {
		if e, ok := n.(*ast.CallExpr); ok {
			text, ok := f.text[e]
			if c := f.callAt(e); !ok && c != nil && c.f.worker {
				text, ok = f.onWorker(c, w), true
			}
			if ok {
				edits = append(edits, edit{f.r.offset(e.Pos()), f.r.offset(e.End()), text})
				return false
			}
		}
		return true
	})
	return edits
}

// forkText returns the call of the stub that forks c.
func (f *function) forkText(c *call, w string) string {
	args := f.withWorker(c, w)
	if x, ok := ast.Unparen(c.expr.Fun).(*ast.SelectorExpr); ok {
		recv := f.inner(x.X, w)
		args = w + ", " + f.receiver(c, x, recv) + strings.TrimPrefix(args, w)
	}
	return c.f.forker() + f.explicit(c) + "(" + args + ")"
}

// receiver returns the receiver as an argument of the stub, a pointer if the method has one.
func (f *function) receiver(c *call, x *ast.SelectorExpr, text string) string {
	sel := f.r.pkg.TypesInfo.Selections[x]
	path := sel.Index()
	if len(path) > 1 { // a method of an embedded field
		text += embedded(sel)
	}
	has, wants := isPointer(last(sel)), isPointer(c.f.obj.Signature().Recv().Type())
	switch {
	case wants && !has:
		return "&" + text
	case !wants && has:
		return "*" + text
	}
	return text
}

// rewriteFork writes the forks before the statement, or in its place if it moves.
func (f *function) rewriteFork(k *forked, w string, edits *[]edit) {
	r := f.r
	var before []string
	joins := map[*call]string{}
	for _, c := range k.calls {
		h := f.unique(f.handleName(k, c))
		before = append(before, h+" := "+f.forkText(c, w))
		joins[c] = c.f.joiner() + "(" + w + ", " + h + ")"
	}
	if k.here != nil {
		v := f.unique("v")
		before = append(before, v+" := "+f.onWorker(k.here, w))
		joins[k.here] = v
	}
	for c, text := range joins {
		f.text[c.expr] = text
	}
	forks := strings.Join(before, "\n")
	check := ""
	if len(k.conditions) > 0 {
		check = f.unique("apart")
		forks = f.checked(k, check, w, forks)
	}
	if k.before == nil && k.end == nil {
		at := r.start(k.stmt)
		*edits = append(*edits, edit{at, at, forks + "\n"})
		return
	}
	// Edits at the same place apply in the order of the list. Joining the last thread first is fastest for a worker,
	// so a moved statement goes before those that moved to the same place.
	text := f.inner(k.stmt, w)
	if check != "" {
		text = "if " + check + " {\n" + text + "\n}"
	}
	var to edit
	if k.before != nil {
		at := r.start(k.before)
		to = edit{at, at, text + "\n"}
	} else {
		at := r.offset(k.end.End())
		to = edit{at, at, "\n" + text}
	}
	*edits = slices.Insert(*edits, 0, to)
	*edits = append(*edits, edit{r.offset(k.stmt.Pos()), r.offset(k.stmt.End()), forks})
}

// checked returns the fork of a call under its conditions, and the call if they do not hold.
func (f *function) checked(k *forked, check, w, fork string) string {
	handle, fork, _ := strings.Cut(fork, " := ")
	return fmt.Sprintf("var %[1]s %[2]s.Handle[struct{}]\n%[3]s := %[4]s\nif %[3]s {\n%[1]s = %[5]s\n} else {\n%[6]s\n}",
		handle, f.r.dts, check, f.joined(k.conditions), fork, f.onWorker(k.calls[0], w))
}

// joined returns conditions as one.
func (f *function) joined(conditions []string) string {
	return strings.ReplaceAll(strings.Join(conditions, " && "), dtsName, f.r.dts)
}

// handleName returns a name for the handle of a call, derived from the variable of its result if there is one.
func (f *function) handleName(k *forked, c *call) string {
	if a, ok := k.stmt.(*ast.AssignStmt); ok && len(a.Rhs) == 1 && a.Rhs[0] == ast.Expr(c.expr) {
		if id, ok := a.Lhs[0].(*ast.Ident); ok && id.Name != "_" {
			return id.Name + "Handle"
		}
	}
	return "h"
}

// rewriteLoop writes a dts.For, or the forks of a loop and the second loop that joins.
func (f *function) rewriteLoop(l *loop, w string, edits *[]edit) {
	r := f.r
	if l.each != "" {
		from, to := r.offset(l.stmt.Pos()), r.offset(l.stmt.End())
		body := f.inner(l.body, w)
		if l.value != "" {
			body = "{\n" + l.value + "\n" + strings.TrimLeft(strings.TrimPrefix(body, "{"), " \t\n")
		}
		text := fmt.Sprintf("%s.For(%s, %s, 0, func(%s *%s.Worker, %s int) %s)", r.dts, w, l.each, w, r.dts, l.index.Name, body)
		if len(l.conditions) > 0 {
			text = fmt.Sprintf("if %s {\n%s\n} else {\n%s\n}", f.joined(l.conditions), text, f.inner(l.stmt, w))
		}
		*edits = append(*edits, edit{from, to, text})
		return
	}
	hs, h := f.unique("handles"), f.unique("h")
	index := "_"
	if l.index != nil {
		index = l.index.Name
	}
	at, end := r.start(l.stmt), r.offset(l.stmt.End())
	*edits = append(*edits, edit{at, at, fmt.Sprintf("var %s []%s.Handle[%s]\n", hs, r.dts, f.resultOf(l.call))})
	fork := fmt.Sprintf("%s = append(%s, %s)", hs, hs, f.forkText(l.call, w))
	if l.index != nil && !f.mentionsOutside(l.stmt, l.assignment, f.local(l.index)) && !f.mentions(l.call.expr, f.local(l.index)) {
		fork = "_ = " + index + "\n" + fork // the first loop does not use it
	}
	*edits = append(*edits, edit{r.offset(l.assignment.Pos()), r.offset(l.assignment.End()), fork})
	f.text[l.call.expr] = l.call.f.joiner() + "(" + w + ", " + h + ")"
	*edits = slices.Insert(*edits, 0, edit{end, end, fmt.Sprintf("\nfor %s, %s := range %s {\n%s\n}", index, h, hs, f.inner(l.assignment, w))})
}
