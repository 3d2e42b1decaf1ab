// Package lesson holds lessons as plain values: text with pictures, things to do in the viewer, predictions and questions, with the answers that
// the runs of the lesson gave. A Lesson can be written as JSON, so that the viewer in a browser shows lessons without reading Markdown and
// without computing answers. Package lesson/script reads the files of lessons and lesson/script/solve computes their answers.
//
// A Lesson belongs to one choice of its parameters: another seed, machine or size gives another Lesson with the same questions. Question.Judge
// and Task.Done check the answers and actions of a learner. Progress records the answers and actions so far.
package lesson

import (
	"slices"
	"strconv"

	"whorl/experiment"
	"whorl/visual/view"
)

// A Head describes a lesson in a list.
type Head struct {
	Name    string   `json:"name"` // of its folder
	Lang    string   `json:"lang"` // of the texts: en, de
	Title   string   `json:"title"`
	Summary string   `json:"summary"`
	Minutes int      `json:"minutes"`
	Langs   []string `json:"langs"` // all languages of the lesson, English first
	Asks    []string `json:"asks"`  // the ids of all predictions, tasks and questions, in their order
	Cover   *Cover   `json:"cover,omitempty"`
}

// A Cover is the picture of a lesson in a list: a run in a view.
type Cover struct {
	Run    experiment.Run    `json:"run"`
	View   string            `json:"view"`
	Params map[string]string `json:"params,omitempty"`
}

// A Lesson is a lesson for one choice of its parameters.
type Lesson struct {
	Head
	Set        string      `json:"set"` // the name of the choice; "" for the defaults
	Sets       []string    `json:"sets"`
	Parameters []Parameter `json:"parameters"`
	Runs       []Run       `json:"runs"`
	Workspace  Workspace   `json:"workspace"`
	Blocks     []Block     `json:"blocks"`
}

// A Parameter is a number or a choice that the runs use.
type Parameter struct {
	Name    string   `json:"name"`
	Label   string   `json:"label"`
	Doc     string   `json:"doc,omitempty"`
	Value   string   `json:"value"` // for this lesson
	Default string   `json:"default"`
	Choices []string `json:"choices,omitempty"` // of a choice; a number has Min and Max
	Min     int64    `json:"min,omitempty"`
	Max     int64    `json:"max,omitempty"`
}

// Accepts reports whether the parameter may have a value.
func (q *Parameter) Accepts(value string) bool {
	if len(q.Choices) > 0 {
		return slices.Contains(q.Choices, value)
	}
	n, err := strconv.ParseInt(value, 10, 64)
	return err == nil && strconv.FormatInt(n, 10) == value && q.Min <= n && n <= q.Max
}

// A Run is a run that the lesson is about. Its trace has the name of the run.
type Run struct {
	Name    string         `json:"name"`
	Title   string         `json:"title,omitempty"`
	Run     experiment.Run `json:"run"`
	Command string         `json:"command"` // makes the run again
}

// A Workspace is shown beside the lesson: a default workspace by its name, or the text of a workspace file whose traces are
// the runs.
type Workspace struct {
	Question string `json:"question,omitempty"`
	Text     string `json:"text,omitempty"`
	Run      string `json:"run,omitempty"` // the run of a default workspace
}

// A Kind names what a Block is.
type Kind string

// The kinds of blocks, with the fields that they use.
const (
	Heading   Kind = "heading"   // Level, Spans
	Paragraph Kind = "paragraph" // Spans
	List      Kind = "list"      // Ordered, Items
	Quote     Kind = "quote"     // Body
	Code      Kind = "code"      // Text, Language
	Table     Kind = "table"     // Cells; the first row is the heading
	PictureOf Kind = "picture"   // Picture
	ToDo      Kind = "task"      // ID, Task
	Ask       Kind = "question"  // ID, Question
	Predict   Kind = "predict"   // ID, Question: a prediction, which is compared, not marked
	Reveal    Kind = "reveal"    // After, Body: hidden until the prediction After is made
	Hint      Kind = "hint"      // Body: shown when the learner asks for it
	Summary   Kind = "summary"   // Body
)

// A Block is a part of a lesson. Kind says which fields it has.
type Block struct {
	Kind     Kind       `json:"kind"`
	ID       string     `json:"id,omitempty"`
	Level    int        `json:"level,omitempty"`
	Spans    []Span     `json:"spans,omitempty"`
	Ordered  bool       `json:"ordered,omitempty"`
	Items    [][]Block  `json:"items,omitempty"`
	Body     []Block    `json:"body,omitempty"`
	Text     string     `json:"text,omitempty"`
	Language string     `json:"language,omitempty"`
	Cells    [][][]Span `json:"cells,omitempty"`
	After    string     `json:"after,omitempty"`
	Picture  *Picture   `json:"picture,omitempty"`
	Task     *Task      `json:"task,omitempty"`
	Question *Question  `json:"question,omitempty"`
}

// A Span is a piece of text in one style.
type Span struct {
	Text  string `json:"text"`
	Style Style  `json:"style,omitempty"`
}

// A Style is the look of a Span.
type Style string

// The styles. Plain text has none.
const (
	Emphasis Style = "emphasis"
	Strong   Style = "strong"
	Mono     Style = "code"
	Computed Style = "computed" // a number of the runs, which changes with the parameters
)

// A Picture is a view of a run, or the chart of a series.
type Picture struct {
	Run     string            `json:"run,omitempty"`
	View    string            `json:"view,omitempty"`
	Params  map[string]string `json:"params,omitempty"`
	Until   int64             `json:"until_ns,omitempty"` // 0 for all
	Window  *view.Span        `json:"window_ns,omitempty"`
	Select  string            `json:"select,omitempty"` // an expression that selects the marked parts
	Series  *Series           `json:"series,omitempty"`
	Caption string            `json:"caption"`
	Alt     string            `json:"alt"` // what the picture shows, for those who cannot see it
	Width   int               `json:"width"`
	Height  int               `json:"height"` // pixels
}

// A Series is a number as a function of a setting of a run.
type Series struct {
	Name   string  `json:"name"`
	X      string  `json:"x"` // labels of the axes
	Y      string  `json:"y"`
	Log    bool    `json:"log"`             // the x axis is logarithmic
	Unit   string  `json:"unit,omitempty"`  // of y: "ns" for times, "%" for shares
	Ideal  string  `json:"ideal,omitempty"` // a reference to draw beside it: linear
	Points []Point `json:"points"`
}

// A Point is a point of a curve.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Inline returns the text of spans without their styles.
func Inline(spans []Span) string {
	text := ""
	for _, s := range spans {
		text += s.Text
	}
	return text
}

// Find returns the block of a prediction, a task or a question, nil if the lesson has none of that id.
func (l *Lesson) Find(id string) (found *Block) {
	Walk(l.Blocks, func(b *Block) {
		if b.ID == id && id != "" {
			found = b
		}
	})
	return found
}

// Walk calls f for all blocks, each before those in it.
func Walk(blocks []Block, f func(b *Block)) {
	for i := range blocks {
		b := &blocks[i]
		f(b)
		Walk(b.Body, f)
		for _, item := range b.Items {
			Walk(item, f)
		}
		if b.Question != nil {
			Walk(b.Question.Ask, f)
			for _, h := range b.Question.Hints {
				Walk(h, f)
			}
			Walk(b.Question.Explain, f)
		}
		if b.Task != nil {
			Walk(b.Task.Do, f)
			for _, h := range b.Task.Hints {
				Walk(h, f)
			}
		}
	}
}
