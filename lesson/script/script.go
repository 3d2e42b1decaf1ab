// Package script reads the files of lessons: Markdown with settings in TOML at the beginning and in fenced blocks. A Script has the runs, the texts
// and the questions of a lesson, with expressions where a number of the runs belongs; package solve makes the runs and computes them.
//
// # Files
//
// A lesson is a folder with the file lesson.md, a translation to German beside it in lesson.de.md, and programs and machines that its runs use. A
// translation has the same questions by their ids. A lesson names no file outside its folder and no address: links, images and HTML are errors.
//
// The file begins with settings between two lines of three plus signs:
//
//	+++
//	title     = "Load balance"
//	minutes   = 8
//	summary   = "one or two sentences"
//	workspace = "balance"         # a default workspace (Shift+I), or the tables of a workspace file: [[workspace.pane]], [workspace.layout]
//	shows     = "static"          # the run that a default workspace shows; the first one without it
//
//	[[parameter]]                 # what readers may change; {pes} in a run stands for its value
//	name    = "pes"
//	label   = "PEs"
//	default = 8
//	min     = 2
//	max     = 64                  # or choices = ["bus", "mesh2d"] with a text as the default
//
//	[[set]]                       # other values for which exports have answers and pictures
//	name = "Another seed"
//	seed = 7
//
//	[[run]]                       # settings as in [trace.run] of a workspace file, beside name and title
//	name    = "static"
//	program = "dts/mandelbrot"
//	policy  = "static"
//	pes     = "{pes}"
//	ends    = "failed"            # for a run that does not end well; done without it
//
//	[[series]]                    # a run for each value of one setting
//	name = "speedup"
//	run  = "static"
//	over = "pes"                  # a setting of the run, or size, size2, ...: one of its args
//	at   = [1, 2, 4, 8, 16]
//	with = { args = ["{16 * x}"] } # other settings that change with x
//	y    = "first.elapsed / each.elapsed"
//	label = "Speedup"             # of the y axis; x_label; ideal = "linear" draws the proportional curve beside it
//
//	[[value]]                     # a name for an expression, or for a number of all tasks, PEs or events of a run
//	name  = "longest"
//	run   = "static"
//	of    = "tasks"               # or pes, events, functions, lines
//	max   = "time"                # or min, sum, mean; count = true; first = "procedure" with by = "time": the one with the most
//	where = "procedure = row"
//	+++
//
// # Expressions
//
// Expressions are those of package tracer/query. Their names are RUN.QUANTITY, such as static.elapsed (whorl list quantities); the parameters with
// numbers; the values; and SERIES.X, SERIES.max, SERIES.min, and the x of the largest and of the least y, SERIES.best and
// SERIES.lowest. In a text an expression stands in double braces: {{ static.elapsed }}; {{ a.work / b.work | share }} shows a percentage. In settings of
// runs, conditions and parameters of views it stands in single braces: "{16 * pes}", "time = {longest}". Nothing in a lesson that depends on
// its runs is written as a number.
//
// # Blocks
//
// A fenced block with one of these words has settings in TOML. Texts in it are Markdown.
//
//	picture    run, view, params, until, window, select, or series; caption, alt, width, height
//	predict    id, kind, ask, and an answer as a question has: compared with what happens, not marked; panes of the runs that its answer comes
//	           from show no pictures until it is made, unless something before it is about these runs
//	reveal     after: hidden until the prediction with this id is made; text, and [[picture]] tables
//	task       id, do, hints, and conditions on the viewer: view, params, run, select with is, any, trial, until, window
//	question   id, kind, ask, hints, explain, and an answer
//	hint       text
//	summary    text
//
// The answer depends on the kind:
//
//	number     answer: an expression; measure: time, share or number; tolerance: "5%" or an expression; noun; [[near]] with answer and why
//	choice     [[choice]] with text, why, and when: a condition that is true for exactly one of them
//	text       answer: the name of a value with a text; [[near]] with answer and why
//	curve      series: what is drawn over its x
//
// A [[near]] is a wrong answer that learners give with a reason, as an expression. It must differ from the answer by more than the tolerance.
package script

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"whorl/internal/fault"
	"whorl/lesson"
)

// Bounds of a lesson.
const (
	MostText   = 1 << 20 // bytes of a lesson or of a program in its folder
	mostParts  = 1000    // blocks with settings
	mostTables = 100     // runs, values and so on, each
	mostPoints = 256     // values of all series together
	mostErrors = 200     // reported
)

// English is the language of lesson.md.
const English = "en"

