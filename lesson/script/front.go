package script

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"whorl/internal/nearest"
	"whorl/internal/nesting"
	"whorl/lesson"
)

// fence is the line before and after the settings of a lesson.
const fence = "+++"

// maxNesting bounds the depth of tables and arrays.
const maxNesting = 16

// Front holds the settings at the beginning of a lesson.
type Front struct {
	Title      string           `toml:"title"`
	Minutes    int              `toml:"minutes"`
	Summary    string           `toml:"summary"`
	Workspace  any              `toml:"workspace"`
	Shows      string           `toml:"shows"`
	Parameters []Parameter      `toml:"parameter"`
	Sets       []map[string]any `toml:"set"`
	Runs       []map[string]any `toml:"run"`
	Series     []Series         `toml:"series"`
	Values     []Value          `toml:"value"`

	begin, end int // the place of the settings in the file
}

// A Parameter is a number or a choice that runs use.
type Parameter struct {
	Name    string   `toml:"name"`
	Label   string   `toml:"label"`
	Doc     string   `toml:"doc"`
	Default any      `toml:"default"`
	Choices []string `toml:"choices"`
	Min     int64    `toml:"min"`
	Max     int64    `toml:"max"`
}

// A Series is a number as a function of a setting of a run.
type Series struct {
	Name   string         `toml:"name"`
	Run    string         `toml:"run"`
	Over   string         `toml:"over"`
	Points []any          `toml:"at"`
	With   map[string]any `toml:"with"` // other settings of the runs, with {x}
	Y      string         `toml:"y"`
	Label  string         `toml:"label"`
	XAxis  string         `toml:"x_label"`
	Ideal  string         `toml:"ideal"`
}

// A Value is a name for a number or a text of the runs.
type Value struct {
	Name  string `toml:"name"`
	Is    string `toml:"is"` // an expression
	Run   string `toml:"run"`
	Rows  string `toml:"of"` // tasks, pes, events, functions or lines
	Where string `toml:"where"`
	Max   string `toml:"max"`
	Min   string `toml:"min"`
	Sum   string `toml:"sum"`
	Mean  string `toml:"mean"`
	Count bool   `toml:"count"`
	First string `toml:"first"` // a field of the row with the largest By
	By    string `toml:"by"`
}

// Measures returns the kinds of measures that a value has: max, min, sum, mean, count, first. A valid one of Of has exactly one.
func (v *Value) Measures() (names, texts []string) {
	for _, m := range []struct{ name, text string }{{"max", v.Max}, {"min", v.Min}, {"sum", v.Sum}, {"mean", v.Mean}, {"first", v.First}} {
		if m.text != "" {
			names, texts = append(names, m.name), append(texts, m.text)
		}
	}
	if v.Count {
		names, texts = append(names, "count"), append(texts, "")
	}
	return names, texts
}

// front reads the settings at the beginning and returns the offset behind them.
func (p *parser) front() (end int) {
	const want = "a line with +++, settings in TOML, and another line with +++"
	if !IsLesson(p.Text) {
		p.fail(0, "a lesson begins with its settings", want)
		return 0
	}
	begin := strings.IndexByte(p.Text, '\n') + 1
	at := begin
	for line := range strings.Lines(p.Text[begin:]) {
		if strings.TrimRight(line, "\r\n ") == fence {
			p.Front.begin, p.Front.end = begin, at
			p.decode(p.Text[begin:at], begin, &p.Front)
			return at + len(line)
		}
		at += len(line)
	}
	p.fail(begin, "the settings do not end", want)
	return len(p.Text)
}

// decode reads the settings of a block, which begins at an offset of the file.
func (p *parser) decode(text string, offset int, into any) {
	if nesting.TOML(text) > maxNesting {
		p.fail(offset, fmt.Sprintf("more than %d nested tables and arrays", maxNesting), "")
		return
	}
	md, err := toml.Decode(text, into)
	var syntax toml.ParseError
	switch {
	case errors.As(err, &syntax):
		p.fail(offset+min(max(syntax.Position.Start, 0), len(text)), strings.TrimPrefix(syntax.Message, "toml: "), "settings in TOML")
		return
	case err != nil:
		p.fail(offset, strings.TrimPrefix(err.Error(), "toml: "), "")
		return
	}
	for _, key := range md.Undecoded() {
		name := key[len(key)-1]
		known := keysOf(reflect.TypeOf(into), key)
		if known == nil {
			continue // in a table whose keys are checked where it is used
		}
		p.fail(offset+lineOffset(text, nesting.Line(text, key.String())), nearest.Unknown("key", name, known).Error(), "")
	}
}

