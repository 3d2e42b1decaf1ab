package experiment

import (
	"os"
	"path/filepath"
	"testing"

	"whorl/fghc/encoding"
)

// A program in EUC-JP is read as if it were in UTF-8, with places in characters.
func TestEUC(t *testing.T) {
	text, ok := encoding.Encode("% 素数\np(文字) :- 漢字(\"ふるい\").\n", encoding.EUCJP)
	if !ok {
		t.Fatal("not written")
	}
	path := filepath.Join(t.TempDir(), "euc.kl1")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	findings, err := CheckFiles([]string{path}, "")
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
