package native_test

import (
	"bytes"
	"os"
	"testing"

	"whorl/fghc/check"
	"whorl/fghc/compile"
	"whorl/fghc/native"
)

// TestText checks that examples/append contains the functions of its program.
func TestText(t *testing.T) {
	const example = "../../examples/append/"
	text, err := os.ReadFile(example + "append.fghc")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(example + "main.go")
	if err != nil {
		t.Fatal(err)
	}
	file, errs := check.Program("append.fghc", string(text))
	if errs.Failed() {
		t.Fatal(errs)
	}
	prog, errs := compile.Compile(file)
	if errs.Failed() {
		t.Fatal(errs)
	}
	var got bytes.Buffer
	if err := native.Write(&got, prog, "procedures"); err != nil {
		t.Fatal(err)
	}
	if !bytes.HasSuffix(want, got.Bytes()) {
		t.Errorf("the functions have changed; go test ./cmd/whorl/internal/build -update writes %smain.go:\n%s", example, &got)
	}
}
