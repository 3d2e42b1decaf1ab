package parallelize

import (
	"bytes"
	"go/ast"
	"strconv"

	"whorl/dts/remark"
)

// remarks returns the edits that write the notes about the statements of f before them or, if body is false, those about
// f itself before its declaration. A trace of the new program has its text, so the source view shows the notes.
func (f *function) remarks(body bool) (edits []edit) {
	r := f.r
	for _, n := range r.notes {
		at := n.Pos.Offset
		own := at == r.offset(f.decl.Name.Pos())
		switch {
		case n.Pos.Filename != r.path || own == body:
			continue
		case own:
			at = r.offset(f.decl.Type.Func)
		case at < r.offset(f.decl.Body.Pos()) || r.offset(f.decl.Body.End()) <= at:
			continue
		case n.stmt != nil:
			at = r.offset(n.stmt.Pos())
		default:
			at = f.listed(at)
		}
		text := remark.Remark{Parallel: n.Forked, Text: inWords(n.Text, r.quoted)}.String()
		if line := bytes.LastIndexByte(r.text[:at], '\n') + 1; len(bytes.TrimSpace(r.text[line:at])) > 0 {
			text = "\n" + text // else it would belong to the code before it in its line
		}
		edits = append(edits, edit{at, at, text + "\n"})
	}
	return edits
}

// listed returns the offset of the innermost statement of a list around an offset.
func (f *function) listed(offset int) (at int) {
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		for _, s := range statements(n) {
			if f.r.offset(s.Pos()) <= offset && offset < f.r.offset(s.End()) {
				at = f.r.offset(s.Pos())
			}
		}
		return true
	})
	return at
}

// quoted returns the code of a line: in the new text it has another number.
func (r *rewriter) quoted(line int) string {
	lines := bytes.Split(r.text, []byte("\n"))
	code, _, _ := bytes.Cut(lines[line-1], []byte("//"))
	text := []rune(string(bytes.TrimSpace(code)))
	if len(text) > mostQuoted {
		text = append(text[:mostQuoted-1], '…')
	}
	if len(text) == 0 {
		return "line " + strconv.Itoa(line) + " of the sequential program"
	}
	return strconv.Quote(string(text))
}

const mostQuoted = 50 // characters
