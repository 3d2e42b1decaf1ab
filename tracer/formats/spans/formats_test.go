package spans_test

import (
	"bytes"
	"compress/gzip"
	"slices"
	"strings"
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

// TestDamagedMessage damages one message of several. The others are read, and the damage is named.
func TestDamagedMessage(t *testing.T) {
	z := must.Get(zstd.NewWriter(nil))(t)
	all := requests.Make(1, requests.Options{Requests: 6, Depth: 4})
	messages := requests.Messages(all)
	json := bytes.SplitAfter(requests.OTLP(all), []byte("\n"))
	var zipped [][]byte
	for _, m := range messages {
		zipped = append(zipped, z.EncodeAll(m, nil))
	}
	spoiled := func(list [][]byte, k int) [][]byte {
		list = slices.Clone(list)
		list[k] = bytes.Clone(list[k])
		b := list[k][min(4, len(list[k])/2) : len(list[k])-1] // after the tag of a message, before the end of a line
		copy(b, bytes.Repeat([]byte{0xff}, len(b)))
		return list
	}
	without := func(list [][]byte, k int) [][]byte { return slices.Delete(slices.Clone(list), k, k+1) }
	framed := func(list [][]byte) []byte { return requests.Framed(list, false) }
	for _, c := range []struct {
		form     string
		messages [][]byte
		join     func([][]byte) []byte
		missing  string
	}{
		{"lines", json, func(list [][]byte) []byte { return bytes.Join(list, nil) }, "a damaged part: byte "},
		{"messages", messages, framed, "with a damaged end"},
		{"varints", messages, func(list [][]byte) []byte { return requests.Framed(list, true) }, "with a damaged end"},
		{"packed messages", zipped, framed, "a damaged part: the message after byte "},
	} {
		k := len(c.messages) / 2
		got := ofOTLP.trace(t, c.join(spoiled(c.messages, k)))
		want := ofOTLP.trace(t, c.join(without(c.messages, k)))
		if meta := got.Meta(); got.Counts()[tracer.Fork] != want.Counts()[tracer.Fork] || !strings.Contains(meta.Missing(), c.missing) {
			t.Errorf("%s: %d spans, not %d; missing %q", c.form, got.Counts()[tracer.Fork], want.Counts()[tracer.Fork], meta.Missing())
		}
	}
	// fields of other versions in a message that is a file
	strange := slices.Concat(messages[0], []byte{0x78, 1, 0x79, 1, 2, 3, 4, 5, 6, 7, 8, 0x7d, 1, 2, 3, 4, 0x7a, 1, 0}, bytes.Join(messages[1:], nil))
	got := ofOTLP.trace(t, strange)
	if meta := got.Meta(); got.Counts()[tracer.Fork] != int64(len(all)) || !strings.Contains(meta.Missing(), "4 fields of other versions") {
		t.Errorf("%d spans of %d; missing %q", got.Counts()[tracer.Fork], len(all), meta.Missing())
	}
}
