package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"whorl/visual/share"
)

// Access returns what a viewer needs of the session.
func (c *Client) Access(name string) *share.Access {
	return &share.Access{
		Token: c.address.Token, Name: name, Keep: func(_, secret string) { c.secret.Store(&secret) }, Dial: c.Dial, Upload: c.Upload,
		Show: c.show, Shown: c.shown,
		Trace: func(id string, bytes int64) io.ReaderAt { return share.Patient(&trace{c, id, bytes}) },
	}
}

// A trace is the file of a trace on the server.
type trace struct {
	client *Client
	id     string
	size   int64
}

// ReadAt fetches len(b) bytes from the server.
func (t *trace) ReadAt(b []byte, at int64) (int, error) {
	if at < 0 || at >= t.size {
		return 0, io.EOF
	}
	want := b[:min(int64(len(b)), t.size-at)]
	r, err := t.client.request(http.MethodGet, "session/traces/"+url.PathEscape(t.id), t.client.proof(), nil)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", at, at+int64(len(want))-1))
	answer, err := t.client.http.Do(r)
	if err != nil {
		return 0, reason(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusPartialContent {
		return 0, fmt.Errorf("the server answers %s for a part of the trace", answer.Status)
	}
	n, err := io.ReadFull(answer.Body, want)
	if err == nil && n < len(b) {
		err = io.EOF
	}
	return n, err
}

// Upload offers a file to the session.
func (c *Client) Upload(secret, name string, body io.Reader, size int64) error {
	r, err := c.request(http.MethodPost, "session/traces?name="+url.QueryEscape(name), secret, body)
	if err != nil {
		return err
	}
	r.ContentLength = size
	r.Header.Set("Content-Type", "application/octet-stream")
	answer, err := c.http.Do(r)
	if err != nil {
		return reason(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusCreated {
		return nil
	}
	why, err := io.ReadAll(io.LimitReader(answer.Body, 4<<10))
	if err != nil || len(why) == 0 {
		return fmt.Errorf("the server answers %s", answer.Status)
	}
	return errors.New(strings.TrimSpace(string(why)))
}

func pictureOf(pane int) string { return "session/pictures/" + strconv.Itoa(pane) }

// show leaves the picture of a pane with the server.
func (c *Client) show(pane int, picture []byte) error {
	r, err := c.request(http.MethodPut, pictureOf(pane), c.proof(), bytes.NewReader(picture))
	if err != nil {
		return err
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return reason(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusNoContent {
		return fmt.Errorf("the server answers %s", answer.Status)
	}
	return nil
}

// shown returns the picture of a pane that somebody has left with the server.
func (c *Client) shown(pane int) ([]byte, error) {
	r, err := c.request(http.MethodGet, pictureOf(pane), c.proof(), nil)
	if err != nil {
		return nil, err
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, reason(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answers %s", answer.Status)
	}
	return io.ReadAll(io.LimitReader(answer.Body, share.MaxPicture))
}

// proof returns what proves the right to read: the secret of the person, which is valid as long as the person is in the session, or the token.
func (c *Client) proof() string {
	if s := c.secret.Load(); s != nil && *s != "" {
		return *s
	}
	return c.address.Token
}

// request returns a request with a proof of the right to it, which is not part of the address.
func (c *Client) request(method, path, proof string, body io.Reader) (*http.Request, error) {
	r, err := http.NewRequestWithContext(context.Background(), method, c.address.URL+path, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+proof)
	return r, nil
}
