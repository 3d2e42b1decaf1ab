//go:build js

package screen

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"syscall/js"
)

// A webRun is the connection to a run of the server. One long answer has the bytes from the run; each write is a request.
type webRun struct {
	url    string
	answer *body    // nil before the first Read
	abort  js.Value // an AbortController, which ends the answer
}

// newWebRun returns the connection to the run at a prefix of addresses.
func newWebRun(prefix string) *webRun {
	return &webRun{url: prefix + strconv.FormatUint(rand.Uint64(), 36), abort: js.Global().Get("AbortController").New()}
}

func (r *webRun) Read(p []byte) (int, error) {
	if r.answer == nil {
		response, err := await(js.Global().Call("fetch", r.url, map[string]any{"signal": r.abort.Get("signal")}))
		if err != nil {
			return 0, err
		}
		if !response.Get("ok").Bool() {
			return 0, errors.New("the server answers " + response.Get("status").Call("toString").String())
		}
		r.answer = &body{reader: response.Get("body").Call("getReader")}
	}
	return r.answer.Read(p)
}

func (r *webRun) Write(b []byte) (int, error) {
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	if _, err := await(js.Global().Call("fetch", r.url, map[string]any{"method": "POST", "body": array})); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (r *webRun) Close() error {
	r.abort.Call("abort")
	return nil
}
