package jaeger

import (
	"os"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer/formats/spans/testdata/requests"
	"whorl/tracer/formats/spans/testdata/spantest"
)

func TestText(t *testing.T) { spantest.Read(Read).Golden(t, "testdata/*.json") }

func TestDamage(t *testing.T) {
	spantest.Read(Read).Damage(t, must.Get(os.ReadFile("testdata/ui.json"))(t))
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "{}": false, `{"data":[{"traceID":"1","spans":[]}]}`: true, `{"traceID":"1","spanID":"2"}`: true, `[{"traceID":"1","spanID":"2"}]`: false,
	} {
		if Detect([]byte(text)) != want {
			t.Errorf("%q", text)
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"": "the file is empty", "\x00": `byte 0: '\x00'; expected an object`, "[]": "byte 0: '['; expected an object", `{"data":[{`: "after byte 10: the text ends within a value", "\x1f\x8bno": "damaged gzip header",
	} {
		if _, err := spantest.Read(Read).Trace([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) { spantest.Read(Read).Fuzz(f, Detect, "testdata/*.json") }

func BenchmarkRead(b *testing.B) {
	all := requests.Make(1, requests.Options{Requests: 2000, Depth: 5})
	spantest.Read(Read).Bench(b, requests.Jaeger(all))
}
