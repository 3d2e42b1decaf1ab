package native_test

import (
	"bytes"
	"os"
	"testing"

	"whorl/fghc/native"
	"whorl/fghc/testdata/fghctest"
	"whorl/testdata/must"
)

// TestText checks that examples/append contains the functions of its program.
func TestText(t *testing.T) {
	const example = "../../examples/append/"
	text := must.Get(os.ReadFile(example + "append.fghc"))(t)
	want := must.Get(os.ReadFile(example + "main.go"))(t)
	var got bytes.Buffer
	must.Do(t, native.Write(&got, fghctest.Compile(t, "append.fghc", string(text)), "procedures"))
	if !bytes.HasSuffix(want, got.Bytes()) {
		t.Errorf("the functions have changed; go test ./cmd/whorl/internal/build -update writes %smain.go:\n%s", example, &got)
	}
}
