package experiment

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/internal/files"

	"whorl/fghc/encoding"
	"whorl/testdata/must"
)

// TestEUC checks a program in EUC-JP: places count characters.
func TestEUC(t *testing.T) {
	text, ok := encoding.Encode("% 素数\np(文字) :- 漢字(\"ふるい\").\n", encoding.EUCJP)
	if !ok {
		t.Fatal("not written")
	}
	path := filepath.Join(t.TempDir(), "euc.kl1")
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	findings, err := CheckFiles([]string{path}, "", CheckedProcessors, nil)
	if err != nil || len(findings) != 1 {
		t.Fatalf("%v %v", findings, err)
	}
	f := findings[0]
	if f.Pos.Line != 2 || f.Pos.Column != 10 || f.End.Column != 12 || f.Msg != "unknown procedure 漢字/1" {
		t.Errorf("%v, to column %d", f.Error, f.End.Column)
	}
	source, e, err := ReadSource(path)
	if back, ok := encoding.Encode(source, e); err != nil || !ok || back != text {
		t.Errorf("%q %v", back, err)
	}
}

// TestOldHPF reads programs in HPF in ISO 8859-1 and with the end of file of DOS; a file with zero bytes is not a text.
func TestOldHPF(t *testing.T) {
	for _, c := range []struct{ text, want, err string }{
		{"C     Gau\xdf\n      PRINT *, 'M\xfcnchen'\n      END\n\x1a", "C     Gauß\n      PRINT *, 'München'\n      END\n", ""},
		{"C     Gauß\n      END\n", "C     Gauß\n      END\n", ""},
		{"      END\n\x00\xff", "      END\n\x00\xff", "not a text file"},
	} {
		path := filepath.Join(t.TempDir(), "old.f")
		must.Do(t, os.WriteFile(path, []byte(c.text), 0o600))
		if text, err := readHPFText(path, files.ReadText); text != c.want || err != nil {
			t.Errorf("%q is read as %q: %v", c.text, text, err)
		}
		findings, err := CheckFiles([]string{path}, "", CheckedProcessors, nil)
		if len(findings) > 0 || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %v %v", c.text, findings, err)
		}
	}
}
