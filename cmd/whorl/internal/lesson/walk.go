package lesson

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"whorl/lesson"
)

// width is the most characters in a line of text.
const width = 100

// A walker walks through a lesson in a terminal.
type walker struct {
	out   io.Writer
	in    *bufio.Scanner
	ended bool // there is no more input: questions are printed and not asked
	over  bool // the user ended the lesson
	l     *lesson.Lesson
	state *lesson.State
	save  func() error
}

// walk walks through a lesson and keeps what the user does.
func (t *taking) walk(l *lesson.Lesson) error {
	file := lesson.ProgressFile()
	progress, err := lesson.LoadProgress(file)
	if err != nil {
		fmt.Fprintf(t.cmd.ErrOrStderr(), "whorl: %v\n", err)
		file = "" // it is not overwritten
	}
	w := &walker{
		out: t.cmd.OutOrStdout(), in: bufio.NewScanner(t.cmd.InOrStdin()), l: l, state: progress.State(l.Name),
		save: func() error { return progress.Save(file) },
	}
	w.print("%s\n%s\n\n", l.Title, strings.Repeat("=", utf8.RuneCountInString(l.Title)))
	w.paragraph(l.Summary, "")
	for i := range l.Blocks {
		if err := w.block(&l.Blocks[i]); err != nil || w.over {
			return err
		}
	}
	w.print("%s\n", lesson.Say(l.Lang, "%d of %d done", w.state.Count(&l.Head), len(l.Asks)))
	return nil
}

func (w *walker) print(format string, args ...any) { fmt.Fprintf(w.out, format, args...) }

func (w *walker) say(sentence string) string { return lesson.Say(w.l.Lang, sentence) }

// paragraph prints a text in lines of at most width characters, the first behind a prefix and the others below it.
func (w *walker) paragraph(text, prefix string) {
	line, words := prefix, 0 // words in the line
	for _, word := range strings.Fields(text) {
		if words > 0 && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			w.print("%s\n", line)
			line, words = strings.Repeat(" ", utf8.RuneCountInString(prefix)), 0
		}
		if words++; words > 1 {
			line += " "
		}
		line += word
	}
	w.print("%s\n\n", line)
}

func (w *walker) block(b *lesson.Block) error {
	switch b.Kind {
	case lesson.Heading:
		text := lesson.Inline(b.Spans)
		w.print("%s\n%s\n\n", text, strings.Repeat("-", utf8.RuneCountInString(text)))
	case lesson.Paragraph:
		w.paragraph(lesson.Inline(b.Spans), "")
	case lesson.List:
		for i, item := range b.Items {
			prefix := "- "
			if b.Ordered {
				prefix = strconv.Itoa(i+1) + ". "
			}
			w.paragraph(plain(item), prefix)
		}
	case lesson.Quote:
		w.paragraph(plain(b.Body), "  | ")
	case lesson.Code:
		w.print("    %s\n\n", strings.ReplaceAll(strings.TrimRight(b.Text, "\n"), "\n", "\n    "))
	case lesson.Table:
		for _, row := range b.Cells {
			var cells []string
			for _, c := range row {
				cells = append(cells, fmt.Sprintf("%-20s", lesson.Inline(c)))
			}
			w.print("  %s\n", strings.TrimRight(strings.Join(cells, "  "), " "))
		}
		w.print("\n")
	case lesson.PictureOf:
		w.picture(b.Picture)
	case lesson.ToDo:
		w.print("[%s]\n", w.say("To do in the viewer"))
		return w.blocks(b.Task.Do)
	case lesson.Ask, lesson.Predict:
		return w.question(b)
	case lesson.Summary:
		w.print("%s\n\n", w.say("Summary"))
		return w.blocks(b.Body)
	case lesson.Hint:
		w.paragraph(plain(b.Body), w.say("Hint")+": ")
	default:
		return w.blocks(b.Body)
	}
	return nil
}

func (w *walker) blocks(blocks []lesson.Block) error {
	for i := range blocks {
		if err := w.block(&blocks[i]); err != nil {
			return err
		}
	}
	return nil
}

// plain returns the text of blocks.
func plain(blocks []lesson.Block) string {
	var all []string
	lesson.Walk(blocks, func(b *lesson.Block) {
		if text := lesson.Inline(b.Spans) + b.Text; text != "" {
			all = append(all, text)
		}
	})
	return strings.Join(all, " ")
}

// picture describes a picture, and says how to draw it.
func (w *walker) picture(pic *lesson.Picture) {
	w.paragraph(pic.Alt, "  ["+pic.Caption+"] ")
	if pic.Series != nil {
		for _, p := range pic.Series.Points {
			w.print("  %s %s: %s\n", pic.Series.X, strconv.FormatFloat(p.X, 'g', -1, 64), pic.Series.Show(p.Y))
		}
		w.print("\n")
	}
}

// question asks until the answer is right or left out. A prediction is asked for once.
func (w *walker) question(b *lesson.Block) error {
	q := b.Question
	title := "Question"
	if b.Kind == lesson.Predict {
		title = "Prediction"
	}
	w.print("[%s] ", w.say(title))
	if err := w.blocks(q.Ask); err != nil {
		return err
	}
	for i, c := range q.Choices {
		w.paragraph(c.Text, fmt.Sprintf("  %c) ", 'a'+i))
	}
	for hints := 0; !w.ended; {
		w.print("> ")
		if !w.in.Scan() {
			w.ended = true
			w.print("\n")
			break
		}
		line := strings.TrimSpace(w.in.Text())
		switch {
		case line == "":
			return nil
		case line == "end":
			w.over = true
			return nil
		case strings.EqualFold(line, "hint") || strings.EqualFold(line, w.say("Hint")):
			if hints == len(q.Hints) {
				w.print("-\n")
				continue
			}
			w.paragraph(plain(q.Hints[hints]), "  ")
			hints++
			continue
		}
		r := response(q, line)
		v := q.Judge(r)
		if b.Kind == lesson.Predict {
			v = q.Compare(r)
		}
		w.paragraph(v.Text, "  ")
		w.state.Note(b, r, v)
		if err := w.save(); err != nil {
			return err
		}
		if !v.Invalid && (v.Right || b.Kind == lesson.Predict) {
			return w.blocks(q.Explain)
		}
	}
	return nil
}

// response reads an answer from a line: the letter of a choice, the heights of a curve at its values, or a text.
func response(q *lesson.Question, line string) lesson.Response {
	r := lesson.Response{Text: line, Choice: -1}
	switch q.Kind {
	case lesson.ChoiceAnswer:
		if len(line) <= 2 {
			r.Choice = int(strings.ToLower(line)[0]) - 'a'
		}
	case lesson.CurveAnswer:
		unit := lesson.Number{Measure: lesson.Plain}
		switch q.Curve.Unit {
		case "ns":
			unit.Measure = lesson.Time
		case "%":
			unit.Measure = lesson.Portion
		}
		for i, word := range strings.FieldsFunc(line, func(c rune) bool { return c == ';' || c == ' ' && unit.Measure == lesson.Plain }) {
			y, ok := unit.Read(word)
			if ok && i < len(q.Curve.Points) {
				r.Curve = append(r.Curve, lesson.Point{X: q.Curve.Points[i].X, Y: y})
			}
		}
	}
	return r
}
