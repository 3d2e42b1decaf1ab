package session

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/must"
	"whorl/tracer/open"
	"whorl/visual/share"
)

// offered returns the traces of a session.
func offered(t *testing.T, h *house) (all []share.Trace) {
	s := h.sit("Eve", share.Viewer)
	link := must.Get(h.session.join(s.member.Connect(), func() {}))(t)
	must.Do(t, s.member.Receive(link.Next(), 0))
	for _, key := range s.member.Keys("trace/") {
		var one share.Trace
		s.member.Get(key, &one)
		all = append(all, one)
	}
	link.Leave(0)
	return all
}

func with(t *testing.T, o Options) *house {
	h := &house{T: t, session: must.Get(New(o))(t)}
	t.Cleanup(func() { _ = h.session.Close() })
	return h
}

// TestTraces: who has a right reads the traces of the session by their ids, in parts; nobody reads anything else.
func TestTraces(t *testing.T) {
	h := with(t, Options{})
	path := experimenttest.File(t, "lu", "hpf/lu", 4)
	must.Do(t, h.session.Offer(path, "", 0))
	must.Do(t, h.session.Offer(path, "", 0))
	must.Do(t, h.session.Offer(filepath.Join("..", "..", "testdata", "profiles", "go.pb.gz"), "", 0))
	whole := must.Get(os.ReadFile(path))(t)
	token := h.session.Token(share.Viewer)
	for _, c := range []struct {
		url, proof, span string
		status           int
		want             []byte
	}{
		{"/session/traces/1", token, "", 200, whole},
		{"/session/traces/2", token, "bytes=8-15", 206, whole[8:16]},
		{"/session/traces/1", token, "bytes=-32", 206, whole[len(whole)-32:]},
		{"/session/traces/1", "", "", 401, nil},
		{"/session/traces/1", "guess", "", 401, nil},
		{"/session/traces/1?token=" + token, "", "", 401, nil},
		{"/session/traces/4", token, "", 404, nil},
		{"/session/traces/..%2f1", token, "", 404, nil},
		{"/session/traces/" + url.PathEscape(path), token, "", 404, nil},
	} {
		w := h.request(http.MethodGet, c.url, c.proof, nil, "Range", c.span)
		if w.Code != c.status || c.want != nil && !bytes.Equal(w.Body.Bytes(), c.want) {
			t.Errorf("%s %s: status %d and %d bytes, want %d and %d bytes", c.url, c.span, w.Code, w.Body.Len(), c.status, len(c.want))
		}
	}
	all := offered(t, h)
	if len(all) != 3 || all[0].Name != "lu" || all[1].Name != "lu 2" || all[0].Bytes != int64(len(whole)) || all[2].File != "go.pb.whorl" {
		t.Errorf("the session has %+v", all)
	}
}

// TestUpload: somebody who presents adds a file that a reader understands, up to the limits.
func TestUpload(t *testing.T) {
	h := with(t, Options{Upload: 1 << 20})
	path := experimenttest.File(t, "lu", "hpf/lu", 4)
	whole := must.Get(os.ReadFile(path))(t)
	other := must.Get(os.ReadFile(filepath.Join("..", "..", "testdata", "profiles", "go.pb.gz")))(t)
	presenter, viewer := h.session.Token(share.Presenter), h.session.Token(share.Viewer)
	for _, c := range []struct {
		name, proof string
		body        []byte
		status      int
		want        string
	}{
		{"lu.whorl", presenter, whole, 201, ""},
		{"go.pb.gz", presenter, other, 201, ""},
		{"lu.whorl", viewer, whole, 403, "only presenters add traces"},
		{"lu.whorl", "", whole, 401, ""},
		{"../lu.whorl", presenter, whole, 400, "expected the name of a file"},
		{"", presenter, whole, 400, "expected the name of a file"},
		{"letter.txt", presenter, []byte("Dear reader"), 422, "letter.txt: "},
		{"cut.whorl", presenter, []byte("\x89WHORL\r\n"), 422, "cut.whorl: "},
		{"none.whorl", presenter, nil, 422, "none.whorl: "},
		{"large.whorl", presenter, make([]byte, 1<<20+1), 413, "longer than 1"},
	} {
		w := h.request(http.MethodPost, "/session/traces?name="+url.QueryEscape(c.name), c.proof, bytes.NewReader(c.body))
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) || strings.Contains(w.Body.String(), h.session.folder) {
			t.Errorf("%q: status %d %s, want %d %q", c.name, w.Code, w.Body, c.status, c.want)
		}
	}
	w := h.request(http.MethodPost, "/session/traces?name=long.whorl", presenter, io.LimitReader(zeros{}, 2<<20)) // of unknown length
	if w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a body without an end: status %d", w.Code)
	}
	all := offered(t, h)
	if len(all) != 2 || all[0].Name != "lu" || all[1].Name != "go.pb" || all[1].File != "go.pb.whorl" {
		t.Fatalf("the session has %+v", all)
	}
	got := must.Get(open.Reader("cpu", h.request(http.MethodGet, "/session/traces/2", viewer, nil).Body))(t)
	want := must.Get(open.File(filepath.Join("..", "..", "testdata", "profiles", "go.pb.gz")))(t)
	if got.Counts() != want.Counts() {
		t.Errorf("the members read %v, the profile has %v", got.Counts(), want.Counts())
	}
	kept := must.Get(os.ReadDir(h.session.folder))(t)
	if len(kept) != 3 { // two files, and the form of one that members read
		t.Errorf("the session keeps %v", kept)
	}
	must.Do(t, h.session.Close())
	if _, err := os.Stat(h.session.folder); !os.IsNotExist(err) {
		t.Errorf("the folder of the session is left: %v", err)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// TestPictures: somebody who presents leaves the pictures of panes for everybody.
func TestPictures(t *testing.T) {
	h := with(t, Options{})
	presenter, viewer := h.session.Token(share.Presenter), h.session.Token(share.Viewer)
	for _, c := range []struct {
		method, pane, proof, body string
		status                    int
	}{
		{"GET", "7", viewer, "", 404},
		{"PUT", "7", viewer, "a", 403},
		{"PUT", "7", "", "a", 401},
		{"PUT", "x", presenter, "a", 404},
		{"PUT", "7", presenter, strings.Repeat("a", share.MaxPicture+1), 413},
		{"PUT", "7", presenter, "a picture", 204},
		{"GET", "7", "", "", 401},
		{"GET", "7", viewer, "a picture", 200},
	} {
		body := c.body
		if c.method == "GET" {
			body = ""
		}
		w := h.request(c.method, "/session/pictures/"+c.pane, c.proof, strings.NewReader(body))
		if w.Code != c.status || c.status == 200 && w.Body.String() != c.body {
			t.Errorf("%s %s: status %d %s, want %d", c.method, c.pane, w.Code, w.Body, c.status)
		}
	}
	for i := range 2 * maxPictures {
		h.request("PUT", "/session/pictures/"+strconv.Itoa(i), presenter, strings.NewReader("a"))
	}
	if n := len(h.session.pictures); n != maxPictures {
		t.Errorf("%d pictures are kept", n)
	}
}
