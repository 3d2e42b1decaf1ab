package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"whorl/internal/fault"
	"whorl/internal/nearest"
	"whorl/lesson"
	"whorl/lesson/script"
	"whorl/visual/glyph"
	"whorl/visual/view"
)

// Check checks the file of a lesson in its folder with all sets of its parameters. dir is the folder for the places of errors. A translation is also
// compared with the lesson in English. The error is for a check that was interrupted.
func Check(ctx context.Context, folder fs.FS, dir, file string) (fault.Errors, error) {
	lang, ok := script.Language(file)
	if !ok {
		return nil, fmt.Errorf("%s: expected a lesson, which is named lesson.md, or lesson.de.md for a translation to German", path.Join(dir, file))
	}
	s, err := script.Load(folder, path.Base(dir), dir, lang)
	if err != nil {
		return faults(err)
	}
	var all fault.Errors
	if lang != script.English {
		original, err := script.Load(folder, path.Base(dir), dir, script.English)
		if err != nil {
			return faults(err)
		}
		all = append(all, compare(original, s)...)
	}
	var cache Cache
	for _, set := range Sets(s) {
		values, err := Values(s, set, nil)
		if err != nil {
			return nil, err
		}
		got, err := cache.Solve(ctx, s, set, values)
		if err != nil {
			more, err := faults(err)
			return append(all, inSet(more, set)...).Locate(s.Text), err
		}
		got.checkPanes(s)
		got.drawAll(ctx, s)
		all = append(all, inSet(got.Problems, set)...)
	}
	return unique(all.Locate(s.Text)), nil
}

// faults returns the errors with places that err holds. It returns any other error unchanged.
func faults(err error) (fault.Errors, error) {
	if list, ok := errors.AsType[fault.Errors](err); ok {
		return list, nil
	}
	return nil, err
}

// inSet names the set of parameters in errors, unless it is that of the defaults.
func inSet(all fault.Errors, set string) (out fault.Errors) {
	for _, e := range all {
		c := *e
		if set != "" {
			c.Msg = fmt.Sprintf("with the set %q: %s", set, c.Msg)
		}
		out = append(out, &c)
	}
	return out
}

// unique leaves out errors that have the place of the one before: those of other sets.
func unique(all fault.Errors) fault.Errors {
	return slices.CompactFunc(all, func(a, b *fault.Error) bool { return a.Pos == b.Pos && a.Severity == b.Severity })
}

// compare says how a translation differs from the lesson in English: in its questions, choices, hints, pictures, runs, and answers.
func compare(original, s *script.Script) (all fault.Errors) {
	fail := func(offset int, msg, want string) {
		all = append(all, &fault.Error{Pos: s.Pos(offset), Msg: msg, Want: want})
	}
	if a, b := fmt.Sprint(original.Front.Settings()), fmt.Sprint(s.Front.Settings()); a != b {
		fail(0, "the runs, parameters, series or values differ from those of lesson.md", "the same settings; only title, summary, labels and names of sets are translated")
	}
	mine := map[string]*script.Part{}
	for _, p := range s.Parts {
		if p.ID != "" {
			mine[p.ID] = p
		}
	}
	for _, p := range original.Parts {
		q := mine[p.ID]
		delete(mine, p.ID)
		switch {
		case p.ID == "":
		case q == nil:
			fail(len(s.Text), fmt.Sprintf("the %s %s is missing", p.Kind, p.ID), "the questions of lesson.md")
		case p.Kind != q.Kind || p.Form != q.Form:
			fail(q.Offset, fmt.Sprintf("%s is a %s %s in lesson.md", p.ID, p.Form, p.Kind), "")
		case p.Checked() != q.Checked():
			fail(q.Offset, "what "+p.ID+" checks differs from lesson.md: an answer, a near miss, a condition or the number of hints", p.Checked())
		}
	}
	for _, p := range s.Parts {
		if mine[p.ID] == p {
			fail(p.Offset, fmt.Sprintf("lesson.md has no %s %s", p.Kind, p.ID), "")
		}
	}
	a, b := pictures(original), pictures(s)
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(b):
			fail(len(s.Text), "the picture "+a[i]+" is missing", "")
		case i >= len(a) || a[i] != b[i]:
			fail(0, "picture "+fmt.Sprint(i+1)+" is not the one of lesson.md", "the same pictures in the same order")
		default:
			continue
		}
		break
	}
	if n, m := count(original, lesson.Summary), count(s, lesson.Summary); n != m {
		fail(len(s.Text), fmt.Sprintf("%d summaries, lesson.md has %d", m, n), "")
	}
	return all
}

