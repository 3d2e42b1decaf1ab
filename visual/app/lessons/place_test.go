package lessons

import (
	"fmt"
	"reflect"
	"testing"

	"whorl/lesson"
)

// TestTrack: the step is the last block that begins above the top of the panel, and changes only when the learner scrolls. A step of somebody else
// scrolls the panel there, as far as it goes, and remains the step.
func TestTrack(t *testing.T) {
	p := &Panel{Open: true, taken: &taking{l: &lesson.Lesson{Head: lesson.Head{Name: "a"}}}, place: Place{Lesson: "a"}}
	tops := []float32{0, 100, 300, 900}
	at := 0.0
	for i, c := range []struct {
		do      func()
		settled bool
		place   float64
		step    int
		again   bool
	}{
		{func() {}, true, 0, 0, false},
		{func() { at = 310 }, true, 310, 2, false},
		{func() { tops = []float32{0, 400, 600, 1200} }, true, 310, 2, false}, // a block above has grown
		{func() { at = 320 }, false, 320, 2, false},
		{func() {}, true, 320, 0, false},
		{func() { p.place, p.jumps = Place{Lesson: "a", Step: 3}, true }, false, 800, 3, true},
		{func() {}, true, 800, 3, false},
		{func() {}, true, 800, 3, false},
		{func() { p.place, p.jumps = Place{Lesson: "a", Step: 99}, true }, true, 800, 99, false},
		{func() { at = 10 }, true, 10, 0, false},
	} {
		c.do()
		again := p.track(&at, 800, tops, c.settled)
		if at != c.place || p.Place().Step != c.step || again != c.again {
			t.Errorf("pass %d: at %v, step %d, again %v; want %v, %d, %v", i, at, p.Place().Step, again, c.place, c.step, c.again)
		}
	}
	p.Open = false
	if got := p.Place(); got.Lesson != "" {
		t.Errorf("a closed panel is at %+v", got)
	}
}

// TestCrowd divides answers by choice, by name and by the height at the end of a curve, and counts those who are stuck.
func TestCrowd(t *testing.T) {
	answer := func(text string, choice int, right bool, tries int, ends float64) Answer {
		return Answer{lesson.Response{Text: text, Choice: choice, Curve: []lesson.Point{{X: 1, Y: 0}, {X: 2, Y: ends}}}, right, tries}
	}
	c := Crowd{answer("4 ", 0, true, 0, 1), answer("5", 1, false, 2, 1), answer("4", 1, false, 1, 7)}
	for _, x := range []struct {
		q    lesson.Question
		want []bar
	}{
		{lesson.Question{Kind: lesson.ChoiceAnswer, Choices: []lesson.Choice{{Text: "a"}, {Text: "b"}, {Text: "c"}}}, []bar{{"a", 1}, {"b", 2}, {"c", 0}}},
		{lesson.Question{Kind: lesson.NumberAnswer}, []bar{{"4", 2}, {"5", 1}}},
		{lesson.Question{Kind: lesson.CurveAnswer}, []bar{{"ends at 1 to 2", 2}, {"ends at 2 to 3", 0}, {"ends at 3 to 4", 0}, {"ends at 4 to 5", 0}, {"ends at 5 to 6", 0}, {"ends at 6 to 7", 1}}},
	} {
		if got := c.bars(&x.q); !reflect.DeepEqual(got, x.want) {
			t.Errorf("%s: %v, want %v", x.q.Kind, got, x.want)
		}
	}
	if got := c.summary(false); got != "3 answers, 1 right, 1 stuck" {
		t.Error(got)
	}
	var many Crowd
	for i := range 9 {
		many = append(many, answer(fmt.Sprint("name ", i), 0, false, 0, 0))
	}
	if got := many.bars(&lesson.Question{Kind: lesson.TextAnswer}); len(got) != maxBars || got[maxBars-1] != (bar{"4 others", 4}) {
		t.Errorf("nine names have the bars %v", got)
	}
}
