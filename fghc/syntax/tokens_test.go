package syntax

import (
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	letters := "cnqvifsobk|.?" // by TokenKind
	for _, c := range []struct{ src, want string }{
		{"p(X, 'a b') :- X > 0'. | q.", "nbvk qqqqqb oo v o iii | n."},
		{"% a p.\np. % b", "cccccc\nn. ccc"},
		{"a/* . /* x */ */b@node(3).", "ncccccccccccccccnonnnnbib."},
		{`"x. y" =:= [A|_].`, `ssssss ooo bv|vb.`},
		{"a /* open. b", "n cccccccccc"},
		{"a.b ; 'open", "non o ?????"},
		{"", ""},
		{"  \n", "  \n"},
		{"12.5 {", "ffff b"},
	} {
		got := []byte(strings.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return ' '
		}, c.src))
		for _, tok := range Tokens(c.src) {
			for i := tok.From; i < tok.To; i++ {
				got[i] = letters[tok.Kind]
			}
		}
		if string(got) != c.want {
			t.Errorf("%s\n%s\n%s, want", c.src, got, c.want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	for _, src := range []string{"p(X, 'a b') :- X > 0'. | q.", "/* a", "\ufeffp. é \x00 \xff'", "0'\n", "a /* */ % b\n"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		end, stops := 0, 0
		for _, tok := range Tokens(src) {
			if tok.From < end || tok.To <= tok.From || tok.To > len(src) {
				t.Fatalf("%+v after %d of %d bytes", tok, end, len(src))
			}
			if tok.Kind == Stop {
				stops++
			}
			end = tok.To
		}
		if file, errs := Parse("p", src); len(errs) == 0 && stops < len(file.Clauses) {
			t.Fatalf("%d full stops and %d clauses", stops, len(file.Clauses))
		}
	})
}
