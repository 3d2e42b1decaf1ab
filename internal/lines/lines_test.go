package lines_test

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"whorl/internal/lines"
)

// TestNext checks lines up to and beyond the limit of 16 bytes, and a last line with and without an end.
func TestNext(t *testing.T) {
	type read struct {
		Line  string
		Whole bool
		Err   error
	}
	long := strings.Repeat("0123456789", 10)
	for _, c := range []struct {
		text string
		want []read
	}{
		{"", []read{{"", true, io.EOF}}},
		{"a\n\nb\n", []read{{"a\n", true, nil}, {"\n", true, nil}, {"b\n", true, nil}, {"", true, io.EOF}}},
		{"a\r\nb", []read{{"a\r\n", true, nil}, {"b", true, io.EOF}}},
		{long[:15] + "\nb", []read{{long[:15] + "\n", true, nil}, {"b", true, io.EOF}}},
		{long[:16] + "\nb\n", []read{{long[:16], false, nil}, {"b\n", true, nil}, {"", true, io.EOF}}},
		{long + "\nb\n", []read{{long[:16], false, nil}, {"b\n", true, nil}, {"", true, io.EOF}}},
		{long, []read{{long[:16], false, io.EOF}}},
	} {
		r := lines.New(strings.NewReader(c.text), 16)
		var got []read
		for {
			line, whole, err := r.Next()
			got = append(got, read{string(line), whole, err})
			if err != nil {
				break
			}
		}
		if d := cmp.Diff(c.want, got, cmp.Comparer(func(a, b error) bool { return a == b })); d != "" {
			t.Errorf("%q:\n%s", c.text, d)
		}
	}
}

// TestSkip checks that the line after skipped bytes is the next one, and that the end is an error.
func TestSkip(t *testing.T) {
	r := lines.New(strings.NewReader("a\n"+strings.Repeat("x", 40)+"b\n"), 16)
	r.Next()
	if err := r.Skip(40); err != nil {
		t.Fatal(err)
	}
	if line, _, err := r.Next(); string(line) != "b\n" || err != nil {
		t.Errorf("%q, %v", line, err)
	}
	if err := r.Skip(1); err != io.EOF {
		t.Errorf("Skip at the end: %v", err)
	}
}
