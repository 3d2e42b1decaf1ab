package script

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"whorl/internal/nearest"
	"whorl/lesson"
)

// A Part is a fenced block with settings.
type Part struct {
	Kind   lesson.Kind `toml:"-"`
	Offset int         `toml:"-"` // of its settings in the file
	Length int         `toml:"-"`

	ID    string   `toml:"id"`
	Form  string   `toml:"kind"` // of a question: number, choice, text or curve
	Ask   string   `toml:"ask"`
	Hints []string `toml:"hints"`
	After string   `toml:"after"`
	Text  string   `toml:"text"`
	Do    string   `toml:"do"`

	Answer    string   `toml:"answer"`
	Measure   string   `toml:"measure"`
	Tolerance string   `toml:"tolerance"`
	Noun      string   `toml:"noun"`
	Near      []Near   `toml:"near"`
	Choices   []Choice `toml:"choice"`
	Series    string   `toml:"series"`
	Explain   string   `toml:"explain"`

	Pictures []Picture `toml:"picture"` // of reveal; a picture has one

	Is    string            `toml:"is"`
	Any   bool              `toml:"any"`
	Trial map[string]string `toml:"trial"`
	// View, Params, Run, Select, Until and Window of a task have the meaning of lesson.Task.
	View   string            `toml:"view"`
	Params map[string]string `toml:"params"`
	Run    string            `toml:"run"`
	Select string            `toml:"select"`
	Until  []string          `toml:"until"`
	Window []string          `toml:"window"`

	Texts map[string][]lesson.Block `toml:"-"` // the Markdown of its texts: ask, do, explain, text, hint 0, why of choices and near misses
}

// A Picture is a view of a run, or the chart of a series.
type Picture struct {
	Run     string            `toml:"run"`
	View    string            `toml:"view"`
	Params  map[string]string `toml:"params"`
	Until   string            `toml:"until"` // an expression
	Window  []string          `toml:"window"`
	Select  string            `toml:"select"`
	Series  string            `toml:"series"`
	Caption string            `toml:"caption"`
	Alt     string            `toml:"alt"`
	Width   int               `toml:"width"`
	Height  int               `toml:"height"`
}

// A Near is a wrong answer that has a reason.
type Near struct {
	Answer string `toml:"answer"`
	Why    string `toml:"why"`
}

// A Choice is one of several answers.
type Choice struct {
	Text string `toml:"text"`
	When string `toml:"when"`
	Why  string `toml:"why"`
}

// partKinds are the words of fenced blocks with settings, and the keys that each may have.
var partKinds = map[lesson.Kind][]string{
	lesson.PictureOf: {"run", "view", "params", "until", "window", "select", "series", "caption", "alt", "width", "height"},
	lesson.Predict:   {"id", "kind", "ask", "hints", "answer", "measure", "tolerance", "noun", "near", "choice", "series", "explain"},
	lesson.Ask:       {"id", "kind", "ask", "hints", "answer", "measure", "tolerance", "noun", "near", "choice", "explain"},
	lesson.Reveal:    {"after", "text", "picture"},
	lesson.ToDo:      {"id", "do", "hints", "view", "params", "run", "select", "is", "any", "trial", "until", "window"},
	lesson.Hint:      {"text"},
	lesson.Summary:   {"text"},
}

