package share

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/testdata/must"
)

// TestAgree lets members change registers while connections break, members come back with and without their copies, and roles change. In the end all
// copies are the board, and nothing that a person wrote to registers of the person's own is lost.
func TestAgree(t *testing.T) {
	for seed := range uint64(30) {
		r := newRoom(t, seed, Options{Rate: 1e6, Flow: 1e9, Keep: time.Hour})
		for i := range 6 {
			r.join(fmt.Sprint("p", i), Roles[i%3])
		}
		for range 600 {
			s := r.seats[r.rand.IntN(len(r.seats))]
			me := s.member.Me()
			switch what := r.rand.IntN(20); {
			case me == 0:
			case what < 8: // own registers
				key, value := PersonKey(me, fmt.Sprint("camera/", r.rand.IntN(3))), fmt.Sprint(r.rand.IntN(1000))
				if r.rand.IntN(5) == 0 {
					value = "null"
				}
				must.Do(t, s.member.Set(Change{key, json.RawMessage(value)}))
				s.wants[key] = value
			case what < 12: // contested registers, also without the right to write them
				must.Do(t, s.member.Put(fmt.Sprint("stage/", r.rand.IntN(3)), r.rand.IntN(1000)))
			case what < 14:
				must.Do(t, s.member.Put(fmt.Sprint("note/t/", r.rand.IntN(3)), r.rand.IntN(1000)))
			case what < 15:
				must.Do(t, s.member.Put(s.member.AnswerKey("l/q"), r.rand.IntN(9)))
			case what < 16:
				must.Do(t, s.member.Put(PersonKey(me, Own+"stage/x"), r.rand.IntN(9)))
			case what < 17:
				s.member.Grant(r.seats[r.rand.IntN(len(r.seats))].member.Me(), Roles[r.rand.IntN(2)])
			case what < 19:
				r.drop(s)
			case what < 20 && s.link != nil: // the program is killed: only the secret is left, and what the hub has
				r.drop(s)
				secret := s.member.Secret()
				s.member = NewMember("", "")
				s.member.Resume(secret)
				for key := range s.wants {
					s.wants[key] = "" // what was under way may be lost
				}
			}
			if s.link == nil && r.rand.IntN(3) == 0 {
				r.connect(s)
			}
			r.step()
		}
		r.settle()
		for i, s := range r.seats {
			if !s.member.Joined() {
				t.Fatalf("seed %d: member %d has not joined: %q", seed, i, s.member.Ended())
			}
			if got, want := copied(s.member), r.board(s.link); !maps.Equal(got, want) {
				t.Fatalf("seed %d: member %d has\n%v\nthe hub has\n%v", seed, i, got, want)
			}
			for key, want := range s.wants {
				if got, _ := s.member.Value(key); want != "" && string(got) != want && !(got == nil && want == "null") {
					t.Fatalf("seed %d: %s is %s, and its owner wrote %s last", seed, key, got, want)
				}
			}
		}
	}
}

