package native_test

import (
	"bytes"
	"os"
	"testing"

	"whorl/fghc/native"
	"whorl/fghc/testdata/fghctest"
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
	var got bytes.Buffer
	if err := native.Write(&got, fghctest.Compile(t, "append.fghc", string(text)), "procedures"); err != nil {
		t.Fatal(err)
	}
	if !bytes.HasSuffix(want, got.Bytes()) {
		t.Errorf("the functions have changed; go test ./cmd/whorl/internal/build -update writes %smain.go:\n%s", example, &got)
	}
}
