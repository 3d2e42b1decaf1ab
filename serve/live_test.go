package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/testdata/must"
	"whorl/tracer/store"
)

// A client is the connection of a page to a run.
type client struct {
	url    string
	answer io.ReadCloser
}

func (c *client) Read(b []byte) (int, error) { return c.answer.Read(b) }
func (c *client) Close() error               { return c.answer.Close() }

func (c *client) Write(b []byte) (int, error) {
	answer, err := http.Post(c.url, "application/octet-stream", bytes.NewReader(b))
	if err != nil {
		return 0, err
	}
	return len(b), answer.Body.Close()
}

// TestRunOverHTTP watches and steers a run over HTTP, as a page does.
func TestRunOverHTTP(t *testing.T) {
	r := experiment.Defaults("fghc/pascal")
	s := must.Get(session.Start(r))(t)
	s.Do(session.Command{Do: session.StepTo, N: 20})
	audience := must.Get(session.NewAudience(s, r))(t)
	h := must.Get(handler(fstest.MapFS{"README": {}}, nil, newLive(audience.Feed), nil))(t)
	server := httptest.NewServer(h)
	defer server.Close()
	get := func(path string) *http.Response {
		request := must.Get(http.NewRequestWithContext(context.Background(), http.MethodGet, server.URL+"/"+path, nil))(t)
		return must.Get(http.DefaultClient.Do(request))(t)
	}
	var offered offer
	answer := get("whorl.json")
	must.Do(t, json.NewDecoder(answer.Body).Decode(&offered))
	answer.Body.Close()
	watched := get(offered.Run + "one")
	defer watched.Body.Close()
	page := session.Attach(&client{server.URL + "/" + offered.Run + "one", watched.Body})
	g := store.NewGrowing()
	until := func(ok func(session.Status) bool) {
		for st := page.Status(); ; st = page.Status() {
			must.Get(g.Write(page.TakeTrace()))(t)
			if ok(st) {
				return
			}
		}
	}
	until(func(st session.Status) bool { return st.State == session.Paused && st.Reductions == 20 })
	status := func(method, path string) int {
		request := must.Get(http.NewRequestWithContext(context.Background(), method, server.URL+"/"+path, nil))(t)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		return answer.StatusCode
	}
	for _, c := range []struct {
		method, path string
		want         int
	}{
		{http.MethodGet, offered.Run + "one", http.StatusConflict},
		{http.MethodPost, offered.Run + "nobody", http.StatusNotFound},
		{http.MethodGet, "run/guess/one", http.StatusNotFound},
	} {
		if got := status(c.method, c.path); got != c.want {
			t.Errorf("%s %s: status %d, want %d", c.method, c.path, got, c.want)
		}
	}
	gone := get(offered.Run + "two")
	gone.Body.Close() // a page that is closed leaves the run
	page.Do(session.Command{Do: session.Step, N: 7})
	until(func(st session.Status) bool { return st.State == session.Paused && st.Reductions == 27 })
	page.Do(session.Command{Do: session.Resume})
	until(func(st session.Status) bool { return st.State == session.Finished && g.Ended() })
	page.Wait()
	must.Do(t, audience.Close())
}