// TestRoles holds what each role may not do, and that a refused change goes back to what the hub has.
func TestRoles(t *testing.T) {
	r, owner, viewer := two(t)
	third := r.join("Cy", Viewer)
	must.Do(t, owner.member.Put("stage/palette", "turbo"))
	must.Do(t, owner.member.Put("note/t/1", "mine"))
	r.settle()
	refused := func(s *seat, want string, do func(m *Member)) {
		t.Helper()
		do(s.member)
		r.settle()
		all := s.member.Refusals()
		if len(all) != 1 || !strings.Contains(all[0].Why, want) {
			t.Errorf("refusals are %v, want one with %q", all, want)
		}
	}
	viewer.member.Changes()
	refused(viewer, "only presenters", func(m *Member) { must.Do(t, m.Put("stage/palette", "grey")) })
	if v, by := viewer.member.Value("stage/palette"); string(v) != `"turbo"` || by != owner.member.Me() {
		t.Errorf("after the refusal the palette is %s by %d", v, by)
	}
	if keys := viewer.member.Changes(); !slices.Equal(keys, []string{"stage/palette"}) {
		t.Errorf("after the refusal %v have changed", keys)
	}
	refused(viewer, "another person", func(m *Member) { must.Do(t, m.Put(PersonKey(third.member.Me(), "hand"), 1)) })
	refused(viewer, "another person", func(m *Member) { must.Do(t, m.Put("answer/x/l", 1)) })
	refused(viewer, "only the session", func(m *Member) { must.Do(t, m.Put(PersonKey(m.Me(), ""), Person{Role: Owner})) })
	refused(viewer, "only the session", func(m *Member) { must.Do(t, m.Put("trace/1", 1)) })
	refused(viewer, `no registers "x/..."`, func(m *Member) { must.Do(t, m.Put("x/y", 1)) })
	refused(viewer, "the note is Ada's", func(m *Member) { must.Do(t, m.Put("note/t/1", "no")) })
	refused(viewer, "only owners give", func(m *Member) { m.Grant(m.Me(), Presenter) })
	refused(viewer, "only owners remove", func(m *Member) { m.Remove(owner.member.Me()) })
	refused(owner, "an owner remains", func(m *Member) { m.Grant(m.Me(), Viewer) })
	refused(owner, "cannot be removed", func(m *Member) { m.Remove(m.Me()) })
	refused(owner, "has left", func(m *Member) { m.Remove(99) })
	refused(owner, `did you mean presenter?`, func(m *Member) { m.Grant(viewer.member.Me(), "presentr") })

	owner.member.Grant(viewer.member.Me(), Presenter)
	r.settle()
	var lead ID
	if !third.member.Get(LeadKey, &lead) || lead != viewer.member.Me() || viewer.member.Role() != Presenter {
		t.Errorf("the lead is %d, the role %s", lead, viewer.member.Role())
	}
	must.Do(t, viewer.member.Put("stage/palette", "grey"))
	refused(viewer, "only owners", func(m *Member) { m.Grant(m.Me(), Owner) })
	viewer.member.Grant(third.member.Me(), Presenter)
	r.settle()
	if viewer.member.Role() != Viewer || third.member.Role() != Presenter {
		t.Errorf("after giving the control on: %s, %s", viewer.member.Role(), third.member.Role())
	}
	must.Do(t, viewer.member.Put(PersonKey(viewer.member.Me(), "hand"), true))
	r.settle()
	must.Do(t, third.member.Set(Change{Key: PersonKey(viewer.member.Me(), "hand")}))
	r.settle()
	if v, _ := viewer.member.Value(PersonKey(viewer.member.Me(), "hand")); v != nil {
		t.Errorf("the hand is up: %s", v)
	}
	if v, _ := owner.member.Value("stage/palette"); string(v) != `"grey"` {
		t.Errorf("the palette is %s", v)
	}
	owner.member.Remove(third.member.Me())
	r.settle()
	if got := third.member.Ended(); got != "removed by Ada" {
		t.Errorf("the removed member was told %q", got)
	}
	if ids := owner.member.People(); !slices.Equal(ids, []ID{1, 2}) {
		t.Errorf("people are %v", ids)
	}
}

// TestAnswers shows the answers of all to a presenter without their names, also those from before, and to nobody else.
func TestAnswers(t *testing.T) {
	r, owner, viewer := two(t)
	third := r.join("Cy", Viewer)
	r.settle()
	must.Do(t, viewer.member.Put(viewer.member.AnswerKey("amdahl/speedup"), 4))
	r.settle()
	for s, n := range map[*seat]int{owner: 1, viewer: 1, third: 0} {
		keys := s.member.Keys("answer/")
		if len(keys) != n {
			t.Errorf("%s reads %v", s.role, keys)
		}
		for _, key := range keys {
			if _, by := s.member.Value(key); by != 0 {
				t.Errorf("the answer is told to be by %d", by)
			}
		}
	}
	owner.member.Grant(third.member.Me(), Presenter)
	r.settle()
	if keys := third.member.Keys("answer/"); len(keys) != 1 {
		t.Errorf("the new presenter reads %v", keys)
	}
}

// TestParcels sends a pane to one person alone.
func TestParcels(t *testing.T) {
	r, owner, viewer := two(t)
	third := r.join("Cy", Viewer)
	r.settle()
	owner.member.Send(viewer.member.Me(), json.RawMessage(`{"view":"timeline"}`))
	r.settle()
	if got := viewer.member.Parcels(); len(got) != 1 || got[0].From != owner.member.Me() || string(got[0].Pane) != `{"view":"timeline"}` {
		t.Errorf("the parcels are %v", got)
	}
	if got := slices.Concat(third.member.Parcels(), owner.member.Parcels()); got != nil {
		t.Errorf("others get %v", got)
	}
}

