package share

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"whorl/testdata/must"
)

// TestNameOf makes names of those of users.
func TestNameOf(t *testing.T) {
	for _, c := range [][2]string{{"ada", "ada"}, {"", ""}, {" a\x1b[b\n", "a[b"}, {strings.Repeat("ä", 60), strings.Repeat("ä", 40)}, {"a\xff", "a"}} {
		user, want := c[0], c[1]
		if got := NameOf(user); got != want {
			t.Errorf("NameOf(%q) is %q, want %q", user, got, want)
		} else if _, err := checkName(got); err != nil {
			t.Error(err)
		}
	}
}

// TestBounds holds the bounds on members, rates and sizes, and on what a hub believes.
func TestBounds(t *testing.T) {
	hub := NewHub(Options{Members: 2, Bytes: 80_000, Rate: 10, Flow: 1000})
	join := func(h Hello) (*Link, error) { return hub.Join(h, Owner, func() {}, 0) }
	if _, err := join(Hello{Version: 9}); err == nil || !strings.Contains(err.Error(), "version 1") {
		t.Errorf("another version joins: %v", err)
	}
	if _, err := join(Hello{Version: Version, Name: "a\x1bb"}); err == nil || !strings.Contains(err.Error(), "printable") {
		t.Errorf("an escape sequence is a name: %v", err)
	}
	a := must.Get(join(Hello{Version: Version}))(t)
	b := must.Get(join(Hello{Version: Version}))(t)
	if _, err := join(Hello{Version: Version}); !errors.Is(err, ErrFull) {
		t.Errorf("a third of two people joins: %v", err)
	}
	b.Leave(time.Second)
	must.Get(join(Hello{Version: Version}))(t) // in place of the one who is away
	says := func(l *Link, want string) {
		t.Helper()
		if b := l.Next(); !strings.Contains(string(b), want) {
			t.Errorf("the hub says %s, want %q", b, want)
		}
	}
	a.Next()
	big := strings.Repeat("x", 1500)
	set := func(seq, key int, text string) []byte {
		return []byte(fmt.Sprintf(`{"seq":%d,"set":[{"key":"stage/%d","value":%q}]}`, seq, key, text))
	}
	now := time.Hour
	for i := range 6 {
		must.Do(t, a.Receive(set(i+1, i, big), now))
		now += 2 * time.Second
	}
	must.Do(t, a.Receive(set(7, 7, big), now))
	says(a, "this person holds")
	if err := a.Receive(make([]byte, 10_000), now); err == nil {
		t.Error("10 kB at once are read at 1 kB/s")
	}
	says(a, "a second")
	c := must.Get(join(Hello{Version: Version}))(t)
	for i := range 30 {
		if err := c.Receive([]byte(`{"ping":1}`), now); err != nil {
			if i != 20 {
				t.Errorf("request %d is too many: %v", i, err)
			}
			break
		}
	}
	says(c, "requests a second")
}

// TestLargeBoard sends a board of several updates to a late joiner, who has joined when all are there.
func TestLargeBoard(t *testing.T) {
	r, owner, _ := two(t)
	for i := range 12 {
		must.Do(t, owner.member.Put(fmt.Sprint("stage/", i), strings.Repeat("x", 300<<10)))
		r.now += time.Second
		r.settle()
	}
	late := NewMember("late", "")
	var hello Request
	must.Do(t, json.Unmarshal(late.Connect(), &hello))
	l := must.Get(r.hub.Join(*hello.Hello, Viewer, func() {}, r.now))(t)
	n := 0
	for b := l.Next(); b != nil; b = l.Next() {
		if late.Joined() {
			t.Errorf("the member has joined after %d updates, and there are more", n)
		}
		if len(b) > 2*maxSet {
			t.Errorf("an update has %d bytes", len(b))
		}
		must.Do(t, late.Receive(b, r.now))
		n++
	}
	if n < 3 || !late.Joined() || !maps.Equal(copied(late), r.board(l)) {
		t.Errorf("after %d updates joined is %v, with %d registers", n, late.Joined(), len(copied(late)))
	}
}

// FuzzHub sends bytes to a hub and to a member. Neither panics, and the bounds hold.
func FuzzHub(f *testing.F) {
	f.Add([]byte(`{"seq":1,"set":[{"key":"stage/a","value":1},{"key":"note/t/1","value":null}]}`), false)
	f.Add([]byte(`{"seq":2,"grant":{"to":1,"role":"viewer"},"remove":2,"parcel":{"to":2,"pane":[]},"ping":5}`), true)
	f.Add([]byte(`{"rev":3,"set":[{"key":"person/1","rev":2,"value":{"name":"x"}}],"ack":1,"welcome":{"you":7},"pong":{"ping":-9,"now":1}}`), true)
	f.Fuzz(func(t *testing.T, b []byte, owner bool) {
		role := Viewer
		if owner {
			role = Owner
		}
		hub := NewHub(Options{Bytes: 1 << 16})
		l := must.Get(hub.Join(Hello{Version: Version}, role, func() {}, 0))(t)
		other := must.Get(hub.Join(Hello{Version: Version}, Viewer, func() {}, 0))(t)
		_ = l.Receive(b, time.Second)
		m := NewMember("", "")
		m.Connect()
		for u := other.Next(); u != nil; u = other.Next() {
			must.Do(t, m.Receive(u, 0))
		}
		if hub.board.bytes > 1<<17 {
			t.Errorf("the board has %d bytes", hub.board.bytes)
		}
		_ = m.Receive(b, time.Second)
		m.Next(time.Second)
		m.Keys("")
		m.People()
	})
}
