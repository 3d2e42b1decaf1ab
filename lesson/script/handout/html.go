// Package handout writes lessons as files: a page in HTML that checks answers by itself, and a handout in PDF.
package handout

import (
	"bytes"
	"context"
	_ "embed" // the style and the script of pages
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/lesson"
	"whorl/lesson/script/solve"
	"whorl/visual/backend/raster"
	"whorl/visual/backend/svg"
	"whorl/visual/glyph"
)

//go:embed lesson.css
var style string

//go:embed lesson.js
var program string

// mostPage is the size of the largest page in bytes.
const mostPage = 8_000_000

// mostDrawing is the size of the largest picture in SVG in bytes. A larger one, such as bodies with their many facets, becomes an image of pixels.
const mostDrawing = 400_000

// HTML returns a page with a lesson for several choices of its parameters. The first one is shown at the beginning. It needs no other file
// and no network, and its security policy allows none.
func HTML(ctx context.Context, all []*solve.Solution) ([]byte, error) {
	l := all[0].Lesson
	p := &page{ctx: ctx, glyphs: glyph.New(), lang: l.Lang}
	title := html.EscapeString(l.Title)
	p.printf("<!DOCTYPE html>\n<html lang=%q>\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n", l.Lang)
	p.printf("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n")
	p.printf("<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n<h1>%s</h1>\n<p class=\"lead\">%s <span class=\"quiet\">%d %s</span></p>\n", title, style, title,
		html.EscapeString(l.Summary), l.Minutes, p.say("minutes"))
	p.chooser(l)
	p.printf("<p id=\"progress\" class=\"quiet\" role=\"status\"></p>\n</header>\n<main>\n")
	for i, s := range all {
		p.number, p.solution = i, s
		p.printf("<article class=\"set\" data-set=\"%d\"%s>\n", i, hidden(i > 0))
		p.settings(s.Lesson)
		p.blocks(s.Lesson.Blocks)
		p.runs(s.Lesson)
		p.printf("</article>\n")
	}
	p.printf("</main>\n")
	if p.err != nil {
		return nil, p.err
	}
	data := map[string]any{"name": l.Name, "asks": l.Asks, "say": lesson.Sentences(l.Lang), "sets": p.data}
	text, err := json.Marshal(data) // which escapes < in texts
	if err != nil {
		return nil, err
	}
	p.printf("<script type=\"application/json\" id=\"lesson\">%s</script>\n<script>\n%s</script>\n</body>\n</html>\n", text, program)
	if p.b.Len() > mostPage {
		return nil, fmt.Errorf("the page has %s bytes: expected at most %s; fewer sets of parameters, or smaller pictures, make it smaller",
			figures.Count(int64(p.b.Len())), figures.Count(mostPage))
	}
	return p.b.Bytes(), nil
}

func hidden(yes bool) string {
	if yes {
		return " hidden"
	}
	return ""
}

// A page is a page being written.
type page struct {
	ctx      context.Context
	glyphs   *glyph.Set
	lang     string
	b        bytes.Buffer
	err      error
	number   int // of the set
	solution *solve.Solution
	ids      int
	data     []map[string]*lesson.Question // by id, for each set
}

