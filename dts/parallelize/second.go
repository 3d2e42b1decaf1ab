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

// A version is the version of a function that runs on a worker.
type version struct {
	*plan
	w     string                   // the name of the worker
	edits []edit                   // of the function's text
	text  map[*ast.CallExpr]string // new text of calls that are forked, or computed before their statement
}

func (v *version) insert(offset int, text string) {
	v.edits = append(v.edits, edit{offset, offset, text})
}

// second returns the text of the version of the function that runs on a worker.
func (p *plan) second() string {
	r, d := p.r, p.decl
	v := &version{plan: p, w: p.unique("w"), edits: p.remarks(true), text: map[*ast.CallExpr]string{}}

	params := d.Type.Params
	first := v.w + " *" + r.dts + ".Worker"
	if len(params.List) > 0 {
		first += ", "
	}
	v.insert(r.offset(params.Opening)+1, first)
	names := v.nameParams()
	if cond, why := v.cutOff(); cond != "" {
		call := v.plainCall(names)
		if v.obj.Signature().Results().Len() > 0 {
			call = "return " + call
		} else {
			call += "\nreturn"
		}
		text := fmt.Sprintf("\nif %s { // %s\n%s\n}", cond, why, call)
		if body := d.Body.List; len(body) > 0 && r.pkg.Fset.Position(body[0].Pos()).Line == r.pkg.Fset.Position(d.Body.Lbrace).Line {
			text += "\n"
		}
		v.insert(r.offset(d.Body.Lbrace)+1, text)
	}
	for _, k := range v.forks {
		v.rewriteFork(k)
	}
	for _, l := range v.loops {
		v.rewriteLoop(l)
	}
	v.edits = append(v.edits, v.innerEdits(d.Body)...) // edits of moved statements lie inside those that replace them
	name := r.offset(d.Name.Pos())
	v.edits = append(v.edits, edit{name, r.offset(d.Name.End()), v.on()})
	what := fmt.Sprintf("// %s is %s on threads of dts, with the worker %s.\n", v.on(), v.obj.Name(), v.w)
	return what + splice(r.text, r.offset(d.Pos()), r.offset(d.End()), v.edits)
}

// cutOff returns the condition under which f does not fork, "" for none, and the reason.
func (v *version) cutOff() (cond, why string) {
	if v.mark == nil || !v.fit || !v.parallel() {
		return "", ""
	}
	small, lengths := v.mark.small, v.r.analysis.Required(v.ssa)
	switch {
	case lengths == "":
		return small, "too little for threads"
	case small == "":
		return "!(" + lengths + ")", "calls may use the same memory"
	}
	return small + " || !(" + lengths + ")", "too little for threads, or calls may use the same memory"
}

// nameParams names the unnamed parameters and returns the names of all, the receiver's first.
func (v *version) nameParams() (names []string) {
	give := func(list *ast.FieldList, name string) {
		if list == nil {
			return
		}
		for _, field := range list.List {
			if len(field.Names) == 0 {
				n := v.unique(name)
				at := v.r.offset(field.Type.Pos())
				v.insert(at, n+" ")
				names = append(names, n)
			}
			for _, id := range field.Names {
				n := id.Name
				if n == "_" {
					n = v.unique(name)
					v.edits = append(v.edits, edit{v.r.offset(id.Pos()), v.r.offset(id.End()), n})
				}
				names = append(names, n)
			}
		}
	}
	give(v.decl.Recv, "recv")
	give(v.decl.Type.Params, "arg")
	return names
}