func count(s *script.Script, k lesson.Kind) (n int) {
	for _, p := range s.Parts {
		if p.Kind == k {
			n++
		}
	}
	return n
}

// pictures describes all pictures of a lesson without their texts.
func pictures(s *script.Script) (all []string) {
	for _, p := range s.Parts {
		for _, pic := range p.Pictures {
			pic.Caption, pic.Alt = "", ""
			all = append(all, fmt.Sprintf("%s%s %s %v", pic.Series, pic.Run, pic.View, pic.Params))
		}
	}
	return all
}

// checkPanes checks the views and the runs of the panes of the lesson's own workspace.
func (s *Solution) checkPanes(from *script.Script) {
	table, _ := from.Front.Workspace.(map[string]any)
	panes, _ := table["pane"].([]map[string]any)
	for _, pane := range panes {
		name, _ := pane["view"].(string)
		run, _ := pane["trace"].(string)
		kind, source, _, err := s.subject(&lesson.Picture{Run: run, View: name})
		at := from.InFront(`"` + name + `"`)
		if s.Made[run] == nil {
			at, err = from.InFront(`"`+run+`"`), nearest.Unknown("run", run, from.Front.RunNames())
		} else if err == nil {
			err = kind.CanOpen(source)
		}
		if err != nil {
			s.Problems = append(s.Problems, &fault.Error{Pos: from.Pos(at), Msg: "workspace: " + err.Error()})
		}
	}
}

// drawAll draws all pictures and checks the views of tasks. What cannot be drawn is a problem of the solution.
func (s *Solution) drawAll(ctx context.Context, from *script.Script) {
	glyphs := glyph.New()
	for _, p := range from.Parts {
		fail := func(text string, err error) {
			s.Problems = append(s.Problems, &fault.Error{Pos: from.Pos(from.In(p, text)), Msg: err.Error()})
		}
		for _, pic := range s.pictures[p] {
			if _, err := s.Draw(ctx, pic, glyphs); err != nil {
				fail(`"`+cmp.Or(pic.View, p.Series)+`"`, fmt.Errorf("the picture cannot be drawn: %w", err))
			}
		}
		if p.Kind == lesson.ToDo && p.View != "" {
			if err := s.checkView(p); err != nil {
				fail(`"`+p.View+`"`, err)
			}
		}
	}
}

// checkView returns an error for a task with a view that does not exist, or that cannot show its run, or with parameters that the view does not have.
func (s *Solution) checkView(p *script.Part) error {
	run := p.Run
	if run == "" {
		run = s.Lesson.Runs[0].Name
	}
	kind, source, _, err := s.subject(&lesson.Picture{Run: run, View: p.View})
	if err != nil {
		return err
	}
	if err := kind.CanOpen(source); err != nil && p.Run != "" {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(p.Params)) {
		i := slices.IndexFunc(kind.Params, func(q view.Param) bool { return q.Name == name })
		if i < 0 {
			var known []string
			for _, q := range kind.Params {
				known = append(known, q.Name)
			}
			return nearest.Unknown("parameter of the "+kind.Name+" view", name, known)
		}
		if !strings.Contains(p.Params[name], "{") {
			if _, err := kind.Params[i].Parse(p.Params[name]); err != nil {
				return err
			}
		}
	}
	return nil
}
