package layout

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"whorl/fghc/syntax"
	"whorl/testdata/must"
)

// meaning returns the parts of a program that formatting must preserve: its tokens and its parsed clauses.
func meaning(t interface{ Fatalf(string, ...any) }, src string) string {
	var b strings.Builder
	var comments []string
	for _, tok := range syntax.Tokens(src) {
		text := src[tok.From:tok.To]
		if tok.Kind == syntax.Comment {
			for _, word := range strings.Fields(text) {
				comments = append(comments, strings.Split(word, "")...)
			}
			continue
		}
		fmt.Fprintf(&b, "%d %s\n", tok.Kind, text)
	}
	f, errs := syntax.Parse("p", src)
	if errs.Failed() {
		t.Fatalf("%q does not read: %v", src, errs)
	}
	for _, c := range f.Clauses {
		for _, goals := range [][]syntax.Goal{{c.Head}, c.Guard, c.Body} {
			for _, g := range goals {
				fmt.Fprintf(&b, "%s:%s ", g.Module, syntax.Format(g.Term))
			}
			b.WriteByte('|')
		}
	}
	slices.Sort(comments) // a comment before a comma moves behind it
	return b.String() + strings.Join(comments, " ")
}

func check(t interface {
	Helper()
	Fatalf(string, ...any)
}, src string,
) string {
	t.Helper()
	text, errs := Format("p", src)
	if errs.Failed() {
		return ""
	}
	if a, b := meaning(t, src), meaning(t, text); a != b {
		t.Fatalf("the layout of\n%s\nis\n%s\nwith the meaning\n%s\nwant\n%s", src, text, b, a)
	}
	again, _ := Format("p", text)
	if again != text {
		t.Fatalf("the layout of\n%s\nis\n%s\nand then\n%s", src, text, again)
	}
	for _, line := range strings.Split(text, "\n") {
		if strings.TrimRight(line, " \t") != line && !strings.ContainsAny(src, "%'\"*") {
			t.Fatalf("the layout of\n%s\nhas trailing blank space in %q", src, line)
		}
	}
	return text
}

// Each file of testdata contains a program, a line of equals signs, and the expected layout.
func TestFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		src, want, ok := strings.Cut(string(text), "\n====\n")
		if !ok {
			t.Fatalf("%s has no line ====", file)
		}
		if got := check(t, src); got != want {
			t.Errorf("%s is laid out as\n%s", file, got)
		}
		for i, line := range strings.Split(want, "\n") {
			if n := utf8.RuneCountInString(line); n > Width {
				t.Errorf("%s: line %d of the layout has %d characters", file, i+1, n)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	if text, errs := Format("p", "p :- ."); text != "" || len(errs) != 1 {
		t.Errorf("%q %v", text, errs)
	}
	for _, c := range []struct{ src, want string }{{"", ""}, {"\n\n", ""}, {"\ufeffp.", "p.\n"}, {"% a\n\n\n\n% b", "% a\n\n% b\n"}} {
		if got, errs := Format("p", c.src); got != c.want || len(errs) > 0 {
			t.Errorf("%q is laid out as %q, %v; want %q", c.src, got, errs, c.want)
		}
	}
}

// TestRandom formats programs with random blank space and comments between their tokens.
func TestRandom(t *testing.T) {
	blank := rapid.SampledFrom([]string{
		" ", " ", " ", " ", "\n", "\n\n\n", " % c\n", "\n% own\n", " /* b */ ", "/* two\n lines */", "\n/* x */ /* y */\n", "\t", " /* 1 */ % 2\n", "% a\n% b\n\n% c\n",
	})
	var files []string
	for _, pattern := range []string{"testdata/*.txt", "../../benchmarks/fghc/*.fghc", "../../testdata/programs/good.fghc"} {
		found, _ := filepath.Glob(pattern)
		files = append(files, found...)
	}
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		src, _, _ := strings.Cut(string(text), "\n====\n")
		tokens := syntax.Tokens(src)
		rapid.Check(t, func(t *rapid.T) {
			from := rapid.IntRange(0, max(0, len(tokens)-60)).Draw(t, "from")
			for from > 0 && tokens[from-1].Kind != syntax.Stop {
				from--
			}
			var b strings.Builder
			last := 0
			for i, tok := range tokens[from:] {
				if tok.Kind == syntax.Comment {
					continue
				}
				text := src[tok.From:tok.To]
				switch {
				case i > 0 && tok.From > last:
					b.WriteString(blank.Draw(t, "blank"))
				case i > 0 && text != "(" && rapid.Bool().Draw(t, "apart"): // a parenthesis directly after a name opens arguments
					b.WriteString(blank.Draw(t, "blank"))
				}
				b.WriteString(text)
				last = tok.To
				if i > 60 && tok.Kind == syntax.Stop {
					break
				}
			}
			if check(t, b.String()+"\n") == "" {
				_, errs := syntax.Parse("p", b.String()+"\n")
				t.Fatalf("%s: %v in\n%s", file, errs, b.String())
			}
		})
	}
}

func FuzzFormat(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		f.Add(string(text))
	}
	for _, src := range []string{"p:-a,b.%c\n", "p(X)/*a*/:-/*b*/\n\n%c\ntrue|q. r.", "p :- ( a -> b % c\n ; d -> e ).", ":- public p/1,/* x */q/2.\n\n\n% end", "f(0' ,'a\\\nb').", "p :- X = \"a\nb\", q."} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if !strings.Contains(src, "*/*") { // comments that do not nest may be split differently
			check(t, src)
		}
	})
}
