package nesting

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"pgregory.net/rapid"
)

func TestTOML(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"", 0},
		{"a = 1\nb = 2", 0},
		{"a.b.c = 1\nd = 2", 2},
		{"a = [1, 2]", 1},
		{"a = [[1], [2]]\nb = []", 2},
		{"a = [[1],\n[[2]]]", 3},
		{"a = {b = {c = [1]}}", 3},
		{"a.b = {c.d = 1, e = 2}", 3},
		{"[a]\nb = 1", 1},
		{"[a.b]\nc.d = [1]\n[e]\n", 4},
		{"[[a]]\nb = 1\n[[a]]\n[c]\nd = {e = 1}", 2},
		{"a = 1.5", 1},
		{"a = [1.5, 2.5]", 2},
		{"# [[[[\na = 1 # {{{", 0},
		{`a = "[[[[" # it`, 0},
		{`a = "\"[[[["`, 0},
		{`a = '\' # [[`, 0},
		{`"a.b[".c = ''`, 1},
		{`a = ["", [[1]]]`, 3},
		{"a = \"\"\"\n[[[\"[[\\\"\"\"[\"\"\"\nb = [1]", 1},
		{"a = '''\n[[['[[\\'''\nb = [1]", 1},
		{`a = ["""x"""", [[1]]]`, 3},
		{`a = ['''x''''', [[1]]]`, 3},
		{"a = [", 1},
		{"]]]] }}", 0},
		{"a = \"[[\n[b.c]", 2},
		{`a = "\`, 0},
		{`a = """\`, 0},
		{strings.Repeat("[", 9), 1},
		{"a = " + strings.Repeat("[", 9), 9},
	} {
		if got := TOML(c.text); got != c.want {
			t.Errorf("%q: %d, want %d", c.text, got, c.want)
		}
	}
}

// depth returns the depth of a decoded value.
func depth(v any) (most int) {
	switch v := v.(type) {
	case map[string]any:
		for _, w := range v {
			most = max(most, 1+depth(w))
		}
	case []map[string]any:
		for _, w := range v {
			most = max(most, depth(w)) // [[a]] is a table named a; as a value it is one level deeper
		}
	case []any:
		most = 1
		for _, w := range v {
			most = max(most, 1+depth(w))
		}
	}
	return most
}

// TestAgainstDecoder checks that no text accepted by the decoder is deeper than measured.
func TestAgainstDecoder(t *testing.T) {
	texts := rapid.StringOf(rapid.RuneFrom([]rune("a.[]{}=\"'\\#\n, ")))
	var value func(n int) *rapid.Generator[any]
	value = func(n int) *rapid.Generator[any] {
		plain := rapid.OneOf(rapid.Just[any](int64(1)), rapid.Just[any](1.5), rapid.Map(texts, func(s string) any { return s }))
		if n == 0 {
			return plain
		}
		return rapid.OneOf(plain,
			rapid.Map(rapid.SliceOfN(value(n-1), 0, 3), func(v []any) any { return v }),
			rapid.Map(rapid.MapOfN(texts, value(n-1), 0, 3), func(v map[string]any) any { return v }))
	}
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		if err := toml.NewEncoder(&b).Encode(map[string]any{"a": value(5).Draw(t, "value")}); err != nil {
			t.Skip(err)
		}
		check(t, b.String())
	})
}

type failer interface{ Fatalf(string, ...any) }

func check(t failer, text string) {
	measured := TOML(text)
	if measured < 0 || measured > len(text) {
		t.Fatalf("%d levels in %d bytes", measured, len(text))
	}
	if measured > 1000 {
		return
	}
	var v map[string]any
	if _, err := toml.Decode(text, &v); err != nil {
		return
	}
	if d := depth(v); d > measured+1 { // the text itself is a table
		t.Fatalf("%d levels, measured %d:\n%s", d, measured, text)
	}
}

func FuzzTOML(f *testing.F) {
	for i, s := range []string{"a.b = [[1], {c = 2}]", "[a.b]\nc = \"\"\"x\"\"\"\"\n", "[[a]]\nb = ''\n# c\n'd'.e = '''\n'''"} {
		f.Add(fmt.Sprintf("%s\nx%d = 1\n", s, i))
	}
	f.Fuzz(func(t *testing.T, text string) { check(t, text) })
}
