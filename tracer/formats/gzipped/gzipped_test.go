package gzipped

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"testing"

	"whorl/testdata/must"
)

func packed(t *testing.T, s string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	must.Get(z.Write([]byte(s)))(t)
	must.Do(t, z.Close())
	return b.Bytes()
}

func TestReader(t *testing.T) {
	for _, s := range []string{"", "a", "hello, world"} {
		for _, b := range [][]byte{[]byte(s), packed(t, s)} {
			if got := string(must.Get(io.ReadAll(must.Get(Reader(bytes.NewReader(b)))(t)))(t)); got != s {
				t.Errorf("%q, want %q", got, s)
			}
			if got := string(Head(b)); got != s {
				t.Errorf("head %q, want %q", got, s)
			}
		}
	}
	if _, err := Reader(bytes.NewReader([]byte("\x1f\x8bno"))); !errors.Is(err, ErrHeader) || Head([]byte("\x1f\x8bno")) != nil {
		t.Error(err)
	}
}
