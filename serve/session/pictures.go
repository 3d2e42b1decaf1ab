package session

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"whorl/internal/figures"
	"whorl/visual/share"
)

// maxPictures bounds the pictures of panes, which presenters leave for those who join later.
const maxPictures = 64

// putPicture keeps the picture of a pane of the stage. The server does not look into it.
func (s *Session) putPicture(w http.ResponseWriter, r *http.Request) {
	role, ok := s.prove(proof(r))
	pane, err := strconv.ParseUint(r.PathValue("pane"), 10, 31)
	switch {
	case !ok:
		deny(w)
		return
	case !role.Presents():
		http.Error(w, "only presenters show pictures", http.StatusForbidden)
		return
	case err != nil:
		http.NotFound(w, r)
		return
	}
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, share.MaxPicture))
	if err != nil {
		status := http.StatusBadRequest
		if long := new(http.MaxBytesError); errors.As(err, &long) {
			status = http.StatusRequestEntityTooLarge
		}
		http.Error(w, fmt.Sprintf("the picture cannot be received; it may have %s", figures.Size(share.MaxPicture)), status)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pictures[pane] == nil && len(s.pictures) >= maxPictures { // panes have ascending numbers
		delete(s.pictures, slices.Min(slices.Collect(maps.Keys(s.pictures))))
	}
	s.pictures[pane] = b
	w.WriteHeader(http.StatusNoContent)
}

// picture answers with the picture of a pane.
func (s *Session) picture(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.prove(proof(r)); !ok {
		deny(w)
		return
	}
	pane, _ := strconv.ParseUint(r.PathValue("pane"), 10, 31) // there is none with a wrong number
	s.mu.Lock()
	b := s.pictures[pane]
	s.mu.Unlock()
	if b == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	_, _ = w.Write(b) // the client may have gone
}
