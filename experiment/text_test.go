package experiment

import (
	"errors"
	"strings"
	"testing"
)

func TestRunOfAText(t *testing.T) {
	r := Defaults("mine.fghc")
	r.Text, r.Goal = "double(X, Y) :- true | Y := X + X.\n", "double(21, Y)"
	p, err := r.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Run(t.Context(), nil, nil)
	if err != nil || got.Err != nil || got.Answer != "Y = 42" {
		t.Errorf("%+v, %v", got, err)
	}
	r.Text = strings.Replace(r.Text, "|", "", 1)
	_, err = r.Resolve()
	var wrong *SourceError
	if !errors.As(err, &wrong) || wrong.Errors[0].Pos.Line != 1 || !strings.HasPrefix(err.Error(), "mine.fghc:1:") {
		t.Errorf("without its bar: %v", err)
	}
	if err := CheckText("mine.fghc", r.Text); !errors.As(err, &wrong) {
		t.Errorf("checked: %v", err)
	}
	r.Args = []string{"1"}
	if _, err := r.Resolve(); err == nil || errors.As(err, &wrong) {
		t.Errorf("sizes of a text: %v", err)
	}
}
