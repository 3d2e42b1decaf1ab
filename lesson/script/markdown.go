package script

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	xast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"whorl/lesson"
)

// mostDepth bounds the depth of lists and quotes.
const mostDepth = 32

// A reader turns Markdown into blocks.
type reader struct {
	*parser
	source []byte
	start  int  // the offset of source in the file
	parts  bool // blocks with settings may stand here
}

// markdown reads the body of a lesson, which begins at an offset of the file.
func (p *parser) markdown(source string, at int) []lesson.Block {
	return (&reader{p, []byte(source), at, true}).read()
}

// inner reads the Markdown of a text in settings.
func (p *parser) inner(source string, at int) []lesson.Block {
	return (&reader{p, []byte(source), at, false}).read()
}

func (r *reader) read() []lesson.Block {
	doc := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(r.source))
	return r.blocks(doc, 0)
}

// blocks returns the blocks in a node.
func (r *reader) blocks(parent ast.Node, depth int) (out []lesson.Block) {
	if depth > mostDepth {
		r.fail(r.start, "lists and quotes are nested too deeply", fmt.Sprintf("at most %d levels", mostDepth))
		return nil
	}
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			out = append(out, lesson.Block{Kind: lesson.Heading, Level: n.Level, Spans: r.spans(n)})
		case *ast.Paragraph, *ast.TextBlock:
			out = append(out, lesson.Block{Kind: lesson.Paragraph, Spans: r.spans(n)})
		case *ast.Blockquote:
			out = append(out, lesson.Block{Kind: lesson.Quote, Body: r.blocks(n, depth+1)})
		case *ast.List:
			b := lesson.Block{Kind: lesson.List, Ordered: n.IsOrdered()}
			for item := n.FirstChild(); item != nil; item = item.NextSibling() {
				b.Items = append(b.Items, r.blocks(item, depth+1))
			}
			out = append(out, b)
		case *ast.FencedCodeBlock:
			out = append(out, r.fenced(n, depth))
		case *ast.CodeBlock:
			out = append(out, lesson.Block{Kind: lesson.Code, Text: r.lines(n)})
		case *xast.Table:
			out = append(out, r.table(n))
		case *ast.ThematicBreak:
		case *ast.HTMLBlock:
			r.fail(r.offset(n), "a lesson has no HTML", "Markdown")
		default:
			r.fail(r.offset(n), "a lesson has no "+n.Kind().String(), "text, lists, quotes, tables and fenced blocks")
		}
	}
	return out
}

// offset returns the place of a node in the file.
func (r *reader) offset(n ast.Node) int {
	for ; n != nil; n = n.Parent() {
		if t, ok := n.(*ast.Text); ok {
			return r.start + t.Segment.Start
		}
		if n.Type() == ast.TypeBlock && n.Lines() != nil && n.Lines().Len() > 0 {
			return r.start + n.Lines().At(0).Start
		}
	}
	return r.start
}

// lines returns the text of a block of code.
func (r *reader) lines(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.Write(s.Value(r.source))
	}
	return b.String()
}

func (r *reader) fenced(n *ast.FencedCodeBlock, depth int) lesson.Block {
	language := string(n.Language(r.source))
	kind := lesson.Kind(language)
	if _, ok := partKinds[kind]; !ok {
		return lesson.Block{Kind: lesson.Code, Text: r.lines(n), Language: language}
	}
	at := r.offset(n)
	switch {
	case !r.parts || depth > 0:
		r.fail(at, "a "+language+" block stands in a list, a quote or a text of another block", "the block at the left, by itself")
	case len(r.Parts) >= mostParts:
		r.fail(at, fmt.Sprintf("more than %d blocks with settings", mostParts), "")
	default:
		part := r.part(kind, r.lines(n), at)
		r.Parts = append(r.Parts, part)
		return lesson.Block{Kind: kind, ID: part.ID, Level: len(r.Parts) - 1}
	}
	return lesson.Block{Kind: lesson.Code}
}

func (r *reader) table(n ast.Node) lesson.Block {
	b := lesson.Block{Kind: lesson.Table}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells [][]lesson.Span
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, r.spans(cell))
		}
		b.Cells = append(b.Cells, cells)
	}
	return b
}

// spans returns the text of a node, with its expressions.
func (r *reader) spans(n ast.Node) []lesson.Span {
	w := spanWriter{reader: r}
	w.walk(n, "", 0)
	return r.expressions(w.spans, n)
}

// A spanWriter collects spans and joins those of one style.
type spanWriter struct {
	*reader
	spans []lesson.Span
}

func (w *spanWriter) add(text string, style lesson.Style) {
	if n := len(w.spans); n > 0 && w.spans[n-1].Style == style {
		w.spans[n-1].Text += text
	} else if text != "" {
		w.spans = append(w.spans, lesson.Span{Text: text, Style: style})
	}
}

func (w *spanWriter) walk(parent ast.Node, style lesson.Style, depth int) {
	if depth > mostDepth {
		w.fail(w.offset(parent), "emphasis is nested too deeply", "")
		return
	}
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			w.add(string(n.Segment.Value(w.source)), style)
			if n.SoftLineBreak() || n.HardLineBreak() {
				w.add(" ", style)
			}
		case *ast.String:
			w.add(string(n.Value), style)
		case *ast.CodeSpan:
			w.walk(n, lesson.Mono, depth+1)
		case *ast.Emphasis:
			inner := lesson.Emphasis
			if n.Level > 1 {
				inner = lesson.Strong
			}
			w.walk(n, inner, depth+1)
		case *ast.RawHTML:
			w.fail(w.offset(n), "a lesson has no HTML", "Markdown")
		case *ast.Link, *ast.AutoLink, *ast.Image:
			w.fail(w.offset(n), "a lesson names no address and no other file", "text; a picture is a block of its own")
		default:
			w.fail(w.offset(n), "a lesson has no "+n.Kind().String(), "text, emphasis and code")
		}
	}
}

// expressions divides spans at expressions in double braces.
func (r *reader) expressions(spans []lesson.Span, n ast.Node) (out []lesson.Span) {
	for _, s := range spans {
		if s.Style == lesson.Mono {
			if strings.Contains(s.Text, "{{") {
				r.fail(r.offset(n), "an expression in a code span is not computed", "the expression outside the code span")
			}
			out = append(out, s)
			continue
		}
		rest := s.Text
		for {
			before, inner, found := strings.Cut(rest, "{{")
			if before != "" {
				out = append(out, lesson.Span{Text: before, Style: s.Style})
			}
			if !found {
				break
			}
			expression, after, closed := strings.Cut(inner, "}}")
			if !closed {
				r.fail(r.offset(n), "{{ has no }}", "an expression in double braces: {{ static.elapsed }}")
				break
			}
			out = append(out, lesson.Span{Text: strings.TrimSpace(expression), Style: Expression})
			rest = after
		}
	}
	return out
}
