package zipkin

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer/formats/profile"
	"whorl/tracer/formats/spans/testdata/requests"
	"whorl/tracer/formats/spans/testdata/spantest"
)

func TestText(t *testing.T) { spantest.Read(Read).Golden(t, "testdata/*.json") }

func TestDamage(t *testing.T) {
	spantest.Read(Read).Damage(t, must.Get(os.ReadFile("testdata/odd.json"))(t))
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "[]": false, `[{"traceId":"1","id":"2"}]`: true, ` [ [{"traceId":"1","id":"2"}]]`: true, `{"traceId":"1","id":"2"}`: false,
		`[{"traceId":"1","id":"2","binaryAnnotations":[]}]`: false,
	} {
		if Detect([]byte(text)) != want {
			t.Errorf("%q", text)
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"": "the file is empty", "\x00": `byte 0: '\x00'; expected an array`, "{}": "byte 0: '{'; expected an array", `[{`: "after byte 2: the text ends within a value", "\x1f\x8bno": "damaged gzip header",
	} {
		if _, err := spantest.Read(Read).Trace([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestNames reads more names of spans than are kept. The rest are counted, and are one function.
func TestNames(t *testing.T) {
	var b strings.Builder
	for i := range profile.MostNames + 3 {
		fmt.Fprintf(&b, `,{"traceId":"1","id":"%x","name":"n%d","timestamp":%d,"duration":1}`, i+1, i, 1+2*i)
	}
	meta := must.Get(spantest.Read(Read).Trace([]byte("[" + b.String()[1:] + "]")))(t).Meta()
	if want := "5 spans with names beyond the first 131,072, which are shown as [other names]"; meta.Missing() != want {
		t.Errorf("missing %q, want %q", meta.Missing(), want)
	}
}

func FuzzRead(f *testing.F) { spantest.Read(Read).Fuzz(f, Detect, "testdata/*.json") }

func BenchmarkRead(b *testing.B) {
	all := requests.Make(1, requests.Options{Requests: 2000, Depth: 5})
	spantest.Read(Read).Bench(b, requests.Zipkin(all))
}