// TestComeBack brings a person back whose program was killed: with the same id, colour and registers, and the connection that still seemed to stand ends.
func TestComeBack(t *testing.T) {
	r, owner, viewer := two(t)
	key := PersonKey(viewer.member.Me(), "camera/1")
	must.Do(t, viewer.member.Put(key, 7))
	r.settle()
	old, before := viewer.link, who(viewer, viewer)
	secret := viewer.member.Secret()
	viewer.member = NewMember("", "")
	viewer.member.Resume(secret)
	r.connect(viewer)
	r.settle()
	if after := who(viewer, viewer); after != before {
		t.Errorf("the person was %+v and is %+v", before, after)
	}
	if v, _ := viewer.member.Value(key); string(v) != "7" {
		t.Errorf("the camera is %s", v)
	}
	if b := old.Next(); !strings.Contains(string(b), "joined again") || !old.Over() || old.Receive([]byte("{}"), r.now) == nil {
		t.Errorf("the old connection says %s", b)
	}
	old.Leave(r.now)
	r.settle()
	if p := who(owner, viewer); !p.Here {
		t.Error("the late end of the old connection makes the person absent")
	}

	viewer.link.Leave(r.now)
	viewer.link, viewer.gone = nil, true
	r.settle()
	if p := who(owner, viewer); p.Here {
		t.Error("the person who has left is here")
	}
	r.now += 3 * time.Minute
	r.settle()
	if keys := owner.member.Keys(PersonKey(viewer.member.Me(), "")); len(keys) != 0 {
		t.Errorf("of the person who stays away %v are left", keys)
	}
}

// TestIfAway: another program with the secret of a person is this person while the person is away, with the name of before, and somebody else otherwise.
func TestIfAway(t *testing.T) {
	r, owner, viewer := two(t)
	must.Do(t, viewer.member.Put(PersonKey(viewer.member.Me(), Own+"stage/x"), 7))
	r.settle()
	if v, _ := owner.member.Value(PersonKey(viewer.member.Me(), Own+"stage/x")); v != nil {
		t.Errorf("somebody else reads %s", v)
	}
	another := func() *seat {
		s := &seat{member: NewMember("bob", ""), role: Viewer}
		s.member.Resume(viewer.member.Secret())
		s.member.IfAway()
		r.seats = append(r.seats, s)
		r.connect(s)
		r.settle()
		return s
	}
	second := another()
	if a, b := second.member.Me(), viewer.member.Me(); a == b || !who(owner, viewer).Here || who(owner, second).Name != "bob" {
		t.Errorf("beside %d there is %d: %+v", b, a, who(owner, second))
	}
	viewer.link.Leave(r.now)
	viewer.link, viewer.gone = nil, true
	third := another()
	if a, b := third.member.Me(), viewer.member.Me(); a != b || who(owner, third).Name != "Bob" {
		t.Errorf("%d comes back as %d: %+v", b, a, who(owner, third))
	}
	if v, _ := third.member.Value(PersonKey(third.member.Me(), Own+"stage/x")); string(v) != "7" {
		t.Errorf("the own stage is %s", v)
	}
	if hello(t, third.member).IfAway {
		t.Error("the next connection of the member counts only if it is away")
	}
}

// TestKept: what is kept of a person is for the link by which the person has joined.
func TestKept(t *testing.T) {
	text := Kept("s3cret", "token")
	if got := ReadKept(text+"\n", "token"); got != "s3cret" || strings.Contains(text, "token") {
		t.Errorf("%q has %q", text, got)
	}
	for _, c := range [][2]string{{text, "other"}, {"", "token"}, {"x y", "token"}, {Kept("", "token"), "token"}, {Kept(strings.Repeat("x", 100), "token"), "token"}} {
		if got := ReadKept(c[0], c[1]); got != "" {
			t.Errorf("%q has %q for %q", c[0], got, c[1])
		}
	}
}

