package solve_test

import (
	"context"
	"fmt"
	"maps"
	"testing"

	"whorl/lesson"
	"whorl/lesson/script"
	"whorl/lesson/script/solve"
	"whorl/lessons"
	"whorl/testdata/must"
)

// TestTranslations checks all translations, and gives their right answers and near misses.
func TestTranslations(t *testing.T) {
	for _, name := range lessons.Names {
		folder := must.Get(lessons.Folder(name))(t)
		for _, lang := range script.Languages(folder)[1:] {
			if list := must.Get(solve.Check(context.Background(), folder, "lessons/"+name, script.FileName(lang)))(t); len(list) > 0 {
				t.Error(list)
			}
			var cache solve.Cache
			s := must.Get(script.Load(folder, name, name, lang))(t)
			walk(t, must.Get(cache.Solve(context.Background(), s, "", must.Get(solve.Values(s, "", nil))(t)))(t).Lesson)
		}
	}
}

// TestLessons walks every lesson with each of its sets of parameters: right answers are right, near misses are refused with their reasons, nonsense
// is refused with what is expected. The answers of at least one set differ from those of the defaults.
func TestLessons(t *testing.T) {
	for _, name := range lessons.Names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := must.Get(lessons.Folder(name))(t)
			s, err := script.Load(folder, name, "lessons/"+name, script.English)
			if err != nil {
				t.Fatal(err)
			}
			sets := solve.Sets(s)
			if len(sets) < 3 {
				t.Fatalf("%d sets of parameters, want 3", len(sets))
			}
			var cache solve.Cache
			var answers []string
			for _, set := range sets {
				values := must.Get(solve.Values(s, set, nil))(t)
				got, err := cache.Solve(context.Background(), s, set, maps.Clone(values))
				if err != nil {
					t.Fatalf("%s: %v", set, err)
				}
				if len(got.Problems) > 0 {
					t.Errorf("%s: %v", set, got.Problems.Locate(s.Text))
				}
				answers = append(answers, walk(t, got.Lesson))
			}
			same := 0
			for _, a := range answers {
				if a == answers[0] {
					same++
				}
			}
			if same == len(answers) {
				t.Errorf("all sets have the answers %s", answers[0])
			}
		})
	}
}

// walk answers all questions of a lesson and returns the answers.
func walk(t *testing.T, l *lesson.Lesson) (answers string) {
	t.Helper()
	lesson.Walk(l.Blocks, func(b *lesson.Block) {
		q := b.Question
		if q == nil {
			return
		}
		judge := func(what string, r lesson.Response, right bool, text string) {
			t.Helper()
			v := q.Judge(r)
			if v.Invalid || v.Right != right || v.Text == "" || text != "" && v.Text != text {
				t.Errorf("%s, set %q: %s of %s: %+v", l.Name, l.Set, what, b.ID, v)
			}
		}
		if v := q.Judge(lesson.Response{Text: "?!", Choice: -1}); !v.Invalid || v.Text == "" {
			t.Errorf("%s: nonsense: %+v", b.ID, v)
		}
		switch q.Kind {
		case lesson.NumberAnswer:
			judge("the answer", lesson.Response{Text: exact(q.Number.Measure, q.Number.Value)}, true, "")
			for _, n := range q.Number.Near {
				judge("a near miss", lesson.Response{Text: exact(q.Number.Measure, n.Value)}, false, "")
			}
			answers += fmt.Sprintf("%s %.4g; ", b.ID, q.Number.Value)
		case lesson.ChoiceAnswer:
			for i, c := range q.Choices {
				judge("choice", lesson.Response{Choice: i}, c.Right, c.Why)
				answers += fmt.Sprint(c.Right)
			}
		case lesson.TextAnswer:
			judge("the answer", lesson.Response{Text: q.Words.Accept[0]}, true, "")
			for _, n := range q.Words.Near {
				judge("a near miss", lesson.Response{Text: n.Text}, false, n.Why)
			}
			answers += q.Words.Accept[0]
		case lesson.CurveAnswer:
			judge("the curve", lesson.Response{Curve: q.Curve.Points}, true, "")
			answers += fmt.Sprintf("%s %.4g; ", b.ID, q.Curve.Points)
		}
	})
	return answers
}

// exact writes a number so that it is read as the same number.
func exact(m lesson.Measure, x float64) string {
	switch m {
	case lesson.Time:
		return fmt.Sprintf("%.6f us", x/1e3)
	case lesson.Portion:
		return fmt.Sprintf("%.6f %%", 100*x)
	}
	return fmt.Sprintf("%.6f", x)
}
