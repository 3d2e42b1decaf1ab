package experiment

import (
	"errors"
	"strings"
	"testing"

	"whorl/internal/fault"
	"whorl/testdata/must"
)

func TestRunOfAText(t *testing.T) {
	r := Defaults("mine.fghc")
	r.Text, r.Goal = "double(X, Y) :- true | Y := X + X.\n", "double(21, Y)"
	p := must.Get(r.Resolve())(t)
	got, err := p.Run(t.Context(), nil, nil)
	if err != nil || got.Err != nil || got.Answer != "Y = 42" {
		t.Errorf("%+v, %v", got, err)
	}
	r.Text = strings.Replace(r.Text, "|", "", 1)
	_, err = r.Resolve()
	var wrong fault.Errors
	if !errors.As(err, &wrong) || wrong[0].Pos.Line != 1 || !strings.HasPrefix(err.Error(), "mine.fghc:1:") {
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

func TestWhatIsNoText(t *testing.T) {
	good := "p(X) :- true | X = \"\u00fc\".\n"
	for _, c := range []struct{ text, goal, want string }{
		{good, "p(X)", ""},
		{good + "\x00", "p(X)", "a.fghc: not a text file"},
		{"\x7fELF\x02\x01\x01\x00\x00", "p(X)", "a.fghc: not a text file"},
		{good + "\xff\xfe", "p(X)", "a.fghc:2:1: the byte ff is not UTF-8\n    \ufffd\ufffd\n    ^\nexpected UTF-8; in Latin-1 the byte is ÿ, and iconv -f latin1 -t utf-8 converts such a text"},
		{good, "p(\x00X)", "goal: not a text file"},
		{"% nothing\n", "", "a.fghc has no procedure to run: the file has no clauses"},
		{" \n", "", "a.fghc has no procedure to run: the file is empty"},
		{":- module m.\n% caf\xe9\n", "", "a.fghc:2:6: the byte e9 is not UTF-8\n    % caf\ufffd\n         ^\nexpected UTF-8; in Latin-1 the byte is é, and iconv -f latin1 -t utf-8 converts such a text"},
	} {
		r := Defaults("a.fghc")
		r.Text, r.Goal = c.text, c.goal
		got := ""
		if _, err := r.Resolve(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.text, c.goal, got, c.want)
		}
		if err := r.Verify(); (err != nil || got != "") && (err == nil || err.Error() != got) {
			t.Errorf("%q, %q: verified: %v, want %q", c.text, c.goal, err, got)
		}
		if err := CheckText("a.fghc", c.text); strings.HasPrefix(c.want, "a.fghc: ") && (err == nil || err.Error() != c.want) {
			t.Errorf("%q: checked: %v, want %q", c.text, err, c.want)
		}
	}
}
