package lineplot

import (
	"slices"
	"strings"

	"whorl/tracer/derive/lineprofile"
	"whorl/visual/flow"
	"whorl/visual/view"
)

// A Text holds the lines of the source files in a trace.
type Text struct {
	files   []file // by file of the profile
	profile *lineprofile.Profile
}

type file struct {
	text    string
	begin   []int32 // offset of each line, then the end; nil if the trace does not hold the text
	most    int     // length of the longest line in bytes
	comment func(line string) bool
}

// TextStage splits the source files into lines.
var TextStage = flow.Derive("text", "the lines of the program's text",
	flow.In(view.RunStage, ProfileStage), nil,
	func(c *flow.Call[*Text]) (*Text, error) {
		return newText(view.RunStage.In(c), ProfileStage.In(c), c.Prev), nil
	})

func newText(run *view.Run, p *lineprofile.Profile, old *Text) *Text {
	t := &Text{profile: p}
	for i, f := range p.Files {
		if f.Source < 0 || f.Source >= len(run.Meta.Source) {
			t.files = append(t.files, file{most: mostName(p, int32(i))})
			continue
		}
		s := run.Meta.Source[f.Source].Text
		if old != nil && i < len(old.files) && old.files[i].text == s {
			t.files = append(t.files, old.files[i])
			continue
		}
		t.files = append(t.files, newFile(f.Name, s))
	}
	return t
}

// mostName returns the length of the longest name of the functions with known lines in file k.
func mostName(p *lineprofile.Profile, k int32) (most int) {
	for i := range p.Functions {
		if f := &p.Functions[i]; f.File == k && f.First > 0 {
			most = max(most, len(f.Name))
		}
	}
	return most
}

func newFile(name, s string) file {
	f := file{text: s, begin: make([]int32, 1, strings.Count(s, "\n")+2)}
	for begin := 0; ; {
		n := strings.IndexByte(s[begin:], '\n')
		if n < 0 {
			if begin < len(s) {
				f.begin = append(f.begin, int32(len(s)+1)) // as if a line feed followed
			}
			break
		}
		begin += n + 1
		f.begin = append(f.begin, int32(begin))
	}
	for i := range f.begin[1:] {
		f.most = max(f.most, int(f.begin[i+1]-f.begin[i])-1)
	}
	f.comment = Comments(name)
	return f
}

// Comments returns a function that reports whether a line of the named file is empty or only a comment.
// HPF directives do not count as comments.
func Comments(name string) func(line string) bool {
	sign, fixed := "//", false
	switch strings.ToLower(name[strings.LastIndexByte(name, '.')+1:]) {
	case "fghc", "kl1":
		sign = "%"
	case "f", "for", "f77":
		sign, fixed = "!", true
	case "hpf", "f90", "f95", "f03", "f08":
		sign = "!"
	case "py", "sh", "pl", "rb":
		sign = "#"
	}
	return func(s string) bool {
		trimmed := strings.TrimSpace(s)
		switch {
		case trimmed == "":
			return true
		case fixed && strings.ContainsRune("cC*!", rune(s[0])):
			return !strings.HasPrefix(strings.ToUpper(s[1:]), "HPF$")
		}
		return strings.HasPrefix(trimmed, sign) && !strings.HasPrefix(strings.ToUpper(trimmed), "!HPF$")
	}
}

// Longest returns an upper bound of the number of characters of the lines of a file.
func (t *Text) Longest(file int32) int {
	if int(file) >= len(t.files) {
		return 0
	}
	return min(t.files[file].most, maxColumns)
}

// Line returns the text of a line for display. If the trace does not hold the text of the file, it is the name of the function of a
// known line, and otherwise "".
func (t *Text) Line(l lineprofile.Line) string {
	if int(l.File) < len(t.files) && t.files[l.File].begin == nil {
		if _, known := slices.BinarySearchFunc(t.profile.CodeLines(l.File), l.Line, func(k lineprofile.Line, line int32) int { return int(k.Line) - int(line) }); !known {
			return ""
		}
		if f := t.profile.FunctionAt(l); f >= 0 {
			return view.Printable(t.profile.Functions[f].Name, maxColumns)
		}
		return ""
	}
	return view.Printable(t.raw(l), maxColumns)
}

const maxColumns = 1000 // characters of a displayed line

// raw returns the text of a line without its line feed, "" if there is none.
func (t *Text) raw(l lineprofile.Line) string {
	if int(l.File) >= len(t.files) {
		return ""
	}
	f := &t.files[l.File]
	if l.Line < 1 || int(l.Line) >= len(f.begin) {
		return ""
	}
	return f.text[f.begin[l.Line-1] : f.begin[l.Line]-1]
}

// Comment reports whether a line is empty, only a comment, or without text. Rows of a bare file are never comments.
func (t *Text) Comment(l lineprofile.Line) bool {
	if int(l.File) < len(t.files) && t.profile.Files[l.File].Bare {
		return false
	}
	s := t.raw(l)
	return s == "" || t.files[l.File].comment(s)
}
