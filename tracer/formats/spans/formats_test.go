package spans_test

import (
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats"
	"whorl/tracer/formats/jaeger"
	"whorl/tracer/formats/otlp"
	"whorl/tracer/formats/profile"
	"whorl/tracer/formats/spans/testdata/requests"
	"whorl/tracer/formats/zipkin"
	"whorl/tracer/testdata/profiletest"
)

type reader struct {
	name string
	read func(profile.File, tracer.Recorder, profile.Options) error
}

var (
	ofOTLP   = reader{"otlp", otlp.Read}
	ofJaeger = reader{"jaeger", jaeger.Read}
	ofZipkin = reader{"zipkin", zipkin.Read}
)

// trace reads a file.
func (r reader) trace(t testing.TB, b []byte) *tracer.Memory {
	t.Helper()
	for _, f := range formats.All {
		if f.Detect(b[:min(len(b), 4096)]) != (f.Name == r.name) {
			t.Errorf("%s claims what is %s, or it does not: %.60q", f.Name, r.name, b)
		}
	}
	m := tracer.NewMemory()
	must.Do(t, r.read(profile.File{Name: "test", R: bytes.NewReader(b)}, m, profile.Options{}))
	must.Do(t, m.Close())
	return m
}

func packed(t *testing.T, b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	must.Get(z.Write(b))(t)
	must.Do(t, z.Close())
	return out.Bytes()
}

// TestFormats reads the same requests in all forms of all formats: the traces are the same.
func TestFormats(t *testing.T) {
	z := must.Get(zstd.NewWriter(nil))(t)
	for seed := range uint64(14) {
		o := requests.Options{Requests: 1 + int(seed%6), Depth: int(seed % 7), Links: seed%3 == 0, Skew: int64(seed%2) * 3000}
		all := requests.Make(seed, o)
		json, messages := requests.OTLP(all), requests.Messages(all)
		var zipped, zippedLines [][]byte
		for _, m := range messages {
			zipped = append(zipped, z.EncodeAll(m, nil))
		}
		for _, line := range bytes.SplitAfter(json, []byte("\n")) {
			zippedLines = append(zippedLines, z.EncodeAll(line, nil))
		}
		want := profiletest.Text(t, ofOTLP.trace(t, json))
		for _, c := range []struct {
			form string
			reader
			b []byte
		}{
			{"gzip", ofOTLP, packed(t, json)},
			{"zstd", ofOTLP, z.EncodeAll(json, nil)},
			{"one message", ofOTLP, bytes.Join(messages, nil)},
			{"messages", ofOTLP, requests.Framed(messages, false)},
			{"varints", ofOTLP, requests.Framed(messages, true)},
			{"packed messages", ofOTLP, requests.Framed(zipped, false)},
			{"packed lines", ofOTLP, requests.Framed(zippedLines, false)},
			{"Jaeger", ofJaeger, requests.Jaeger(all)},
			{"Zipkin", ofZipkin, requests.Zipkin(all)},
		} {
			if c.form == "Zipkin" && o.Links {
				continue
			}
			if d := cmp.Diff(want, profiletest.Text(t, c.trace(t, c.b))); d != "" {
				t.Fatalf("seed %d, %s: %.3000s", seed, c.form, d)
			}
		}
	}
}
