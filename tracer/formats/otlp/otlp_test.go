package otlp

import (
	"os"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer/formats/spans/testdata/requests"
	"whorl/tracer/formats/spans/testdata/spantest"
)

func TestText(t *testing.T) { spantest.Read(Read).Golden(t, "testdata/*.json") }

func TestDamage(t *testing.T) {
	spantest.Read(Read).Damage(t, must.Get(os.ReadFile("testdata/odd.json"))(t))
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "{}": false, `{"resourceSpans":[]}`: true, ` {"resource_spans":[]}`: true, `{"spans":[]}`: false, "\x0a\x04\x0a\x00\x12\x00": false,
		"\x0a\x04\x0a\x00\x12\x00\x0a\x00": true, "\x0a\x04text": false, "\x00\x00\x00\x06\x0a\x04\x0a\x00\x12\x00": true, "\x06\x0a\x04\x0a\x00\x12\x00\x06": true,
	} {
		if Detect([]byte(text)) != want {
			t.Errorf("%q", text)
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"": "the file is empty", "text text": "not OTLP: expected JSON, or a message with the field resource_spans",
		`{"resourceSpans":[{]}`: `byte 19: ']'; expected a name in quotes or }`, "\x1f\x8bno": "damaged gzip header",
		"\x00\x00\x00\xff\x0a\x04\x0a\x00\x12\x00": "after byte 0: the file ends within a message",
	} {
		if _, err := spantest.Read(Read).Trace([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) { spantest.Read(Read).Fuzz(f, Detect, "testdata/*.json") }

func BenchmarkRead(b *testing.B) {
	all := requests.Make(1, requests.Options{Requests: 2000, Depth: 5})
	for name, file := range map[string][]byte{"json": requests.OTLP(all), "protobuf": requests.Framed(requests.Messages(all), false)} {
		b.Run(name, func(b *testing.B) { spantest.Read(Read).Bench(b, file) })
	}
}