func (p *page) printf(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

func (p *page) say(sentence string, args ...any) string {
	return html.EscapeString(lesson.Say(p.lang, sentence, args...))
}

// chooser writes the choice among the sets of parameters.
func (p *page) chooser(l *lesson.Lesson) {
	if len(l.Sets) < 2 {
		return
	}
	p.printf("<p><label>%s <select id=\"sets\">", p.say("Parameters"))
	for i, name := range l.Sets {
		if name == "" {
			name = lesson.Say(p.lang, "Defaults")
		}
		p.printf("<option value=\"%d\">%s</option>", i, html.EscapeString(name))
	}
	p.printf("</select></label></p>\n")
}

// settings writes the values of the parameters.
func (p *page) settings(l *lesson.Lesson) {
	if len(l.Parameters) == 0 {
		return
	}
	p.printf("<p class=\"quiet\">")
	for i, q := range l.Parameters {
		if i > 0 {
			p.printf(" · ")
		}
		p.printf("%s: <strong>%s</strong>", html.EscapeString(q.Label), html.EscapeString(q.Value))
	}
	p.printf("</p>\n")
}

// runs writes the commands that make the runs again.
func (p *page) runs(l *lesson.Lesson) {
	p.printf("<details><summary>%s</summary>\n<pre>", p.say("The runs of this lesson"))
	for _, r := range l.Runs {
		p.printf("%s\n", html.EscapeString(r.Command))
	}
	p.printf("</pre>\n")
	shown, builtIn := map[string]bool{}, false
	for _, r := range l.Runs {
		if builtIn = builtIn || r.Run.Text == ""; r.Run.Text == "" || shown[r.Run.Program] {
			continue
		}
		shown[r.Run.Program] = true
		p.printf("<p>%s</p>\n<pre>%s</pre>\n", p.say("Save this program as %s:", r.Run.Program), html.EscapeString(r.Run.Text))
	}
	if builtIn {
		p.printf("<p>%s</p>\n", p.say("Programs without a file are built in: %s shows them.", "whorl list benchmarks"))
	}
	p.printf("<p>%s</p></details>\n", p.say("Open the lesson in the viewer: %s", "whorl lesson "+l.Name))
}

// id returns a new id of an element.
func (p *page) id() string {
	p.ids++
	return "e" + strconv.Itoa(p.ids)
}

func (p *page) blocks(blocks []lesson.Block) {
	for i := range blocks {
		p.block(&blocks[i])
	}
}

func (p *page) block(b *lesson.Block) {
	switch b.Kind {
	case lesson.Heading:
		level := min(max(b.Level+1, 2), 6)
		p.printf("<h%d>%s</h%d>\n", level, spans(b.Spans), level)
	case lesson.Paragraph:
		p.printf("<p>%s</p>\n", spans(b.Spans))
	case lesson.List:
		tag := "ul"
		if b.Ordered {
			tag = "ol"
		}
		p.printf("<%s>\n", tag)
		for _, item := range b.Items {
			p.printf("<li>")
			p.blocks(item)
			p.printf("</li>\n")
		}
		p.printf("</%s>\n", tag)
	case lesson.Quote:
		p.printf("<blockquote>\n")
		p.blocks(b.Body)
		p.printf("</blockquote>\n")
	case lesson.Code:
		p.printf("<pre>%s</pre>\n", html.EscapeString(b.Text))
	case lesson.Table:
		p.table(b)
	case lesson.PictureOf:
		p.picture(b.Picture)
	case lesson.ToDo:
		p.task(b)
	case lesson.Predict, lesson.Ask:
		p.question(b)
	case lesson.Reveal:
		p.reveal(b.After, func() { p.blocks(b.Body) })
	case lesson.Hint:
		p.hint(b.Body)
	case lesson.Summary:
		draw := func() {
			p.printf("<section class=\"summary\">\n<h2>%s</h2>\n", p.say("Summary"))
			p.blocks(b.Body)
			p.printf("</section>\n")
		}
		if all := p.solution.Lesson.Predictions(); len(all) > 0 { // it has the answers to them
			p.reveal(all[len(all)-1], draw)
			return
		}
		draw()
	}
}

// reveal writes a part that is covered until a prediction is made.
func (p *page) reveal(after string, draw func()) {
	p.printf("<section class=\"reveal\" data-after=\"%s\">\n<p class=\"covered quiet\">%s</p>\n<div class=\"cover\">\n", after, p.say("This appears when the prediction above is made."))
	draw()
	p.printf("</div>\n</section>\n")
}

func (p *page) hint(body []lesson.Block) {
	p.printf("<details class=\"hint\"><summary>%s</summary>\n", p.say("Hint"))
	p.blocks(body)
	p.printf("</details>\n")
}

func (p *page) table(b *lesson.Block) {
	p.printf("<table>\n")
	for i, row := range b.Cells {
		tag := "td"
		if i == 0 {
			tag = "th scope=\"col\""
		}
		p.printf("<tr>")
		for _, cell := range row {
			p.printf("<%s>%s</%s>", tag, spans(cell), tag[:2])
		}
		p.printf("</tr>\n")
	}
	p.printf("</table>\n")
}

// spans returns text as HTML.
func spans(in []lesson.Span) string {
	var b strings.Builder
	for _, s := range in {
		text := html.EscapeString(s.Text)
		switch s.Style {
		case lesson.Emphasis:
			text = "<em>" + text + "</em>"
		case lesson.Strong:
			text = "<strong>" + text + "</strong>"
		case lesson.Mono:
			text = "<code>" + text + "</code>"
		case lesson.Computed:
			text = "<span class=\"number\">" + text + "</span>"
		}
		b.WriteString(text)
	}
	return b.String()
}

// picture writes a picture. It is an image of its own, because names in pictures of one page would meet.
func (p *page) picture(pic *lesson.Picture) {
	if p.err != nil {
		return
	}
	list, err := p.solution.Draw(p.ctx, pic, p.glyphs)
	var image bytes.Buffer
	kind := "svg+xml"
	if err == nil {
		err = svg.Write(&image, list, svg.Options{Measure: p.glyphs})
	}
	if err == nil && image.Len() > mostDrawing {
		image.Reset()
		kind = "png"
		err = raster.WritePNG(&image, raster.New(p.glyphs).Picture(list, 2), 0)
	}
	if err != nil {
		p.err = fmt.Errorf("the picture %s: %w", pic.Caption, err)
		return
	}
	p.printf("<figure><img src=\"data:image/%s;base64,%s\" width=\"%d\" height=\"%d\" alt=\"%s\">", kind, base64.StdEncoding.EncodeToString(image.Bytes()), pic.Width, pic.Height,
		html.EscapeString(pic.Alt))
	if pic.Caption != "" {
		p.printf("<figcaption>%s</figcaption>", html.EscapeString(pic.Caption))
	}
	p.printf("</figure>\n")
}

func (p *page) task(b *lesson.Block) {
	p.printf("<section class=\"ask\" data-id=\"%s\">\n<h3>%s</h3>\n", b.ID, p.say("To do in the viewer"))
	p.blocks(b.Task.Do)
	for _, h := range b.Task.Hints {
		p.hint(h)
	}
	p.printf("<p><label><input type=\"checkbox\" class=\"done\"> %s</label></p>\n</section>\n", p.say("Done"))
}

// question writes a question or a prediction with its form.
func (p *page) question(b *lesson.Block) {
	q := b.Question
	for len(p.data) <= p.number {
		p.data = append(p.data, map[string]*lesson.Question{})
	}
	plain := *q // the texts are in the page already
	plain.Ask, plain.Hints, plain.Explain = nil, nil, nil
	p.data[p.number][b.ID] = &plain
	title, button := "Question", "Check"
	if b.Kind == lesson.Predict {
		title, button = "Prediction", "Predict"
	}
	label, asks := p.id(), p.id()
	p.printf("<section class=\"ask %s\" data-id=\"%s\" aria-labelledby=\"%s\">\n<h3 id=\"%s\">%s</h3>\n<div id=\"%s\">\n", b.Kind, b.ID, label, label, p.say(title), asks)
	p.blocks(q.Ask)
	p.printf("</div>\n<form>\n")
	switch q.Kind {
	case lesson.ChoiceAnswer:
		name := p.id()
		p.printf("<fieldset aria-labelledby=\"%s\">\n", asks)
		for i, c := range q.Choices {
			p.printf("<p><label><input type=\"radio\" name=\"%s\" value=\"%d\"> %s</label></p>\n", name, i, html.EscapeString(c.Text))
		}
		p.printf("</fieldset>\n")
	case lesson.CurveAnswer:
		p.curve(q)
	default:
		p.printf("<p><label>%s <input type=\"text\" autocomplete=\"off\" size=\"18\" aria-describedby=\"%s\"></label> ", p.say("Your answer"), asks)
		if q.Number != nil && q.Number.Noun != "" {
			p.printf("%s ", html.EscapeString(q.Number.Noun))
		}
		p.printf("</p>\n")
	}
	p.printf("<p><button>%s</button></p>\n</form>\n<p class=\"verdict\" role=\"status\" aria-live=\"polite\"></p>\n", p.say(button))
	if len(q.Explain) > 0 {
		p.printf("<div class=\"explain\" hidden>\n")
		p.blocks(q.Explain)
		p.printf("</div>\n")
	}
	for _, h := range q.Hints {
		p.hint(h)
	}
	p.printf("</section>\n")
}

// curve writes the field where learners draw a curve. The script draws its axes. Numbers beside it serve those who have no pointer.
func (p *page) curve(q *lesson.Question) {
	p.printf("<p class=\"quiet\">%s</p>\n<svg class=\"draw\" viewBox=\"0 0 640 320\" role=\"img\" aria-label=\"%s\"></svg>\n<p class=\"heights\">", p.say("Draw with the pointer, or write the heights below."),
		html.EscapeString(q.Curve.Y+" / "+q.Curve.X))
	for _, point := range q.Curve.Points {
		x := strconv.FormatFloat(point.X, 'g', -1, 64)
		p.printf("<label>%s <input type=\"number\" step=\"any\" min=\"0\" data-x=\"%s\" aria-label=\"%s\"></label> ", x, x, p.say("Height at %s %s", x, q.Curve.X))
	}
	p.printf("</p>\n")
}
