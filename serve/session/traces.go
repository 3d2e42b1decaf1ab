package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"whorl/internal/figures"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/tracer/store"
	"whorl/visual/share"
)

// A trace is a file of the session. Clients name it by its id.
type trace struct {
	share.Trace
	path string
}

// Offer adds the trace in a file to the session, under a name, or under that of the file if it is "". Traces of the same group are compared; 0 is none.
func (s *Session) Offer(path, name string, group int) error {
	t, err := open.Partial(path)
	if err != nil {
		return err
	}
	defer t.Close()
	at, err := s.whole(path, t)
	if err != nil {
		return err
	}
	return s.offer(at, cmp.Or(name, withoutEnding(path)), group)
}

// withoutEnding returns the name of a file without its ending.
func withoutEnding(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// whole returns the path of a file with an index, which members read in parts: the file of a trace itself, or a copy in the folder of the session.
func (s *Session) whole(path string, t *open.Trace) (string, error) {
	if _, ok := t.StreamSource.(*store.File); ok && t.Missing == "" {
		return path, nil
	}
	dir, err := os.MkdirTemp(s.folder, "trace")
	if err != nil {
		return "", err
	}
	at := filepath.Join(dir, withoutEnding(path)+".whorl")
	return at, open.Export(new(files.Writer), t, at, "whorl")
}

// offer adds a file to the session under a name, or under one with a number behind it if the name is taken.
func (s *Session) offer(path, name string, group int) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	t := share.Trace{Name: name, File: filepath.Base(path), Bytes: n, SHA256: hex.EncodeToString(sum.Sum(nil)), Group: group}
	s.mu.Lock()
	defer s.mu.Unlock()
	for k := 2; s.names[t.Name]; k++ {
		t.Name = name + " " + strconv.Itoa(k)
	}
	s.last++
	id := strconv.Itoa(s.last)
	s.names[t.Name] = true
	s.traces[id] = &trace{t, path}
	s.hub.Offer(id, t, s.now())
	return nil
}

// proof returns what a request proves its right with.
func proof(r *http.Request) string {
	text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return ""
	}
	return text
}

// deny refuses a request without a right.
func deny(w http.ResponseWriter) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="session"`)
	http.Error(w, "the link is not one of this session, or it has expired", http.StatusUnauthorized)
}

// readWithin bounds an answer with a trace. A member reads it in parts.
const readWithin = 10 * time.Minute

// trace answers with the file of a trace, or parts of it.
func (s *Session) trace(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.prove(proof(r)); !ok {
		deny(w)
		return
	}
	s.mu.Lock()
	t := s.traces[r.PathValue("id")]
	s.mu.Unlock()
	if t == nil {
		http.NotFound(w, r)
		return
	}
	f, err := os.Open(t.path)
	if err != nil {
		http.Error(w, t.Name+" cannot be read any more", http.StatusGone)
		return
	}
	defer f.Close()
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(readWithin)) // not every writer has one
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("ETag", `"`+t.SHA256[:32]+`"`)
	http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(f, 0, t.Bytes))
}

// Times of an upload: for its bytes, for the reading of the trace in it, and for the files before it.
const (
	uploadWithin = 10 * time.Minute
	parseWithin  = time.Minute
	turnWithin   = 10 * time.Second
)

// upload takes a file into the session when a reader has found a trace in it.
func (s *Session) upload(w http.ResponseWriter, r *http.Request) {
	role, ok := s.prove(proof(r))
	switch {
	case !ok:
		deny(w)
		return
	case !role.Presents():
		http.Error(w, "only presenters add traces: raise a hand to ask for the control", http.StatusForbidden)
		return
	}
	status, err := s.receive(w, r)
	if err != nil {
		http.Error(w, err.Error(), status)
		return
	}
	w.WriteHeader(http.StatusCreated)
}

func (s *Session) receive(w http.ResponseWriter, r *http.Request) (status int, err error) {
	name, err := fileName(r.URL.Query().Get("name"))
	if err != nil {
		return http.StatusBadRequest, err
	}
	limit := s.options.Upload
	tooLong := fmt.Errorf("%s is longer than %s, the most for a file of this session", name, figures.Size(limit))
	if r.ContentLength > limit {
		return http.StatusRequestEntityTooLarge, tooLong
	}
	select { // one at a time
	case s.reading <- struct{}{}:
	case <-time.After(turnWithin):
		return http.StatusServiceUnavailable, errors.New("another file is being added: try again when it is there")
	}
	free := func() { <-s.reading }
	s.mu.Lock()
	full := s.uploaded+max(r.ContentLength, 0) > 4*limit
	s.mu.Unlock()
	if full {
		free()
		return http.StatusInsufficientStorage, fmt.Errorf("the files that were added have %s already, the most for this session", figures.Size(4*limit))
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(uploadWithin)) // not every writer has one
	dir, err := os.MkdirTemp(s.folder, "upload")
	if err != nil {
		free()
		return http.StatusInternalServerError, errors.New("the server has no place for files")
	}
	path := filepath.Join(dir, name)
	n, err := receive(path, http.MaxBytesReader(w, r.Body, limit))
	if err != nil {
		free()
		os.RemoveAll(dir)
		if long := new(http.MaxBytesError); errors.As(err, &long) {
			return http.StatusRequestEntityTooLarge, tooLong
		}
		return http.StatusBadRequest, fmt.Errorf("%s could not be received", name)
	}
	read := make(chan error, 1)
	ctx, cancel := context.WithTimeout(r.Context(), parseWithin)
	defer cancel()
	go func() { // a reader that takes long keeps its place, so that there is never more than one
		err := s.add(ctx, path, name)
		if err != nil {
			os.RemoveAll(dir)
		}
		free()
		read <- err
	}()
	select {
	case err = <-read:
	case <-ctx.Done():
		err = fmt.Errorf("%s takes longer to read than %v", name, parseWithin)
	}
	if err != nil {
		return http.StatusUnprocessableEntity, errors.New(strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
	}
	s.mu.Lock()
	s.uploaded += n
	s.mu.Unlock()
	return 0, nil
}

// add reads a file and offers its trace, unless the context has ended.
func (s *Session) add(ctx context.Context, path, name string) (err error) {
	defer func() {
		if p := recover(); p != nil { // a mistake of a reader ends the upload and not the session of everybody
			err = fmt.Errorf("%s cannot be read", name)
		}
	}()
	t, err := open.Files([]string{path}, "", open.Options{Sealed: true, Salvage: true})
	if err != nil {
		return err
	}
	defer t.Close()
	if t.Counts() == [tracer.NumKinds]int64{} {
		return fmt.Errorf("%s: the trace has no events", path)
	}
	at, err := s.whole(path, t)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.offer(at, withoutEnding(name), 0)
}

// receive writes a body to a new file and returns its length.
func receive(path string, body io.Reader) (int64, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(f, body)
	return n, errors.Join(err, f.Close())
}

// maxFileName bounds the name of a file in bytes.
const maxFileName = 120

// fileName checks the name of a file, which must not be a path.
func fileName(name string) (string, error) {
	bad := func(r rune) bool { return !unicode.IsPrint(r) || strings.ContainsRune(`/\:*?"<>|`, r) }
	if name == "" || len(name) > maxFileName || !utf8.ValidString(name) || strings.ContainsFunc(name, bad) || name[0] == '.' || !filepath.IsLocal(name) {
		return "", fmt.Errorf("the name %.40q: expected the name of a file, in at most %d bytes", name, maxFileName)
	}
	return name, nil
}