// A Script is the file of a lesson.
type Script struct {
	Name  string // of the folder
	Lang  string
	Path  string // of the file, for errors
	Text  string
	Front Front
	Parts []*Part // in their order
	// Blocks are the blocks of the lesson. Those with settings have the Kind and the number of their Part in Level; a Span with the style Expression has
	// the text of an expression.
	Blocks []lesson.Block
	Folder fs.FS // of its programs and machines; nil for none
}

// Expression is the style of a Span with the text of an expression.
const Expression lesson.Style = "expression"

// FileName returns the name of the file of a lesson in a language.
func FileName(lang string) string {
	if lang == English || lang == "" {
		return "lesson.md"
	}
	return "lesson." + lang + ".md"
}

// Language returns the language of a file name, false for one that no lesson has.
func Language(file string) (string, bool) {
	name, ok := strings.CutSuffix(path.Base(file), ".md")
	if name == "lesson" {
		return English, ok
	}
	lang, isLesson := strings.CutPrefix(name, "lesson.")
	return lang, ok && isLesson && len(lang) == 2 && strings.Trim(lang, "abcdefghijklmnopqrstuvwxyz") == ""
}

// IsLesson reports whether a text begins as a lesson does.
func IsLesson(text string) bool {
	return strings.HasPrefix(text, fence+"\n") || strings.HasPrefix(text, fence+"\r\n")
}

// Load reads the file of a lesson in a language from its folder. path is the name of the folder for errors.
func Load(folder fs.FS, name, dir, lang string) (*Script, error) {
	file := FileName(lang)
	f, err := folder.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%s: no such file", path.Join(dir, file))
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() > MostText {
		return nil, fmt.Errorf("%s: longer than %d bytes", path.Join(dir, file), MostText)
	}
	text, err := fs.ReadFile(folder, file)
	if err != nil {
		return nil, err
	}
	s, err := Parse(path.Join(dir, file), name, lang, string(text))
	if s != nil {
		s.Folder = folder
	}
	return s, err
}

// Languages returns the languages of a lesson, English first.
func Languages(folder fs.FS) (langs []string) {
	entries, _ := fs.ReadDir(folder, ".")
	for _, e := range entries {
		if lang, ok := Language(e.Name()); ok {
			langs = append(langs, lang)
		}
	}
	slices.SortFunc(langs, func(a, b string) int {
		if (a == English) != (b == English) {
			if a == English {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	return langs
}

// Parse reads a lesson. The error is of type fault.Errors, with all problems.
func Parse(path, name, lang, text string) (*Script, error) {
	p := &parser{Script: Script{Name: name, Lang: lang, Path: path, Text: text}}
	if len(text) > MostText || !utf8.ValidString(text) {
		p.fail(0, "this is no lesson", fmt.Sprintf("at most %d bytes of valid UTF-8", MostText))
		return nil, p.errs
	}
	body := p.front()
	if len(p.errs) == 0 {
		p.Blocks = p.markdown(text[body:], body)
		p.check()
	}
	if err := p.errs.Locate(text).Err(); err != nil {
		return nil, err
	}
	return &p.Script, nil
}

// A parser reads a lesson and collects its faults.
type parser struct {
	Script
	errs fault.Errors
	ids  map[string]bool
}

// fail notes a problem at an offset of the file.
func (p *parser) fail(offset int, msg, want string) {
	if len(p.errs) >= mostErrors {
		return
	}
	p.errs = append(p.errs, &fault.Error{Pos: p.Pos(offset), Msg: msg, Want: want})
}

// Pos returns the place of an offset.
func (s *Script) Pos(offset int) fault.Pos {
	offset = min(max(offset, 0), len(s.Text))
	before := s.Text[:offset]
	begin := strings.LastIndexByte(before, '\n') + 1
	return fault.Pos{File: s.Path, Line: int32(1 + strings.Count(before, "\n")), Column: int32(1 + utf8.RuneCountInString(before[begin:]))}
}

// Asks returns the ids of the predictions, the tasks and the questions, in their order.
func (s *Script) Asks() (ids []string) {
	for _, part := range s.Parts {
		if part.ID != "" {
			ids = append(ids, part.ID)
		}
	}
	return ids
}

// Head describes the lesson.
func (s *Script) Head() lesson.Head {
	langs := []string{s.Lang}
	if s.Folder != nil {
		langs = Languages(s.Folder)
	}
	return lesson.Head{Name: s.Name, Lang: s.Lang, Title: s.Front.Title, Summary: s.Front.Summary, Minutes: s.Front.Minutes, Langs: langs, Asks: s.Asks()}
}