// plainCall returns a call of the sequential function with the given arguments.
func (v *version) plainCall(names []string) string {
	fun := v.obj.Name()
	if v.decl.Recv != nil {
		fun = names[0] + "." + fun
		names = names[1:]
	}
	args := strings.Join(names, ", ")
	if v.obj.Signature().Variadic() {
		args += "..."
	}
	return fun + v.typeArgs() + "(" + args + ")"
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
func (v *version) onWorker(c *call) string {
	if !c.f.worker {
		return v.r.raw(c.expr)
	}
	var fun string
	switch x := ast.Unparen(c.expr.Fun).(type) {
	case *ast.SelectorExpr:
		fun = v.inner(x.X) + "." + c.f.on()
	case *ast.Ident:
		fun = c.f.on()
	default: // with type arguments
		fun = c.f.on() + v.explicit(c)
	}
	return fun + "(" + v.withWorker(c) + ")"
}

// explicit returns the explicit type arguments of a call in brackets.
func (v *version) explicit(c *call) string {
	switch x := ast.Unparen(c.expr.Fun).(type) {
	case *ast.IndexExpr:
		return string(v.r.text[v.r.offset(x.X.End()):v.r.offset(x.End())])
	case *ast.IndexListExpr:
		return string(v.r.text[v.r.offset(x.X.End()):v.r.offset(x.End())])
	}
	return ""
}

// withWorker returns the arguments of a call, the worker first.
func (v *version) withWorker(c *call) string {
	if len(c.expr.Args) == 0 {
		return v.w
	}
	return v.w + ", " + v.argumentText(c)
}

// argumentText returns the arguments of a call, with the calls in them on the worker.
func (v *version) argumentText(c *call) string {
	from, to := c.expr.Args[0].Pos(), c.expr.Args[len(c.expr.Args)-1].End()
	var edits []edit
	for _, a := range c.expr.Args {
		edits = append(edits, v.innerEdits(a)...)
	}
	text := splice(v.r.text, v.r.offset(from), v.r.offset(to), edits)
	if c.expr.Ellipsis.IsValid() {
		text += "..."
	}
	return text
}

// inner returns the text of a node with its calls rewritten.
func (v *version) inner(n ast.Node) string {
	return splice(v.r.text, v.r.offset(n.Pos()), v.r.offset(n.End()), v.innerEdits(n))
}

// innerEdits returns the edits of the outermost calls below n.
func (v *version) innerEdits(n ast.Node) (edits []edit) {
	ast.Inspect(n, func(n ast.Node) bool {
		if e, ok := n.(*ast.CallExpr); ok {
			text, ok := v.text[e]
			if c := v.callAt(e); !ok && c != nil && c.f.worker {
				text, ok = v.onWorker(c), true
			}
			if ok {
				edits = append(edits, edit{v.r.offset(e.Pos()), v.r.offset(e.End()), text})
				return false
			}
		}
		return true
	})
	return edits
}

// forkText returns the call of the stub that forks c.
func (v *version) forkText(c *call) string {
	args := v.withWorker(c)
	if x, ok := ast.Unparen(c.expr.Fun).(*ast.SelectorExpr); ok {
		recv := v.inner(x.X)
		args = v.w + ", " + v.receiver(c, x, recv) + strings.TrimPrefix(args, v.w)
	}
	return c.f.forker() + v.explicit(c) + "(" + args + ")"
}

// receiver returns the receiver as an argument of the stub, a pointer if the method has one.
func (v *version) receiver(c *call, x *ast.SelectorExpr, text string) string {
	sel := v.r.pkg.TypesInfo.Selections[x]
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
func (v *version) rewriteFork(k *forked) {
	r := v.r
	var before []string
	joins := map[*call]string{}
	for _, c := range k.calls {
		h := v.unique(v.handleName(k, c))
		before = append(before, h+" := "+v.forkText(c))
		joins[c] = c.f.joiner() + "(" + v.w + ", " + h + ")"
	}
	if k.here != nil {
		here := v.unique("v")
		before = append(before, here+" := "+v.onWorker(k.here))
		joins[k.here] = here
	}
	for c, text := range joins {
		v.text[c.expr] = text
	}
	forks := strings.Join(before, "\n")
	check := ""
	if len(k.conditions) > 0 {
		check = v.unique("apart")
		forks = v.checked(k, check, forks)
	}
	if k.before == nil && k.end == nil {
		at := r.start(k.stmt)
		v.insert(at, forks+"\n")
		return
	}
	// Edits at the same place apply in the order of the list. Joining the last thread first is fastest for a worker,
	// so a moved statement goes before those that moved to the same place.
	text := v.inner(k.stmt)
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
	v.edits = slices.Insert(v.edits, 0, to)
	v.edits = append(v.edits, edit{r.offset(k.stmt.Pos()), r.offset(k.stmt.End()), forks})
}

// checked returns the fork of a call under its conditions, and the call if they do not hold.
func (v *version) checked(k *forked, check, fork string) string {
	handle, fork, _ := strings.Cut(fork, " := ")
	return fmt.Sprintf("var %[1]s %[2]s.Handle[struct{}]\n%[3]s := %[4]s\nif %[3]s {\n%[1]s = %[5]s\n} else {\n%[6]s\n}",
		handle, v.r.dts, check, v.joined(k.conditions), fork, v.onWorker(k.calls[0]))
}

// joined returns conditions as one.
func (v *version) joined(conditions []string) string {
	return strings.ReplaceAll(strings.Join(conditions, " && "), dtsName, v.r.dts)
}

// handleName returns a name for the handle of a call, derived from the variable of its result if there is one.
func (v *version) handleName(k *forked, c *call) string {
	if a, ok := k.stmt.(*ast.AssignStmt); ok && len(a.Rhs) == 1 && a.Rhs[0] == ast.Expr(c.expr) {
		if id, ok := a.Lhs[0].(*ast.Ident); ok && id.Name != "_" {
			return id.Name + "Handle"
		}
	}
	return "h"
}

// rewriteLoop writes a dts.For, or the forks of a loop and the second loop that joins.
func (v *version) rewriteLoop(l *loop) {
	r := v.r
	if l.each != "" {
		from, to := r.offset(l.stmt.Pos()), r.offset(l.stmt.End())
		body := v.inner(l.body)
		if l.value != "" {
			body = "{\n" + l.value + "\n" + strings.TrimLeft(strings.TrimPrefix(body, "{"), " \t\n")
		}
		text := fmt.Sprintf("%s.For(%s, %s, 0, func(%s *%s.Worker, %s int) %s)", r.dts, v.w, l.each, v.w, r.dts, l.index.Name, body)
		if len(l.conditions) > 0 {
			text = fmt.Sprintf("if %s {\n%s\n} else {\n%s\n}", v.joined(l.conditions), text, v.inner(l.stmt))
		}
		v.edits = append(v.edits, edit{from, to, text})
		return
	}
	hs, h := v.unique("handles"), v.unique("h")
	index := "_"
	if l.index != nil {
		index = l.index.Name
	}
	at, end := r.start(l.stmt), r.offset(l.stmt.End())
	v.insert(at, fmt.Sprintf("var %s []%s.Handle[%s]\n", hs, r.dts, v.resultOf(l.call)))
	fork := fmt.Sprintf("%s = append(%s, %s)", hs, hs, v.forkText(l.call))
	if l.index != nil && !v.mentionsOutside(l.stmt, l.assignment, v.local(l.index)) && !v.mentions(l.call.expr, v.local(l.index)) {
		fork = "_ = " + index + "\n" + fork // the first loop does not use it
	}
	v.edits = append(v.edits, edit{r.offset(l.assignment.Pos()), r.offset(l.assignment.End()), fork})
	v.text[l.call.expr] = l.call.f.joiner() + "(" + v.w + ", " + h + ")"
	v.edits = slices.Insert(v.edits, 0, edit{end, end, fmt.Sprintf("\nfor %s, %s := range %s {\n%s\n}", index, h, hs, v.inner(l.assignment))})
}
