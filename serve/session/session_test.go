package session

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"whorl/testdata/must"
	"whorl/visual/share"
)

// TestAgree lets random members change registers over the real handler while connections break and members are killed. In the end all copies agree, and
// nothing that a person wrote is lost.
func TestAgree(t *testing.T) {
	for seed := range uint64(5) {
		synctest.Test(t, func(t *testing.T) {
			h := begin(t, seed, Options{Options: share.Options{Keep: time.Hour}}, 0)
			var seats []*seat
			for i := range 6 {
				seats = append(seats, h.sit(fmt.Sprint("p", i), share.Roles[i%3]))
			}
			settle(seats...)
			for range 400 {
				s := seats[h.rand.IntN(len(seats))]
				me := s.member.Me()
				switch what := h.rand.IntN(12); {
				case what < 5:
					key, value := share.PersonKey(me, fmt.Sprint("camera/", h.rand.IntN(3))), fmt.Sprint(h.rand.IntN(1000))
					must.Do(t, s.member.Set(share.Change{Key: key, Value: json.RawMessage(value)}))
					s.wants[key] = value
				case what < 8:
					must.Do(t, s.member.Put(fmt.Sprint("stage/", h.rand.IntN(3)), h.rand.IntN(1000)))
				case what < 9:
					s.member.Grant(seats[h.rand.IntN(len(seats))].member.Me(), share.Roles[h.rand.IntN(2)])
				case what < 11:
					s.drop()
				default: // the program is killed and started again
					secret, token := s.member.Secret(), h.session.Token(share.Viewer)
					s.drop()
					s.line.Close()
					s.member = share.NewMember("", token)
					s.member.Resume(secret)
					s.line = share.NewLine(s.member, s.access.Dial)
					clear(s.wants)
				}
				for range h.rand.IntN(3) {
					seats[h.rand.IntN(len(seats))].step()
				}
				time.Sleep(time.Duration(h.rand.IntN(int(50 * time.Millisecond))))
			}
			settle(seats...)
			want := copied(seats[0].member)
			for i, s := range seats {
				if !s.member.Joined() || s.member.Ended() != "" {
					t.Fatalf("seed %d: member %d: %q, %v", seed, i, s.member.Ended(), s.line.Err())
				}
				if got := copied(s.member); got != want {
					t.Errorf("seed %d: member %d has\n%s\nthe first has\n%s", seed, i, got, want)
				}
				for _, key := range s.member.Keys("") {
					if got, _ := s.member.Value(key); s.wants[key] != "" && string(got) != s.wants[key] {
						t.Errorf("seed %d: %s is %s, and its owner wrote %s last", seed, key, got, s.wants[key])
					}
				}
			}
			h.shut()
			settle(seats...)
			if why := seats[0].member.Ended(); why != "the session has ended" {
				t.Errorf("after the end the member has heard %q", why)
			}
		})
	}
}

// TestDoor: only members with a link that is valid come in, by names of the server and from its own pages.
func TestDoor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := begin(t, 1, Options{Expires: time.Hour}, 0)
		hello := func(token string) string {
			return fmt.Sprintf(`{"hello":{"version":1,"token":%q,"name":"Ada"}}`, token)
		}
		viewer := h.session.Token(share.Viewer)
		for _, c := range []struct {
			first, want string
		}{
			{hello(viewer), `"welcome"`},
			{hello(""), "not one of this session"},
			{hello(viewer[1:]), "not one of this session"},
			{hello(strings.ToLower(viewer)), "not one of this session"},
			{`{"seq":1}`, "is no hello"},
			{`[`, "is no hello"},
			{strings.Replace(hello(viewer), ":1", ":2", 1), "version"},
		} {
			ws, _, err := h.dial(nil, "localhost:7070")
			must.Do(t, err)
			must.Do(t, ws.Write(t.Context(), websocket.MessageText, []byte(c.first)))
			if _, b, err := ws.Read(t.Context()); err != nil || !strings.Contains(string(b), c.want) {
				t.Errorf("%s is answered with %s, %v, want %q", c.first, b, err, c.want)
			}
			ws.CloseNow()
		}
		for _, c := range []struct {
			host, origin string
			status       int
		}{
			{"localhost:7070", "http://localhost:7070", 101},
			{"lab.example", "https://lab.example", 101},
			{"localhost:7070", "https://evil.example", 403},
			{"localhost:7070", "http://localhost:7071", 403},
			{"evil.example", "http://evil.example", 421},
			{"evil.example", "", 421},
		} {
			header := http.Header{}
			if c.origin != "" {
				header.Set("Origin", c.origin)
			}
			ws, status, err := h.dial(header, c.host)
			if status != c.status {
				t.Errorf("host %s, origin %s: %d, %v, want %d", c.host, c.origin, status, err, c.status)
			}
			if ws != nil {
				ws.CloseNow()
			}
		}
		early := h.sit("Bob", share.Viewer)
		settle(early)
		time.Sleep(time.Hour)
		late := h.sit("Cy", share.Viewer)
		early.drop()
		settle(early, late)
		if !early.member.Joined() || !strings.Contains(late.member.Ended(), "expired") {
			t.Errorf("after the end of the link the early one has joined: %v, and the late one hears %q", early.member.Joined(), late.member.Ended())
		}
		early.line.Close()
		h.shut()
	})
}