// TestRemoved: a person whom an owner has removed is refused, with the secret and as a new person from the same device, while the token stays valid for
// others, for people of that device who are there, and for owners.
func TestRemoved(t *testing.T) {
	r := newRoom(t, 1, Options{})
	owner, bob := r.join("Ada", Owner), r.join("Bob", Viewer)
	cy := r.join("Cy", Viewer)
	r.settle()
	for _, s := range []*seat{bob, cy} { // two tabs of one browser
		s.member.Use("tablet")
		r.drop(s)
	}
	r.settle()
	owner.member.Remove(bob.member.Me())
	r.settle()
	joins := func(m *Member, role Role) error {
		_, err := r.hub.Join(hello(t, m), role, func() {}, r.now)
		return err
	}
	fresh := func(device string) *Member {
		m := NewMember("Bob", "")
		m.Use(device)
		return m
	}
	kept := fresh("")
	kept.Resume(bob.member.Secret())
	for _, x := range []struct {
		name   string
		member *Member
		role   Role
		err    error
	}{
		{"with the secret", kept, Viewer, ErrRemoved},
		{"with the secret and the link of an owner", kept, Owner, ErrRemoved},
		{"from the same device", fresh("tablet"), Viewer, ErrRemoved},
		{"from the same device with the link of a presenter", fresh("tablet"), Presenter, ErrRemoved},
		{"an owner on that device", fresh("tablet"), Owner, nil},
		{"somebody else", fresh("phone"), Viewer, nil},
		{"somebody without a device", fresh(""), Viewer, nil},
		{"the other tab, which was there", cy.member, Viewer, nil},
	} {
		if err := joins(x.member, x.role); !errors.Is(err, x.err) {
			t.Errorf("%s: %v, want %v", x.name, err, x.err)
		}
	}
	if _, ok := r.hub.RoleOf(bob.member.Secret()); ok {
		t.Error("the secret of the removed person still proves a role")
	}
}

// TestNeverThere: a connection that breaks before its member has sent anything leaves nobody in the list, and the member comes back as the same person.
func TestNeverThere(t *testing.T) {
	r, owner, _ := two(t)
	m := NewMember("", "")
	l := must.Get(r.hub.Join(hello(t, m), Viewer, func() {}, r.now))(t)
	must.Do(t, m.Receive(l.Next(), r.now))
	r.settle()
	if n := len(owner.member.People()); n != 3 {
		t.Errorf("with the newcomer there are %d people", n)
	}
	l.Leave(r.now)
	r.settle()
	if ids := owner.member.People(); !slices.Equal(ids, []ID{1, 2}) {
		t.Errorf("after a connection that broke at once there are %v", ids)
	}
	l = must.Get(r.hub.Join(hello(t, m), Viewer, func() {}, r.now))(t)
	was := m.Me()
	must.Do(t, m.Receive(l.Next(), r.now))
	must.Do(t, l.Receive(m.Next(r.now), r.now))
	r.settle()
	if p, ok := owner.member.Person(was); m.Me() != was || !ok || !p.Here || p.Name != fmt.Sprint("Guest ", was) {
		t.Errorf("%d comes back as %d: %+v", was, m.Me(), p)
	}
	l.Leave(r.now)
	r.settle()
	if p, ok := owner.member.Person(was); !ok || p.Here {
		t.Errorf("somebody who was there and has left is %+v, %v", p, ok)
	}
}

// TestClock estimates the session's clock within half a round trip, also when some answers take long, and follows a clock that drifts.
func TestClock(t *testing.T) {
	hub := NewHub(Options{})
	m := NewMember("", "")
	var hello Request
	must.Do(t, json.Unmarshal(m.Connect(), &hello))
	l := must.Get(hub.Join(*hello.Hello, Viewer, func() {}, 0))(t)
	must.Do(t, m.Receive(l.Next(), 0))
	const ahead = 90 * time.Second // of the hub's clock
	rand := rand.New(rand.NewPCG(1, 2))
	for i := range 40 {
		now := time.Duration(i+1) * 3 * time.Second
		drift := now / 1000
		there := time.Duration(rand.IntN(int(8 * time.Millisecond)))
		back := there
		if i%3 == 1 {
			back += 300 * time.Millisecond
		}
		must.Do(t, l.Receive(m.Next(now), now+there+ahead+drift))
		must.Do(t, m.Receive(l.Next(), now+there+back))
		at := now + there + back
		if got, ok := m.Clock(at); !ok || (got-at-ahead-drift).Abs() > 60*time.Millisecond {
			t.Errorf("after ping %d the clock is %v off (%v)", i, got-at-ahead-drift, ok)
		}
	}
}
