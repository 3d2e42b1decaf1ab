package solve

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"whorl/lesson"
	"whorl/lesson/script"
	"whorl/visual/view"
	"whorl/visual/view/selector"
	"whorl/visual/views"
)

// blocks computes the blocks of the lesson.
func (v *solver) blocks() (err error) {
	v.out.Lesson.Blocks, err = v.list(v.script.Blocks, nil)
	return err
}

// list computes blocks. part is the block with settings in whose text they stand, nil for the lesson itself.
func (v *solver) list(in []lesson.Block, part *script.Part) (out []lesson.Block, err error) {
	for _, b := range in {
		if part == nil && isPart(b.Kind) {
			more, err := v.part(v.script.Parts[b.Level])
			if err != nil {
				return nil, err
			}
			out = append(out, more)
			continue
		}
		if b.Spans, err = v.spans(b.Spans, part); err != nil {
			return nil, err
		}
		if b.Body, err = v.list(b.Body, part); err != nil {
			return nil, err
		}
		items := make([][]lesson.Block, len(b.Items))
		for i := range b.Items {
			if items[i], err = v.list(b.Items[i], part); err != nil {
				return nil, err
			}
		}
		b.Items = items
		cells := make([][][]lesson.Span, len(b.Cells))
		for i, row := range b.Cells {
			for _, cell := range row {
				spans, err := v.spans(cell, part)
				if err != nil {
					return nil, err
				}
				cells[i] = append(cells[i], spans)
			}
		}
		b.Cells = cells
		out = append(out, b)
	}
	return out, nil
}

func isPart(k lesson.Kind) bool {
	return slices.Contains([]lesson.Kind{lesson.PictureOf, lesson.Predict, lesson.Ask, lesson.Reveal, lesson.ToDo, lesson.Hint, lesson.Summary}, k)
}

// spans computes the expressions of a text.
func (v *solver) spans(in []lesson.Span, part *script.Part) (out []lesson.Span, err error) {
	for _, s := range in {
		if s.Style != script.Expression {
			out = append(out, s)
			continue
		}
		text, err := v.shown(s.Text)
		if err != nil {
			at, begin, end := 0, 0, len(v.script.Text)
			if part != nil {
				begin, end = part.Offset, part.Offset+part.Length
			}
			if at = strings.Index(v.script.Text[begin:end], s.Text); at < 0 {
				at = 0
			}
			return nil, v.wrong(begin+at, s.Text, "", err)
		}
		out = append(out, lesson.Span{Text: text, Style: lesson.Computed})
	}
	return out, nil
}

// shown computes an expression of a text: a number, a text, or a number with "| share" behind it.
func (v *solver) shown(text string) (string, error) {
	expression, as, _ := strings.Cut(text, "|")
	expression, as = strings.TrimSpace(expression), strings.TrimSpace(as)
	if w, ok := v.world.words[expression]; ok {
		return w.text, nil
	}
	n, err := v.world.number(expression)
	if err != nil {
		return "", err
	}
	m := lesson.Measure(as)
	if as != "" && m != lesson.Portion && m != lesson.Plain {
		return "", fmt.Errorf("%q after |: expected share or number", as)
	}
	return n.show(n.measure(as)), nil
}

// part computes a block with settings.
func (v *solver) part(p *script.Part) (b lesson.Block, err error) {
	b = lesson.Block{Kind: p.Kind, ID: p.ID, After: p.After}
	switch p.Kind {
	case lesson.PictureOf:
		b.Picture, err = v.picture(p, 0)
	case lesson.Predict, lesson.Ask:
		b.Question, err = v.question(p)
	case lesson.ToDo:
		b.Task, err = v.task(p)
	default:
		b.Body, err = v.list(p.Texts["text"], p)
		for i := range p.Pictures {
			if err != nil {
				break
			}
			var pic *lesson.Picture
			pic, err = v.picture(p, i)
			b.Body = append(b.Body, lesson.Block{Kind: lesson.PictureOf, Picture: pic})
		}
	}
	return b, err
}

// inline computes a text of settings as one line.
func (v *solver) inline(p *script.Part, key string) (string, error) {
	blocks, err := v.list(p.Texts[key], p)
	if err != nil {
		return "", err
	}
	var all []string
	for _, b := range blocks {
		all = append(all, lesson.Inline(b.Spans))
	}
	return strings.TrimSpace(strings.Join(all, " ")), nil
}

func (v *solver) hints(p *script.Part) (hints [][]lesson.Block, err error) {
	for i := range p.Hints {
		h, err := v.list(p.Texts[fmt.Sprintf("hint %d", i)], p)
		if err != nil {
			return nil, err
		}
		hints = append(hints, h)
	}
	return hints, nil
}

