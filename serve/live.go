package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

// A live is a run that pages watch and steer while it goes on. A page reads the frames of the run from one long answer, and sends each of its own
// in a request. The addresses contain a secret, because other sites can send requests to this server without reading its answers.
type live struct {
	secret string
	feed   func(io.ReadWriteCloser) error

	mu    sync.Mutex
	pages map[string]*io.PipeWriter // to the feeds, by the names that the pages chose
}

// maxFrames bounds the frames of one request, in bytes.
const maxFrames = 1 << 20

func newLive(feed func(io.ReadWriteCloser) error) *live {
	return &live{secret: rand.Text(), feed: feed, pages: map[string]*io.PipeWriter{}}
}

// handle adds the addresses of the run to mux and returns the part that all have in common.
func (l *live) handle(mux *http.ServeMux) (prefix string) {
	prefix = "run/" + l.secret + "/"
	mux.HandleFunc("GET /"+prefix+"{page}", l.watch)
	mux.HandleFunc("POST /"+prefix+"{page}", l.steer)
	return prefix
}

// watch answers with the frames of the run until its end, or until the page has gone.
func (l *live) watch(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("page")
	in, out := io.Pipe()
	l.mu.Lock()
	_, known := l.pages[name]
	if !known {
		l.pages[name] = out
	}
	l.mu.Unlock()
	if known {
		http.Error(w, "a page of this name watches the run", http.StatusConflict)
		return
	}
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.pages, name)
	}()
	defer context.AfterFunc(r.Context(), func() { out.Close() })()
	head(w, ".whorl")
	flush := http.NewResponseController(w)
	if err := errors.Join(flush.SetReadDeadline(time.Time{}), flush.SetWriteDeadline(time.Time{})); err != nil { // the run may take hours
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	_ = l.feed(&answer{in, w, flush}) // a page that has gone leaves the run as it is
}

// steer passes the frames of a page to its feed.
func (l *live) steer(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	to := l.pages[r.PathValue("page")]
	l.mu.Unlock()
	if to == nil {
		http.NotFound(w, r)
		return
	}
	_, err := io.Copy(to, http.MaxBytesReader(w, r.Body, maxFrames))
	if err != nil && !errors.Is(err, io.ErrClosedPipe) { // after the end of the run nobody reads
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
}

// An answer is a connection whose written bytes leave at once.
type answer struct {
	*io.PipeReader
	w     io.Writer
	flush *http.ResponseController
}

func (a *answer) Write(b []byte) (int, error) {
	n, err := a.w.Write(b)
	if err == nil {
		err = a.flush.Flush()
	}
	return n, err
}
