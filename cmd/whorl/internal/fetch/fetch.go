// Package fetch reads what a server sends for a URL of the command line: http and https only, of bounded size, with an end to every wait. No trace,
// workspace or lesson leads here.
package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"whorl/internal/figures"
)

// Most is the largest number of bytes that are read.
const Most = 2 << 30

// silence is the longest wait for a server beyond the requested time of recording: for its answer, and for each next part of it.
const silence = 30 * time.Second

// part is the number of bytes that a server has to send in that time.
const part = 1 << 10

var errTooLong = fmt.Errorf("longer than %s, the most that is read", figures.Size(Most))

// Is reports whether an argument of the command line is a URL.
func Is(arg string) bool {
	return strings.HasPrefix(arg, "http://") || strings.HasPrefix(arg, "https://")
}

// Refused returns an error for a URL of another scheme, nil for anything else.
func Refused(arg string) error {
	if scheme, _, ok := strings.Cut(arg, "://"); ok && !Is(arg) {
		return fmt.Errorf("%s: a URL of %s; only those of http and https are fetched", arg, scheme)
	}
	return nil
}

// Kinds lists the recordings that a Go server with net/http/pprof sends: an execution trace, a profile of processor time, and profiles of its counters.
var Kinds = []string{"trace", "profile", "heap", "allocs", "mutex", "block", "goroutine"}

// Lasts reports whether one of Kinds needs a length of time. A profile of counters covers the time since the start of the server, unless a length is given.
func Lasts(kind string) bool { return kind == "trace" || kind == "profile" }

// OnlyServer reports whether a URL names only a server, as in http://localhost:6060.
func OnlyServer(arg string) bool {
	u, err := url.Parse(arg)
	return err == nil && (u.Path == "" || u.Path == "/") && u.RawQuery == ""
}

// Pprof returns the URL of one of Kinds for a time, 0 for none, if arg names only the server. Any other URL stays as it is.
func Pprof(arg, kind string, length time.Duration) string {
	u, err := url.Parse(arg)
	if err != nil || !OnlyServer(arg) {
		return arg
	}
	u.Path = "/debug/pprof/" + kind
	if length > 0 {
		u.RawQuery = "seconds=" + strconv.FormatFloat(length.Seconds(), 'f', -1, 64)
	}
	return u.String()
}

// Name returns the name of a file for what a URL leads to, without an extension.
func Name(arg string) string {
	u, err := url.Parse(arg)
	if err != nil {
		return "trace"
	}
	host := strings.ReplaceAll(u.Hostname(), ":", "-")
	base := path.Base(u.Path)
	if base == "." || base == "/" {
		base = "trace"
	}
	return strings.Trim(host+"-"+strings.TrimSuffix(base, path.Ext(base)), "-.")
}

// Open asks a server and returns what it sends. Reading fails when the server is silent for too long, after Most bytes, and when ctx ends.
func Open(ctx context.Context, arg string) (io.ReadCloser, error) {
	u, err := url.Parse(arg)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("%s: not a URL of a server: expected http://HOST:PORT or https://HOST:PORT", arg)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	patience := silence
	if s, err := strconv.ParseFloat(u.Query().Get("seconds"), 64); err == nil && s > 0 && s < 86400 {
		patience += time.Duration(s * float64(time.Second))
	}
	b := &body{name: arg, ctx: ctx, cancel: cancel, patience: patience}
	b.timer = time.AfterFunc(patience, func() { cancel(b.tooSlow()) })
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, arg, nil)
	if err != nil {
		b.Close()
		return nil, fmt.Errorf("%s: %w", arg, err)
	}
	client := &http.Client{CheckRedirect: func(to *http.Request, via []*http.Request) error {
		if to.URL.Host != u.Host || len(via) > 5 {
			return fmt.Errorf("the server sends elsewhere, to %s", to.URL)
		}
		return nil
	}}
	answer, err := client.Do(request) //nolint:bodyclose // The body is closed by Close.
	if err != nil {
		err = b.fault(err)
		b.Close()
		return nil, err
	}
	b.in = answer.Body
	if answer.StatusCode != http.StatusOK {
		text := firstLine(answer)
		b.Close()
		return nil, fmt.Errorf("%s: the server answers %s%s", arg, answer.Status, text)
	}
	if kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type")); kind == "text/html" {
		b.Close()
		return nil, fmt.Errorf("%s: the server sends a page, not a trace", arg)
	}
	return b, nil
}

// firstLine returns what an error page says, if it is text.
func firstLine(answer *http.Response) string {
	head := make([]byte, 300)
	n, _ := io.ReadFull(answer.Body, head)
	line, _, _ := bytes.Cut(bytes.TrimSpace(head[:n]), []byte("\n"))
	if kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type")); kind != "text/plain" || len(line) == 0 {
		return ""
	}
	return fmt.Sprintf(": %.120q", line)
}

// A body is the body of an answer of a server.
type body struct {
	name     string
	in       io.ReadCloser
	ctx      context.Context
	cancel   context.CancelCauseFunc
	timer    *time.Timer
	patience time.Duration
	n        int64
	recent   atomic.Int64 // bytes since the timer was set
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	if b.recent.Add(int64(n)) >= part {
		b.recent.Store(0)
		b.timer.Reset(b.patience)
	}
	if b.n += int64(n); b.n > Most {
		return 0, fmt.Errorf("%s: %w", b.name, errTooLong)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = b.fault(err)
	}
	return n, err
}

// tooSlow is the error for a server that does not send.
func (b *body) tooSlow() error {
	what := "nothing"
	if n := b.recent.Load(); n > 0 {
		what = "only " + figures.Size(n)
	}
	return fmt.Errorf("the server has sent %s for %s", what, figures.Duration(int64(b.patience)))
}

// fault returns the error with its cause and without the URL twice.
func (b *body) fault(err error) error {
	if cause := context.Cause(b.ctx); cause != nil {
		err = cause
	}
	if u := (*url.Error)(nil); errors.As(err, &u) {
		err = u.Err
	}
	return fmt.Errorf("%s: %w", b.name, err)
}

func (b *body) Close() error {
	b.timer.Stop()
	b.cancel(nil)
	if b.in == nil {
		return nil
	}
	return b.in.Close()
}

// File copies the answer of a server to a file in a new folder of dir, and returns its path. If the server breaks off, the file holds the part until then,
// and lacks says why.
func File(ctx context.Context, dir, arg string) (path string, lacks, err error) {
	in, err := Open(ctx, arg)
	if err != nil {
		return "", nil, err
	}
	defer in.Close()
	folder, err := os.MkdirTemp(dir, "fetched")
	if err != nil {
		return "", nil, err
	}
	out, err := os.Create(filepath.Join(folder, Name(arg)+extension(arg)))
	if err != nil {
		return "", nil, err
	}
	defer out.Close()
	n, err := io.Copy(out, in)
	if wrote := (*fs.PathError)(nil); err != nil && (n == 0 || ctx.Err() != nil || errors.Is(err, errTooLong) || errors.As(err, &wrote)) {
		return "", nil, err
	}
	return out.Name(), err, out.Close()
}

// extension returns the extension of the file that a URL leads to.
func extension(arg string) string {
	u, err := url.Parse(arg)
	if err != nil {
		return ""
	}
	return path.Ext(u.Path)
}
