package share

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"whorl/testdata/must"
)

// A room is a hub with members over connections that delay messages and break.
type room struct {
	*testing.T
	hub   *Hub
	rand  *rand.Rand
	now   time.Duration
	seats []*seat
}

// A seat is a member with its connection.
type seat struct {
	member   *Member
	role     Role
	link     *Link // nil without a connection
	up, down []mail
	wants    map[string]string // values that this person alone writes, by key
	gone     bool              // for good
}

type mail struct {
	due time.Duration
	b   []byte
}

func newRoom(t *testing.T, seed uint64, o Options) *room {
	return &room{T: t, hub: NewHub(o), rand: rand.New(rand.NewPCG(seed, 1))}
}

func (r *room) join(name string, role Role) *seat {
	s := &seat{member: NewMember(name, ""), role: role, wants: map[string]string{}}
	r.seats = append(r.seats, s)
	r.connect(s)
	return s
}

// connect opens a connection of a member.
func (r *room) connect(s *seat) {
	s.up, s.down = nil, nil
	var hello Request
	must.Do(r, json.Unmarshal(s.member.Connect(), &hello))
	l, err := r.hub.Join(*hello.Hello, s.role, func() {}, r.now)
	must.Do(r, err)
	s.link = l
}

// drop breaks the connection of a member. What is under way is lost. Sometimes the hub notices only when the member connects again.
func (r *room) drop(s *seat) {
	if s.link != nil && r.rand.IntN(2) == 0 {
		s.link.Leave(r.now)
	}
	s.link, s.up, s.down = nil, nil, nil
}

// step lets time pass and moves the messages.
func (r *room) step() {
	r.now += time.Duration(r.rand.IntN(int(20 * time.Millisecond)))
	r.hub.Tick(r.now)
	for _, s := range r.seats {
		if s.link == nil {
			continue
		}
		if b := s.member.Next(r.now); b != nil {
			s.up = append(s.up, mail{r.late(s.up), b})
		}
		if r.rand.IntN(4) > 0 { // a slow connection takes seldom
			if b := s.link.Next(); b != nil {
				s.down = append(s.down, mail{r.late(s.down), b})
			}
		}
		for len(s.up) > 0 && s.up[0].due <= r.now {
			if err := s.link.Receive(s.up[0].b, r.now); (err != nil) != s.link.over {
				r.Fatalf("a link that has ended (%v) receives with %v", s.link.over, err)
			}
			s.up = s.up[1:]
		}
		for len(s.down) > 0 && s.down[0].due <= r.now {
			must.Do(r, s.member.Receive(s.down[0].b, r.now))
			s.down = s.down[1:]
		}
	}
}

// late returns when the next message arrives: after those before it.
func (r *room) late(queue []mail) time.Duration {
	due := r.now + time.Duration(r.rand.IntN(int(50*time.Millisecond)))
	if n := len(queue); n > 0 {
		due = max(due, queue[n-1].due)
	}
	return due
}

// settle connects everybody and moves messages until none are left.
func (r *room) settle() {
	for _, s := range r.seats {
		if s.link == nil && !s.gone {
			r.connect(s)
		}
	}
	for range 400 {
		r.step()
	}
}

// board returns the registers of the hub that a member may read.
func (r *room) board(l *Link) map[string]string {
	all := map[string]string{}
	for _, reg := range r.hub.Registers("") {
		if l.reads(reg.Key) {
			all[reg.Key] = string(reg.Value)
		}
	}
	return all
}

// copied returns the registers of a member.
func copied(m *Member) map[string]string {
	all := map[string]string{}
	for _, key := range m.Keys("") {
		b, _ := m.Value(key)
		all[key] = string(b)
	}
	return all
}

// who returns what a member knows of another one.
func who(s, other *seat) Person {
	p, _ := s.member.Person(other.member.Me())
	return p
}

// two returns a room with an owner and a viewer who have joined.
func two(t *testing.T) (r *room, owner, viewer *seat) {
	r = newRoom(t, 1, Options{})
	owner, viewer = r.join("Ada", Owner), r.join("Bob", Viewer)
	r.settle()
	return r, owner, viewer
}

// hello returns the first message of a member.
func hello(t *testing.T, m *Member) Hello {
	var r Request
	must.Do(t, json.Unmarshal(m.Connect(), &r))
	return *r.Hello
}
