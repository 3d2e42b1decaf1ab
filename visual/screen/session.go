//go:build js

package screen

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"syscall/js"

	"whorl/visual/share"
)

// NewAccess returns the way to the session that the server of the page offers at a prefix of addresses, nil if the page has no token for it. The page
// has taken the token out of its address.
func NewAccess(prefix string, wake chan<- struct{}) *share.Access {
	store := js.Global().Get("sessionStorage")
	kept := func(name string) string {
		v := store.Call("getItem", "whorl."+name)
		if v.Type() != js.TypeString {
			return ""
		}
		return v.String()
	}
	token := kept("token")
	if token == "" {
		return nil
	}
	secret, ifAway := kept("secret"), false
	if secret == "" { // the browser was killed, or this is another tab
		secret = share.ReadKept(keptInBrowser(personKey), token)
		ifAway = secret != ""
	}
	proof := func() string { return cmp.Or(kept("secret"), token) }
	return &share.Access{
		Token: token, Name: kept("name"), Secret: secret, IfAway: ifAway, Device: device(),
		Keep: func(name, secret string) {
			store.Call("setItem", "whorl.name", name)
			store.Call("setItem", "whorl.secret", secret)
			js.Global().Get("whorl").Call("keep", personKey, share.Kept(secret, token))
		},
		Dial: func() share.Conn { return newSocket(prefix+"socket", wake) },
		Trace: func(id string, bytes int64) io.ReaderAt {
			return share.Patient(&remoteTrace{prefix + "traces/" + url.PathEscape(id), proof, bytes})
		},
		Show: func(pane int, picture []byte) error {
			_, err := exchange("PUT", prefix+"pictures/"+strconv.Itoa(pane), proof(), picture)
			return err
		},
		Shown: func(pane int) ([]byte, error) {
			return exchange("GET", prefix+"pictures/"+strconv.Itoa(pane), proof(), nil)
		},
		Upload: func(secret, name string, r io.Reader, _ int64) error { return upload(prefix, secret, name, r) },
	}
}

// device returns a text that is the same for all tabs of the browser, also later, "" where the browser keeps none. Pages from elsewhere do not see it.
func device() string {
	const name = "whorl.device"
	if id := keptInBrowser(name); id != "" {
		return id
	}
	if id := rand.Text(); js.Global().Get("whorl").Call("keep", name, id).Bool() {
		return id
	}
	return ""
}

// personKey is the name under which the browser keeps who joined a session last.
const personKey = "whorl.person"

// keptInBrowser returns a text that the browser keeps for all tabs, "" for none.
func keptInBrowser(name string) string {
	if v := js.Global().Get("whorl").Call("kept", name); v.Type() == js.TypeString {
		return v.String()
	}
	return ""
}

// A socket is a share.Conn over the browser's WebSocket.
type socket struct {
	ws   js.Value
	out  []js.Value // until the connection is open
	in   [][]byte
	err  error
	hear js.Func
}

func newSocket(address string, wake chan<- struct{}) *socket {
	base := js.Global().Get("URL").New(address, js.Global().Get("document").Get("baseURI"))
	base.Set("hash", "")
	base.Set("protocol", strings.Replace(base.Get("protocol").String(), "http", "ws", 1))
	s := &socket{ws: js.Global().Get("WebSocket").New(base.Get("href"))}
	s.hear = js.FuncOf(func(_ js.Value, args []js.Value) any {
		switch e := args[0]; e.Get("type").String() {
		case "open":
			for _, text := range s.out {
				s.ws.Call("send", text)
			}
			s.out = nil
		case "message":
			s.in = append(s.in, []byte(e.Get("data").String()))
		case "close":
			why := e.Get("reason").String()
			if why == "" {
				why = "the server does not answer"
			}
			s.err = errors.New(why)
			s.hear.Release()
		}
		select {
		case wake <- struct{}{}:
		default:
		}
		return nil
	})
	for _, event := range []string{"open", "message", "close"} {
		s.ws.Call("addEventListener", event, s.hear)
	}
	return s
}

func (s *socket) Send(b []byte) {
	text := js.ValueOf(string(b))
	switch s.ws.Get("readyState").Int() {
	case 0: // connecting
		s.out = append(s.out, text)
	case 1: // open
		s.ws.Call("send", text)
	}
}

func (s *socket) Receive() [][]byte {
	in := s.in
	s.in = nil
	return in
}

func (s *socket) Err() error {
	if len(s.in) > 0 {
		return nil
	}
	return s.err
}

func (s *socket) Close() { s.ws.Call("close", 1000) }

// A remoteTrace is the file of a trace of the session.
type remoteTrace struct {
	url   string
	proof func() string // of the right to read: the secret of the person, or the token
	size  int64
}

// ReadAt fetches len(b) bytes from the server.
func (t *remoteTrace) ReadAt(b []byte, at int64) (int, error) {
	if at < 0 || at >= t.size {
		return 0, io.EOF
	}
	want := b[:min(int64(len(b)), t.size-at)]
	response, err := await(js.Global().Call("fetch", t.url, map[string]any{"headers": map[string]any{
		"Authorization": "Bearer " + t.proof(), "Range": fmt.Sprintf("bytes=%d-%d", at, at+int64(len(want))-1),
	}}))
	if err != nil {
		return 0, err
	}
	if status := response.Get("status").Int(); status != 206 {
		return 0, fmt.Errorf("the server answers %d for a part of the trace", status)
	}
	n, err := io.ReadFull(&body{reader: response.Get("body").Call("getReader")}, want)
	if err == nil && n < len(b) {
		err = io.EOF
	}
	return n, err
}

// exchange sends a request for the picture of a pane and returns the body of the answer.
func exchange(method, url, proof string, picture []byte) ([]byte, error) {
	o := map[string]any{"method": method, "headers": map[string]any{"Authorization": "Bearer " + proof}}
	if picture != nil {
		array := js.Global().Get("Uint8Array").New(len(picture))
		js.CopyBytesToJS(array, picture)
		o["body"] = array
	}
	response, err := await(js.Global().Call("fetch", url, o))
	if err != nil {
		return nil, err
	}
	if !response.Get("ok").Bool() {
		return nil, fmt.Errorf("the server answers %d", response.Get("status").Int())
	}
	if picture != nil {
		return nil, nil
	}
	return io.ReadAll(io.LimitReader(&body{reader: response.Get("body").Call("getReader")}, share.MaxPicture))
}

// upload offers a file to the session.
func upload(prefix, secret, name string, r io.Reader) error {
	b, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	response, err := await(js.Global().Call("fetch", prefix+"traces?name="+url.QueryEscape(name), map[string]any{
		"method": "POST", "body": array, "headers": map[string]any{"Authorization": "Bearer " + secret},
	}))
	if err != nil {
		return err
	}
	if status := response.Get("status").Int(); status != 201 {
		why, err := await(response.Call("text"))
		if err != nil || why.String() == "" {
			return fmt.Errorf("the server answers %d", status)
		}
		return errors.New(strings.TrimSpace(why.String()))
	}
	return nil
}