// lineOffset returns the offset of a line, which counts from 1.
func lineOffset(text string, line int) (offset int) {
	for range line - 1 {
		i := strings.IndexByte(text[offset:], '\n')
		if i < 0 {
			break
		}
		offset += i + 1
	}
	return offset
}

// keysOf returns the keys of the table that holds a key, nil if any key may stand there.
func keysOf(t reflect.Type, key toml.Key) (known []string) {
	for _, part := range key[:len(key)-1] {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct {
			return nil
		}
		var next reflect.Type
		for f := range t.NumField() {
			if t.Field(f).Tag.Get("toml") == part {
				next = t.Field(f).Type
			}
		}
		if next == nil {
			return nil
		}
		t = next
	}
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for f := range t.NumField() {
		if name := t.Field(f).Tag.Get("toml"); name != "" {
			known = append(known, name)
		}
	}
	return known
}

// namePattern is the form of names of runs, values, parameters and questions.
var namePattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// idPattern is the form of the ids of questions.
var idPattern = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// place returns the offset of a text in the part of the file from begin to end, begin if it is not there.
func (s *Script) place(begin, end int, text string) int {
	begin, end = min(max(begin, 0), len(s.Text)), min(max(end, 0), len(s.Text))
	if i := strings.Index(s.Text[begin:end], text); i >= 0 && text != "" {
		return begin + i
	}
	return begin
}

// InFront returns the place of a text in the settings.
func (s *Script) InFront(text string) int { return s.place(s.Front.begin, s.Front.end, text) }

// check checks the default of a parameter.
func (q *Parameter) check() error {
	if len(q.Choices) > 0 {
		if q.Min != 0 || q.Max != 0 {
			return errors.New("a choice has no min and no max")
		}
	} else if q.Min > q.Max {
		return fmt.Errorf("min %d is above max %d", q.Min, q.Max)
	}
	_, err := q.Parse(fmt.Sprint(q.Default))
	return err
}

// Parse reads a value of the parameter: an int64 or a text.
func (q *Parameter) Parse(text string) (any, error) {
	described := q.Describe(text)
	switch ok := described.Accepts(text); {
	case !ok && len(q.Choices) > 0:
		return nil, nearest.Unknown("value of "+q.Name, text, q.Choices)
	case !ok:
		return nil, fmt.Errorf("%s: expected a whole number from %d to %d", nearest.Quote(text), q.Min, q.Max)
	case len(q.Choices) > 0:
		return text, nil
	}
	return strconv.ParseInt(text, 10, 64)
}

// Describe returns the parameter with a value.
func (q *Parameter) Describe(value string) lesson.Parameter {
	label := q.Label
	if label == "" {
		label = q.Name
	}
	return lesson.Parameter{Name: q.Name, Label: label, Doc: q.Doc, Value: value, Default: fmt.Sprint(q.Default), Choices: q.Choices, Min: q.Min, Max: q.Max}
}

// Parameter returns the parameter with a name, nil for none.
func (f *Front) Parameter(name string) *Parameter {
	for i := range f.Parameters {
		if f.Parameters[i].Name == name {
			return &f.Parameters[i]
		}
	}
	return nil
}

// Settings returns what a translation has in common with the lesson: everything but texts.
func (f *Front) Settings() any {
	type common struct {
		Minutes   int
		Workspace any
		Shows     string
		Settings  []any
	}
	c := common{f.Minutes, f.Workspace, f.Shows, nil}
	for _, p := range f.Parameters {
		p.Label, p.Doc = "", ""
		c.Settings = append(c.Settings, p)
	}
	for _, set := range f.Sets {
		c.Settings = append(c.Settings, without(set, "name"))
	}
	for _, run := range f.Runs {
		c.Settings = append(c.Settings, without(run, "title"))
	}
	for _, s := range f.Series {
		s.Label, s.XAxis = "", ""
		c.Settings = append(c.Settings, s)
	}
	for _, v := range f.Values {
		c.Settings = append(c.Settings, v)
	}
	return c
}

// without returns a table without a key.
func without(table map[string]any, key string) map[string]any {
	out := maps.Clone(table)
	delete(out, key)
	return out
}
