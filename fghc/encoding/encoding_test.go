package encoding

import "testing"

func TestDecode(t *testing.T) {
	const program = "% 素数\nふるい(\"文字列\", ｶﾅ) :- true | true.\n"
	euc, ok := Encode(program, EUCJP)
	if !ok || euc == program {
		t.Fatalf("%q, %v", euc, ok)
	}
	for _, test := range []struct {
		text, want string
		encoding   Encoding
	}{
		{"p.", "p.", UTF8},
		{program, program, UTF8},
		{euc, program, EUCJP},
		{"p(\"\xa4\xa2\").", "p(\"あ\").", EUCJP},
		{"p(\"\x8e\xb1\").", "p(\"ｱ\").", EUCJP},
		{"p(\"\xa4", "p(\"\xa4", UTF8}, // truncated
		{"p(\"\xff\xfe\")", "p(\"\xff\xfe\")", UTF8},
	} {
		got, e := Decode(test.text)
		if got != test.want || e != test.encoding {
			t.Errorf("%q decodes as %q, %d; want %q, %d", test.text, got, e, test.want, test.encoding)
		}
		if back, ok := Encode(got, e); !ok || back != test.text {
			t.Errorf("%q encodes as %q", got, back)
		}
	}
	if _, ok := Encode("p(\"😀\").", EUCJP); ok {
		t.Error("EUC-JP encodes a character that it does not contain")
	}
}