// part reads a fenced block with settings, which begins at an offset of the file.
func (p *parser) part(kind lesson.Kind, text string, offset int) *Part {
	part := &Part{Kind: kind, Offset: offset, Length: len(text), Texts: map[string][]lesson.Block{}}
	before := len(p.errs)
	if kind == lesson.PictureOf {
		part.Pictures = make([]Picture, 1)
		p.decode(text, offset, &part.Pictures[0])
	} else {
		p.decode(text, offset, part)
		var keys map[string]any
		if len(p.errs) == before {
			p.decode(text, offset, &keys)
		}
		for _, key := range sortedKeys(keys) {
			if !slices.Contains(partKinds[kind], key) {
				p.fail(p.place(offset, offset+len(text), key), nearest.Unknown("key of "+string(kind), key, partKinds[kind]).Error(), "")
			}
		}
	}
	if len(p.errs) > before {
		return part
	}
	read := func(key, text string) {
		if text != "" {
			part.Texts[key] = p.inner(text, p.place(offset, offset+part.Length, firstLine(text)))
		}
	}
	read("ask", part.Ask)
	read("do", part.Do)
	read("text", part.Text)
	read("explain", part.Explain)
	for i, h := range part.Hints {
		read(fmt.Sprintf("hint %d", i), h)
	}
	for i, c := range part.Choices {
		read(fmt.Sprintf("choice %d", i), c.Text)
		read(fmt.Sprintf("choice why %d", i), c.Why)
	}
	for i, n := range part.Near {
		read(fmt.Sprintf("near %d", i), n.Why)
	}
	for i, pic := range part.Pictures {
		read(fmt.Sprintf("caption %d", i), pic.Caption)
		read(fmt.Sprintf("alt %d", i), pic.Alt)
	}
	read("is", part.Is)
	return part
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
	return line
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// In returns the offset of a text in the settings of a part.
func (s *Script) In(part *Part, text string) int {
	return s.place(part.Offset, part.Offset+part.Length, text)
}

// checkParts checks the fenced blocks, as far as that needs no run.
func (p *parser) checkParts() {
	p.ids = map[string]bool{}
	predicted := map[string]bool{}
	for _, part := range p.Parts {
		asks := part.Kind == lesson.Predict || part.Kind == lesson.Ask || part.Kind == lesson.ToDo
		switch {
		case asks && !idPattern.MatchString(part.ID):
			p.fail(p.In(part, "id"), fmt.Sprintf("a %s with the id %s", part.Kind, nearest.Quote(part.ID)), "id = \"...\" of small letters, digits and -")
		case asks && p.ids[part.ID]:
			p.fail(p.In(part, part.ID), "the id "+part.ID+" is taken", "another id")
		}
		p.ids[part.ID] = true
		switch part.Kind {
		case lesson.Predict, lesson.Ask:
			if predicted[part.ID] = part.Kind == lesson.Predict; part.Ask == "" {
				p.fail(part.Offset, fmt.Sprintf("the %s %s asks nothing", part.Kind, part.ID), "ask = \"...\"")
			}
			p.checkAnswer(part)
		case lesson.Reveal:
			if !predicted[part.After] {
				p.fail(p.In(part, part.After), "there is no prediction "+nearest.Quote(part.After)+" before this", "after = \"...\" with the id of a predict block")
			}
		case lesson.ToDo:
			if part.Do == "" {
				p.fail(part.Offset, "the task "+part.ID+" says nothing to do", "do = \"...\"")
			}
			if part.View == "" && part.Select == "" && len(part.Trial) == 0 && part.Until == nil && part.Window == nil {
				p.fail(part.Offset, "the task "+part.ID+" has no condition", "view, select, trial, until or window")
			}
			if part.Select != "" && (part.Run == "" || part.Is == "") {
				p.fail(p.In(part, "select"), "select needs a run and a name for what is selected", `run = "..." and is = "the slowest task"`)
			}
			if part.Run != "" {
				p.needRun("task "+part.ID, part.Run, part.Offset, part.Offset+part.Length)
			}
		case lesson.Hint, lesson.Summary:
			if part.Text == "" {
				p.fail(part.Offset, fmt.Sprintf("the %s has no text", part.Kind), "text = \"...\"")
			}
		}
		for i := range part.Pictures {
			p.checkPicture(part, &part.Pictures[i])
		}
	}
}

func (p *parser) checkPicture(part *Part, pic *Picture) {
	switch {
	case pic.Series != "" && pic.View != "" || pic.Series == "" && pic.View == "":
		p.fail(part.Offset, "a picture shows a view or a series", "run and view, or series")
	case pic.Series != "":
		p.needSeries(part, pic.Series)
	default:
		p.needRun("picture", pic.Run, part.Offset, part.Offset+part.Length)
	}
	if strings.TrimSpace(pic.Alt) == "" {
		p.fail(part.Offset, "the picture has no alt", "alt = \"...\": what it shows, for those who cannot see it")
	}
	pic.Width, pic.Height = cmp.Or(pic.Width, 900), cmp.Or(pic.Height, 560)
	if pic.Width < 200 || pic.Width > 2000 || pic.Height < 120 || pic.Height > 2000 {
		p.fail(p.In(part, "width"), fmt.Sprintf("a picture of %d by %d", pic.Width, pic.Height), "width from 200 to 2000 and height from 120 to 2000")
	}
	if pic.Window != nil && len(pic.Window) != 2 {
		p.fail(p.In(part, "window"), "a window has two ends", `window = ["1ms", "2ms"]`)
	}
}

func (p *parser) needSeries(part *Part, name string) {
	var known []string
	for i := range p.Front.Series {
		known = append(known, p.Front.Series[i].Name)
	}
	if !slices.Contains(known, name) {
		p.fail(p.In(part, `"`+name+`"`), nearest.Unknown("series", name, known).Error(), "")
	}
}

// checkAnswer checks that a question has the keys of its kind.
func (p *parser) checkAnswer(part *Part) {
	kinds := []string{lesson.NumberAnswer, lesson.ChoiceAnswer, lesson.TextAnswer}
	if part.Kind == lesson.Predict {
		kinds = append(kinds, lesson.CurveAnswer)
	}
	if !slices.Contains(kinds, part.Form) {
		p.fail(p.In(part, `"`+part.Form+`"`), nearest.Unknown("kind of "+string(part.Kind), part.Form, kinds).Error(), "")
		return
	}
	switch part.Form {
	case lesson.NumberAnswer, lesson.TextAnswer:
		if part.Answer == "" {
			p.fail(part.Offset, "the question "+part.ID+" has no answer", "answer = \"...\", an expression")
		}
		for _, n := range part.Near {
			if n.Answer == "" || n.Why == "" {
				p.fail(p.In(part, "[[near]]"), "a near miss has an answer and a reason", "answer = \"...\" and why = \"...\"")
			}
		}
	case lesson.ChoiceAnswer:
		if len(part.Choices) < 2 {
			p.fail(part.Offset, fmt.Sprintf("the question %s has %d choices", part.ID, len(part.Choices)), "two or more tables [[choice]]")
		}
		for _, c := range part.Choices {
			if c.Text == "" || c.When == "" || c.Why == "" {
				p.fail(p.In(part, "[[choice]]"), "a choice has a text, a condition and a reason", "text, when and why")
			}
		}
	case lesson.CurveAnswer:
		p.needSeries(part, part.Series)
	}
	if m := []string{"", string(lesson.Plain), string(lesson.Time), string(lesson.Portion)}; !slices.Contains(m, part.Measure) {
		p.fail(p.In(part, part.Measure), nearest.Unknown("measure", part.Measure, m[1:]).Error(), "")
	}
}

// Checked returns what the answers to a question or a task are checked against, without texts.
func (part *Part) Checked() string {
	text := fmt.Sprintf("answer %q, measure %q, tolerance %q, series %q, view %q, run %q, params %v, select %q, any %t, trial %v, until %v, window %v, %d hints",
		part.Answer, part.Measure, part.Tolerance, part.Series, part.View, part.Run, part.Params, part.Select, part.Any, part.Trial, part.Until, part.Window, len(part.Hints))
	for _, n := range part.Near {
		text += ", near " + n.Answer
	}
	for _, c := range part.Choices {
		text += ", when " + c.When
	}
	return text
}