func (v *solver) picture(p *script.Part, i int) (pic *lesson.Picture, err error) {
	q := &p.Pictures[i]
	defer func() { v.out.pictures[p] = append(v.out.pictures[p], pic) }()
	pic = &lesson.Picture{Run: q.Run, View: q.View, Width: q.Width, Height: q.Height}
	if pic.Caption, err = v.inline(p, fmt.Sprintf("caption %d", i)); err != nil {
		return nil, err
	}
	if pic.Alt, err = v.inline(p, fmt.Sprintf("alt %d", i)); err != nil {
		return nil, err
	}
	if q.Series != "" {
		pic.Series = v.series(q.Series)
		return pic, nil
	}
	if pic.Params, err = v.params(p, q.Params); err != nil {
		return nil, err
	}
	from, _ := v.out.Made[q.Run].Trace.Span()
	if q.Until != "" {
		t, err := v.time(p, q.Until)
		if err != nil {
			return nil, err
		}
		pic.Until = from + t
	}
	if len(q.Window) == 2 {
		first, err := v.time(p, q.Window[0])
		if err != nil {
			return nil, err
		}
		last, err := v.time(p, q.Window[1])
		if err != nil {
			return nil, err
		}
		pic.Window = &view.Span{First: from + first, Last: from + last}
	}
	if q.Select != "" {
		if pic.Select, err = v.world.fill(q.Select, true); err == nil {
			_, err = v.selector(q.Run).Select(pic.Select)
		}
		if err != nil {
			return nil, v.inPart(p, q.Select, "select", err)
		}
	}
	return pic, nil
}

// params fills in the parameters of a view.
func (v *solver) params(p *script.Part, in map[string]string) (map[string]string, error) {
	if len(in) == 0 {
		return nil, nil
	}
	out := map[string]string{}
	for key, value := range in {
		text, err := v.world.fill(value, false)
		if err != nil {
			return nil, v.inPart(p, value, key, err)
		}
		out[key] = text
	}
	return out, nil
}

// time computes a time after the beginning of a run.
func (v *solver) time(p *script.Part, expression string) (int64, error) {
	n, err := v.world.number(expression)
	if err == nil && n.dimension != 1 && n.value != 0 {
		err = errors.New("this is no time: expected one such as 2ms or static.elapsed / 2")
	}
	if err != nil {
		return 0, v.inPart(p, expression, "", err)
	}
	return int64(math.Round(n.value)), nil
}

func (v *solver) task(p *script.Part) (t *lesson.Task, err error) {
	t = &lesson.Task{Lang: v.script.Lang, View: p.View, Run: p.Run}
	if t.Do, err = v.list(p.Texts["do"], p); err != nil {
		return nil, err
	}
	if t.Hints, err = v.hints(p); err != nil {
		return nil, err
	}
	if t.Params, err = v.params(p, p.Params); err != nil {
		return nil, err
	}
	t.Preset = preset(t.View, t.Params)
	if t.Trial, err = v.params(p, p.Trial); err != nil {
		return nil, err
	}
	if t.Is, err = v.inline(p, "is"); err != nil {
		return nil, err
	}
	if p.Select != "" {
		if err := v.selection(p, t); err != nil {
			return nil, err
		}
	}
	if t.Until, err = v.interval(p, p.Until); err != nil {
		return nil, err
	}
	t.Window, err = v.interval(p, p.Window)
	return t, err
}

// preset returns the names of the parameters that have the values of a new pane, in alphabetical order.
func preset(name string, params map[string]string) (names []string) {
	i := slices.IndexFunc(views.All, func(k *view.Kind) bool { return k.Name == name })
	if i < 0 {
		return nil
	}
	defaults := views.All[i].Defaults()
	for _, key := range slices.Sorted(maps.Keys(params)) {
		if params[key] == fmt.Sprint(defaults[key]) {
			names = append(names, key)
		}
	}
	return names
}

// interval computes the two ends of an interval of times, nil for none.
func (v *solver) interval(p *script.Part, ends []string) (*view.Span, error) {
	if len(ends) != 2 {
		return nil, nil
	}
	first, err := v.time(p, ends[0])
	if err != nil {
		return nil, err
	}
	last, err := v.time(p, ends[1])
	return &view.Span{First: first, Last: last}, err
}

// selection computes what a task selects. With any these are the tasks that fulfil the expression, whatever it names.
func (v *solver) selection(p *script.Part, t *lesson.Task) error {
	text, err := v.world.fill(p.Select, true)
	if err != nil {
		return v.inPart(p, p.Select, "select", err)
	}
	s := v.selector(t.Run)
	sel, err := s.Select(text)
	if err == nil && p.Any {
		sel = view.Selection{Trace: t.Run}
		_, err = s.Each(text, "", func(x selector.Task) {
			if n := len(sel.Tasks); n > 0 && max(sel.Tasks[n-1].First, sel.Tasks[n-1].Last)+1 == x.Task {
				sel.Tasks[n-1].Last = x.Task
				return
			}
			sel.Tasks = append(sel.Tasks, view.Tasks{First: x.Task})
		})
	}
	if err != nil {
		return v.inPart(p, p.Select, "select", err)
	}
	t.Select, t.Any = &sel, p.Any
	return nil
}
