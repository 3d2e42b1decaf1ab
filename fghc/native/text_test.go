package native_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"whorl/fghc/check"
	"whorl/fghc/compile"
	"whorl/fghc/native"
)

var update = flag.Bool("update", false, "rewrite testdata/append.golden")

// TestText compares the functions of append with a golden file.
func TestText(t *testing.T) {
	const golden = "testdata/append.golden"
	file, errs := check.Program("append.fghc", "append([],Y,Z) :- Z = Y.\nappend([X|Xs],Y,Z) :- Z = [X|Z1], append(Xs,Y,Z1).\n")
	if errs.Failed() {
		t.Fatal(errs)
	}
	prog, errs := compile.Compile(file)
	if errs.Failed() {
		t.Fatal(errs)
	}
	var got bytes.Buffer
	if err := native.Write(&got, prog, "code"); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("the functions differ from testdata/append.golden (-update rewrites it):\n%s", &got)
	}
}
