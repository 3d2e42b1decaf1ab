package solve

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"whorl/lesson"
	"whorl/lesson/script"
)

func (v *solver) question(p *script.Part) (q *lesson.Question, err error) {
	q = &lesson.Question{Kind: p.Form, Lang: v.script.Lang}
	if q.Ask, err = v.list(p.Texts["ask"], p); err != nil {
		return nil, err
	}
	if q.Hints, err = v.hints(p); err != nil {
		return nil, err
	}
	if q.Explain, err = v.list(p.Texts["explain"], p); err != nil {
		return nil, err
	}
	switch p.Form {
	case lesson.NumberAnswer:
		q.Number, err = v.numberAnswer(p)
	case lesson.TextAnswer:
		q.Words, err = v.wordsAnswer(p)
	case lesson.ChoiceAnswer:
		q.Choices, err = v.choices(p)
	case lesson.CurveAnswer:
		q.Curve = v.series(p.Series)
		q.Most = q.Curve.Most()
	}
	q.Runs = v.telling(p)
	return q, err
}

// telling returns the runs whose numbers give an answer away. A curve is about how runs differ, so all of them do.
func (v *solver) telling(p *script.Part) (runs []string) {
	switch p.Form {
	case lesson.CurveAnswer:
		for i := range v.out.Lesson.Runs {
			runs = append(runs, v.out.Lesson.Runs[i].Name)
		}
	case lesson.ChoiceAnswer:
		for _, c := range p.Choices {
			runs = append(runs, v.world.from(c.When)...)
		}
	default:
		runs = slices.Clone(v.world.from(p.Answer))
	}
	slices.Sort(runs)
	return slices.Compact(runs)
}

// tolerance returns the largest difference from a value that is right.
func (v *solver) tolerance(p *script.Part, m lesson.Measure, n number) (float64, error) {
	text := strings.TrimSpace(p.Tolerance)
	percent, isShare := strings.CutSuffix(text, "%")
	switch {
	case text == "" && m == lesson.Portion:
		return 0.01, nil
	case text == "" && m == lesson.Plain && n.value == math.Trunc(n.value):
		return 0, nil
	case text == "":
		return 0.02 * math.Abs(n.value), nil
	case isShare:
		x, err := strconv.ParseFloat(strings.TrimSpace(percent), 64)
		if err != nil || x < 0 || x > 50 {
			return 0, v.inPart(p, p.Tolerance, "tolerance", errors.New("expected a share of the answer from 0% to 50%, or an expression"))
		}
		return x / 100 * math.Abs(n.value), nil
	}
	t, err := v.world.number(text)
	if err == nil && t.dimension != n.dimension && t.value != 0 {
		err = errors.New("a tolerance of another measure than the answer")
	}
	if err != nil {
		return 0, v.inPart(p, p.Tolerance, "tolerance", err)
	}
	return math.Abs(t.value), nil
}

func (v *solver) numberAnswer(p *script.Part) (*lesson.Number, error) {
	n, err := v.world.number(p.Answer)
	if err != nil {
		return nil, v.inPart(p, p.Answer, "answer", err)
	}
	m := n.measure(p.Measure)
	if p.Measure != "" && (p.Measure == string(lesson.Time)) != (n.dimension == 1) {
		return nil, v.inPart(p, p.Measure, "measure", fmt.Errorf("the answer is a %s, not a %s", n.measure(""), p.Measure))
	}
	out := &lesson.Number{Measure: m, Value: n.value, Noun: p.Noun, Shown: strings.TrimSpace(n.show(m) + " " + p.Noun)}
	if out.Tolerance, err = v.tolerance(p, m, n); err != nil {
		return nil, err
	}
	for i, near := range p.Near {
		x, err := v.world.number(near.Answer)
		if err == nil && x.dimension != n.dimension && x.value != 0 {
			err = errors.New("the near miss has another measure than the answer")
		}
		if err != nil {
			return nil, v.inPart(p, near.Answer, "near miss", err)
		}
		t, err := v.tolerance(p, m, x)
		if err != nil {
			return nil, err
		}
		if math.Abs(x.value-n.value) <= out.Tolerance {
			v.problem(p, near.Answer, fmt.Sprintf("the near miss %s equals the answer %s", x.show(m), n.show(m)), "an expression with another value, or a smaller tolerance")
			continue
		}
		why, err := v.inline(p, fmt.Sprintf("near %d", i))
		if err != nil {
			return nil, err
		}
		out.Near = append(out.Near, lesson.Near{Value: x.value, Tolerance: t, Why: why})
	}
	return out, nil
}

func (v *solver) wordsAnswer(p *script.Part) (*lesson.Words, error) {
	w, err := v.world.text(p.Answer)
	if err != nil {
		return nil, v.inPart(p, p.Answer, "answer", err)
	}
	out := &lesson.Words{Accept: []string{w.text}, Known: w.known}
	for i, near := range p.Near {
		x, err := v.world.text(near.Answer)
		if err != nil {
			return nil, v.inPart(p, near.Answer, "near miss", err)
		}
		if x.text == w.text {
			v.problem(p, near.Answer, "the near miss "+x.text+" equals the answer", "another text")
			continue
		}
		why, err := v.inline(p, fmt.Sprintf("near %d", i))
		if err != nil {
			return nil, err
		}
		out.Near = append(out.Near, lesson.Near{Text: x.text, Why: why})
	}
	return out, nil
}

func (v *solver) choices(p *script.Part) (out []lesson.Choice, err error) {
	right := 0
	for i, c := range p.Choices {
		var choice lesson.Choice
		if choice.Text, err = v.inline(p, fmt.Sprintf("choice %d", i)); err != nil {
			return nil, err
		}
		if choice.Why, err = v.inline(p, fmt.Sprintf("choice why %d", i)); err != nil {
			return nil, err
		}
		if choice.Right, err = v.world.holds(c.When); err != nil {
			return nil, v.inPart(p, c.When, "when", err)
		}
		if choice.Right {
			right++
		}
		out = append(out, choice)
	}
	if right != 1 {
		v.problem(p, "[[choice]]", fmt.Sprintf("%d of the choices of %s are right", right, p.ID), "conditions of which exactly one is true")
	}
	return out, nil
}
