package handout

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"whorl/lesson"
	"whorl/lesson/script/solve"
	"whorl/visual/backend/pdf"
	"whorl/visual/glyph"
	"whorl/visual/scene"
)

// The page is A4 in pixels of 1/96 inch.
const (
	pageWidth, pageHeight = 794, 1123
	margin                = 64
	textWidth             = pageWidth - 2*margin
	body                  = 13.5 // size of the text
)

// Colours on paper.
var (
	ink   = scene.Hex(0x1b1f24)
	quiet = scene.Hex(0x57606a)
	rule  = scene.Hex(0xb8bec6)
)

// PDF returns a lesson as a handout on paper. Pictures that a prediction hides come after the questions, and with answers the answers at the end.
func PDF(ctx context.Context, s *solve.Solution, answers bool) ([]byte, error) {
	l := s.Lesson
	p := &paper{ctx: ctx, solution: s, glyphs: glyph.New(), lang: l.Lang}
	p.turn()
	p.text([]lesson.Span{{Text: l.Title, Style: lesson.Strong}}, 26, ink, 0)
	p.text([]lesson.Span{{Text: l.Summary}}, 15, quiet, 0)
	var facts []string
	for _, q := range l.Parameters {
		facts = append(facts, q.Label+": "+q.Value)
	}
	p.text([]lesson.Span{{Text: strings.Join(append(facts, fmt.Sprintf("%d %s", l.Minutes, p.say("minutes"))), " · ")}}, 11, quiet, 0)
	p.y += 6
	p.blocks(l.Blocks, 0)
	if len(p.later) > 0 {
		p.turn()
		p.heading(p.say("Pictures that a prediction hides"), 18)
		for i := range p.later {
			p.heading(fmt.Sprintf("%c", 'A'+i%26), 15)
			p.blocks(p.later[i].Body, 0)
		}
	}
	for i := range p.last { // it has the answers to the predictions
		p.heading(p.say("Summary"), 16)
		p.blocks(p.last[i].Body, 0)
	}
	if answers {
		p.turn()
		p.heading(p.say("Answers"), 18)
		for i := range p.asked {
			p.answer(i+1, &p.asked[i])
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	for i, page := range p.pages {
		y := float32(pageHeight - margin/2)
		page.Text(margin, y, l.Title, scene.TextStyle{Size: 10, Color: quiet})
		page.Text(pageWidth-margin, y, fmt.Sprintf("%d / %d", i+1, len(p.pages)), scene.TextStyle{Size: 10, Color: quiet, Anchor: scene.End})
	}
	var out bytes.Buffer
	err := pdf.WritePages(&out, p.pages, pdf.Options{Fonts: p.glyphs})
	return out.Bytes(), err
}

// A paper is a handout being laid out.
type paper struct {
	ctx      context.Context
	solution *solve.Solution
	glyphs   *glyph.Set
	lang     string
	err      error

	pages []*scene.List
	y     float32 // of the next line on the last page
	later []lesson.Block
	last  []lesson.Block // summaries
	asked []lesson.Block // predictions and questions, by number from 1
}

func (p *paper) say(sentence string, args ...any) string {
	return lesson.Say(p.lang, sentence, args...)
}

// turn begins a page.
func (p *paper) turn() {
	p.pages = append(p.pages, scene.New(pageWidth, pageHeight))
	p.y = margin
}

// page returns the last page.
func (p *paper) page() *scene.List { return p.pages[len(p.pages)-1] }

// room begins a page if a height does not fit on this one.
func (p *paper) room(height float32) {
	if p.y+height > pageHeight-margin && p.y > margin {
		p.turn()
	}
}

// heading writes a heading, with room for some lines below it.
func (p *paper) heading(text string, size float32) {
	p.y += size / 2
	p.room(5 * size)
	p.text([]lesson.Span{{Text: text, Style: lesson.Strong}}, size, ink, 0)
}

// A word is a piece of a line in one face.
type word struct {
	text  string
	face  scene.Face
	space bool // there is a blank before it
}

// words divides spans at blanks.
func words(spans []lesson.Span) (out []word) {
	gap := false
	for _, s := range spans {
		face := scene.Regular
		switch s.Style {
		case lesson.Strong, lesson.Emphasis: // the font has no italics
			face = scene.Bold
		case lesson.Mono:
			face = scene.Mono
		}
		gap = gap || strings.TrimLeft(s.Text, " \n") != s.Text
		for _, text := range scene.Words(s.Text) {
			out = append(out, word{text, face, gap && out != nil})
			gap = true
		}
		gap = strings.TrimRight(s.Text, " \n") != s.Text
	}
	return out
}

// text writes a paragraph with its first line at the next line of the page.
func (p *paper) text(spans []lesson.Span, size float32, c scene.Color, indent float32) {
	blank, step := p.glyphs.Width(" ", size, scene.Regular), size*1.45
	x, first := float32(0), true
	p.room(step)
	for _, w := range words(spans) {
		width, gap := p.glyphs.Width(w.text, size, w.face), float32(0)
		if w.space {
			gap = blank
		}
		if !first && w.space && x+gap+width > textWidth-indent {
			p.y += step
			p.room(step)
			x, gap = 0, 0
		}
		p.page().Text(margin+indent+x+gap, p.y+size, w.text, scene.TextStyle{Size: size, Color: c, Face: w.face})
		x, first = x+gap+width, false
	}
	p.y += step + size*0.45
}

func (p *paper) blocks(blocks []lesson.Block, indent float32) {
	for i := range blocks {
		if p.err == nil {
			p.block(&blocks[i], indent)
		}
	}
}

func (p *paper) block(b *lesson.Block, indent float32) {
	switch b.Kind {
	case lesson.Heading:
		p.heading(lesson.Inline(b.Spans), 20-2*float32(min(b.Level, 3)))
	case lesson.Paragraph:
		p.text(b.Spans, body, ink, indent)
	case lesson.List:
		for i, item := range b.Items {
			mark := "•"
			if b.Ordered {
				mark = strconv.Itoa(i+1) + "."
			}
			p.room(2 * body)
			p.page().Text(margin+indent+4, p.y+body, mark, scene.TextStyle{Size: body, Color: ink})
			p.blocks(item, indent+24)
		}
	case lesson.Quote:
		p.blocks(b.Body, indent+24)
	case lesson.Code:
		for _, line := range strings.Split(strings.TrimRight(b.Text, "\n"), "\n") {
			p.room(16)
			p.page().Text(margin+indent+12, p.y+11, strings.ReplaceAll(line, "\t", "    "), scene.TextStyle{Size: 11, Color: ink, Face: scene.Mono})
			p.y += 16
		}
		p.y += 6
	case lesson.Table:
		p.table(b, indent)
	case lesson.PictureOf:
		p.picture(b.Picture)
	case lesson.ToDo:
		p.heading(p.say("To do in the viewer"), 13)
		p.blocks(b.Task.Do, indent)
	case lesson.Predict, lesson.Ask:
		p.question(b, indent)
	case lesson.Reveal:
		p.later = append(p.later, *b)
		p.text([]lesson.Span{{Text: "→ " + p.say("Pictures that a prediction hides") + fmt.Sprintf(": %c", 'A'+(len(p.later)-1)%26)}}, 11, quiet, indent)
	case lesson.Summary:
		p.last = append(p.last, *b)
	}
}

func (p *paper) table(b *lesson.Block, indent float32) {
	widths := []float32{}
	for i, row := range b.Cells {
		for k, cell := range row {
			if k == len(widths) {
				widths = append(widths, 0)
			}
			face := scene.Regular
			if i == 0 {
				face = scene.Bold
			}
			widths[k] = max(widths[k], p.glyphs.Width(lesson.Inline(cell), body, face)+24)
		}
	}
	for i, row := range b.Cells {
		p.room(20)
		x := float32(margin) + indent
		for k, cell := range row {
			face := scene.Regular
			if i == 0 {
				face = scene.Bold
			}
			p.page().Text(x, p.y+body, lesson.Inline(cell), scene.TextStyle{Size: body, Color: ink, Face: face})
			x += widths[k]
		}
		p.y += 20
		p.page().Line(margin+indent, p.y-2, x, p.y-2, 0.5, rule)
	}
	p.y += 8
}

// picture draws a picture as wide as the text.
func (p *paper) picture(pic *lesson.Picture) {
	sized := *pic
	sized.Width = textWidth
	sized.Height = min(max(pic.Height*textWidth/pic.Width, 150), 760)
	list, err := p.solution.Draw(p.ctx, &sized, p.glyphs)
	if err != nil {
		p.err = fmt.Errorf("the picture %s: %w", pic.Caption, err)
		return
	}
	p.room(float32(sized.Height) + 24)
	p.page().Clip(margin, p.y, margin+textWidth, p.y+float32(sized.Height))
	open := p.page().Open()
	p.page().AppendAt(list, margin, p.y)
	for p.page().Open() > open-1 {
		p.page().Pop()
	}
	p.y += float32(sized.Height) + 4
	if pic.Caption != "" {
		p.text([]lesson.Span{{Text: pic.Caption}}, 11, quiet, 0)
	}
}

// question writes a question with room for the answer.
func (p *paper) question(b *lesson.Block, indent float32) {
	q := b.Question
	p.asked = append(p.asked, *b)
	title := "Question"
	if b.Kind == lesson.Predict {
		title = "Prediction"
	}
	p.room(140)
	p.heading(fmt.Sprintf("%d  %s", len(p.asked), p.say(title)), 13)
	p.blocks(q.Ask, indent)
	switch q.Kind {
	case lesson.ChoiceAnswer:
		for _, c := range q.Choices {
			p.room(24)
			p.page().Frame(margin+indent+2, p.y+4, margin+indent+13, p.y+15, 1, ink)
			p.text([]lesson.Span{{Text: c.Text}}, body, ink, indent+24)
		}
	case lesson.CurveAnswer:
		p.axes(q)
	default:
		p.room(30)
		p.page().Line(margin+indent, p.y+22, margin+indent+240, p.y+22, 0.75, rule)
		p.y += 34
	}
}

// axes draws the empty field of a curve, with the axes of the chart that answers it.
func (p *paper) axes(q *lesson.Question) {
	const height = 250
	p.room(height + 10)
	field := scene.Rect{X0: margin, Y0: float64(p.y), X1: margin + textWidth, Y1: float64(p.y) + height}
	lesson.NewChart(q.Curve, field, 1).Draw(p.page(), p.glyphs, 1, &lesson.ChartStyle{Text: quiet, Grid: rule, Ideal: quiet}, nil, false)
	p.y += height + 10
}

// answer writes the answer to a question.
func (p *paper) answer(number int, b *lesson.Block) {
	q := b.Question
	text := ""
	switch q.Kind {
	case lesson.NumberAnswer:
		text = q.Number.Shown
	case lesson.TextAnswer:
		text = strings.Join(q.Words.Accept, ", ")
	case lesson.ChoiceAnswer:
		for _, c := range q.Choices {
			if c.Right {
				text = c.Text + " " + c.Why
			}
		}
	case lesson.CurveAnswer:
		for i, point := range q.Curve.Points {
			if i > 0 {
				text += ", "
			}
			text += strconv.FormatFloat(point.X, 'g', -1, 64) + ": " + q.Curve.Show(point.Y)
		}
	}
	p.text([]lesson.Span{{Text: fmt.Sprintf("%d  ", number), Style: lesson.Strong}, {Text: " " + text}}, body, ink, 0)
	p.blocks(q.Explain, 24)
}