// TestIdle: a thousand connections that send nothing keep nobody out, and end. So do websockets without a hello, and members who do not answer.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := begin(t, 1, Options{}, 300)
		var gone atomic.Int32
		wait := func(c net.Conn) {
			_, _ = io.Copy(io.Discard, c)
			gone.Add(1)
		}
		for range 1000 {
			c := must.Get(h.door.dial(t.Context(), "", ""))(t)
			go wait(c)
		}
		for range 1000 {
			c := must.Get(h.door.dial(t.Context(), "", ""))(t)
			go func() {
				for range 20 { // a byte of a header now and then
					if _, err := c.Write([]byte("G")); err != nil {
						return
					}
					time.Sleep(time.Second)
				}
			}()
		}
		for range 300 {
			ws, _, err := h.dial(nil, "localhost")
			must.Do(t, err)
			go func() {
				_, _, _ = ws.Read(context.Background())
				gone.Add(1)
			}()
		}
		s := h.sit("Ada", share.Viewer)
		settle(s)
		if !s.member.Joined() {
			t.Errorf("nobody comes in: %v", s.line.Err())
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if gone.Load() != 1300 {
			t.Errorf("%d of 1300 connections have ended", gone.Load())
		}
		// A member whose machine is off answers no ping.
		ws, _, err := h.dial(nil, "localhost")
		must.Do(t, err)
		must.Do(t, ws.Write(t.Context(), websocket.MessageText, []byte(fmt.Sprintf(`{"hello":{"version":1,"token":%q}}`, h.session.Token(share.Viewer)))))
		settle(s)
		if n := h.session.People(); n != 2 {
			t.Errorf("%d people, want 2", n)
		}
		for range 12 {
			time.Sleep(5 * time.Second)
			settle(s)
		}
		if n := h.session.People(); n != 1 {
			t.Errorf("%d people after a minute of silence of one, want 1", n)
		}
		ws.CloseNow()
		s.line.Close()
		h.shut()
	})
}

// TestRemoved: the owner removes a member, who does not come back, while the link is valid for others. The session takes no more people than it may.
func TestRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := begin(t, 1, Options{Options: share.Options{Members: 2}}, 0)
		owner, viewer := h.sit("Ada", share.Owner), h.sit("Bob", share.Viewer)
		settle(owner, viewer)
		third := h.sit("Cy", share.Viewer)
		settle(owner, viewer, third)
		if third.member.Joined() || !strings.Contains(third.member.Ended(), "full") {
			t.Errorf("a third person has joined: %v, %q", third.member.Joined(), third.member.Ended())
		}
		viewer.member.Remove(owner.member.Me())
		settle(owner, viewer)
		if owner.member.Ended() != "" || len(viewer.member.Refusals()) != 1 {
			t.Error("a viewer has removed the owner")
		}
		owner.member.Remove(viewer.member.Me())
		settle(owner, viewer)
		if got := viewer.member.Ended(); got != "removed by Ada" || len(owner.member.People()) != 1 {
			t.Errorf("the removed member hears %q, and %d people are left", got, len(owner.member.People()))
		}
		again := h.sit("Bob", share.Viewer) // the program is started again
		again.member.Resume(viewer.member.Secret())
		settle(owner, again)
		other := h.sit("Dee", share.Viewer)
		settle(owner, again, other)
		if again.member.Joined() || !strings.Contains(again.member.Ended(), "you were removed") || !other.member.Joined() {
			t.Errorf("the removed member has joined again: %v, %q; somebody else with the link: %v, %q", again.member.Joined(), again.member.Ended(),
				other.member.Joined(), other.member.Ended())
		}
		other.line.Close()
		owner.line.Close()
		h.shut()
	})
}

// FuzzHello: no first message breaks the session, and none but a hello with a token joins.
func FuzzHello(f *testing.F) {
	s := must.Get(New(Options{}))(f)
	f.Cleanup(func() { _ = s.Close() })
	token := s.Token(share.Viewer)
	for _, seed := range []string{
		`{"hello":{"version":1,"token":"TOKEN","name":"Ada"}}`, `{"hello":{"version":1,"token":"TOKEN","secret":"x","seen":18446744073709551615}}`,
		`{"hello":null}`, `{"seq":1,"set":[{"key":"stage/a","value":1}]}`, `{"hello":{"version":1}}`, ``, `null`, `[]`, "\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := s.join([]byte(strings.ReplaceAll(text, "TOKEN", token)), func() {})
		if err != nil {
			return
		}
		if _, role := l.Person(); role != share.Viewer || !strings.Contains(text, "TOKEN") {
			t.Errorf("%q joins as %s", text, role)
		}
		l.Next()
		l.Leave(s.now())
		s.hub.Tick(s.now() + time.Hour)
	})
}
