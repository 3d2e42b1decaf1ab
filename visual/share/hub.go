package share

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"whorl/internal/figures"
)

// Options bound a session. Zeros stand for the defaults.
type Options struct {
	Members int           // people at a time, 250
	Bytes   int           // of all registers, 32 MiB; one person may fill an eighth
	Rate    float64       // requests a second of one person, 100; a burst may have twice as many
	Flow    float64       // bytes a second of the requests of one person, 1 MiB; a burst may have four times as many
	Keep    time.Duration // how long a person who has lost the connection is expected back, 2 minutes
}

// A Hub holds the state of a session and tells its members what changes. Its methods take the time since the session began. They are not safe for
// concurrent use.
type Hub struct {
	options Options
	board   *board
	people  map[ID]*person
	removed map[string]bool // secrets and devices of people whom an owner has removed
	last    ID
	swept   time.Duration
}

// A person is somebody who is in the session, or expected back.
type person struct {
	id     ID
	self   Person
	secret string
	device string // Hello.Device of the last connection
	alias  string // stands for the person in answers
	known  bool   // the member has sent something since the hub welcomed it
	link   *Link  // nil without a connection
	left   time.Duration
	seq    uint64 // the last request that was handled
	raised uint64 // the revision when the person began to present and to read all answers
	tokens float64
	flow   float64
	filled time.Duration // when tokens and flow were counted
}

// NewHub returns the hub of a new session, which nobody has joined.
func NewHub(o Options) *Hub {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&o.Members, 250)
	def(&o.Bytes, 32<<20)
	if o.Rate <= 0 {
		o.Rate = 100
	}
	if o.Flow <= 0 {
		o.Flow = 1 << 20
	}
	if o.Keep <= 0 {
		o.Keep = 2 * time.Minute
	}
	return &Hub{options: o, board: newBoard(o.Bytes), people: map[ID]*person{}, removed: map[string]bool{}}
}

// ErrFull reports that a session has as many members as it may have.
var ErrFull = errors.New("the session is full")

// ErrRemoved reports that an owner has removed the person from the session.
var ErrRemoved = errors.New("you were removed from this session")

// Join adds a member with a role, which the caller has found in the token, or connects a person again. notify is called, within calls of the hub's
// methods, when there is something for Next to return; it must not call the hub. An error is for the person who wants to join.
func (h *Hub) Join(hello Hello, role Role, notify func(), now time.Duration) (*Link, error) {
	h.forget(now)
	if hello.Version != Version {
		return nil, fmt.Errorf("the session has version %d of the protocol, and this viewer version %d", Version, hello.Version)
	}
	name, err := checkName(hello.Name)
	if err != nil {
		return nil, err
	}
	if len(hello.Device) > maxDevice {
		hello.Device = ""
	}
	l := &Link{hub: h, notify: notify, welcome: &Welcome{}}
	p := h.back(hello.Secret)
	if hello.IfAway && p != nil && p.link != nil {
		p = nil
	}
	switch {
	case h.removed[hello.Secret] && !(hello.IfAway && role == Owner), p == nil && role != Owner && h.removed[hello.Device]:
		return nil, ErrRemoved
	case p == nil:
		if len(h.people) >= h.options.Members && !h.makeRoom(now) {
			return nil, fmt.Errorf("%w: %d people", ErrFull, len(h.people))
		}
		p = h.add(name, role, now)
		l.welcome.Full = true
	case p.link != nil:
		p.link.end("this person has joined again from elsewhere")
	}
	if hello.Seen < max(h.board.least, p.raised) || hello.Seen > h.board.rev {
		l.welcome.Full = true
	}
	if l.fresh = l.welcome.Full; !l.fresh {
		l.seen = hello.Seen
	}
	l.welcome.You, l.welcome.Secret, l.welcome.Alias, l.person = p.id, p.secret, p.alias, p
	l.ack, l.welcome.Seq = p.seq, p.seq
	p.link, p.device = l, hello.Device
	p.self.Here = true
	if name != "" && !hello.IfAway { // who comes back in another program keeps the name of before
		p.self.Name = name
	}
	h.tell(p, now)
	notify()
	return l, nil
}

// back returns the person with a secret, nil for none.
func (h *Hub) back(secret string) (found *person) {
	if secret == "" {
		return nil
	}
	for _, p := range h.people {
		if subtle.ConstantTimeCompare([]byte(p.secret), []byte(secret)) == 1 {
			found = p
		}
	}
	return found
}

// makeRoom forgets the person who has been away longest, of those who were never there if there are any. It reports whether there was one.
func (h *Hub) makeRoom(now time.Duration) bool {
	var out *person
	before := func(a, b *person) bool {
		switch {
		case a.known != b.known:
			return b.known
		case a.left != b.left:
			return a.left < b.left
		}
		return a.id < b.id
	}
	for _, p := range h.people {
		if p.link == nil && (out == nil || before(p, out)) {
			out = p
		}
	}
	if out != nil {
		h.remove(out, now)
	}
	return out != nil
}

// add adds a person.
func (h *Hub) add(name string, role Role, now time.Duration) *person {
	h.last++
	if name == "" {
		name = fmt.Sprintf("Guest %d", h.last)
	}
	used := make([]int, colours)
	for _, p := range h.people {
		used[p.self.Colour]++
	}
	colour := 0
	for i, n := range used {
		if n < used[colour] {
			colour = i
		}
	}
	p := &person{
		id: h.last, self: Person{Name: name, Colour: colour, Role: role}, secret: secret(), alias: secret(),
		tokens: 2 * h.options.Rate, flow: 4 * h.options.Flow, filled: now,
	}
	h.people[p.id] = p
	return p
}

// colours is the number of colours of people.
const colours = 12

// secret returns 128 random bits as text.
func secret() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // it never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// tell writes the register of a person.
func (h *Hub) tell(p *person, now time.Duration) {
	value, err := json.Marshal(p.self)
	if err == nil {
		h.put(PersonKey(p.id, ""), value, now)
	}
}

// put writes a register of the hub itself.
func (h *Hub) put(key string, value json.RawMessage, now time.Duration) {
	if h.board.set(key, value, 0, now) == nil {
		h.wake()
	}
}

// wake notifies all links.
func (h *Hub) wake() {
	for _, p := range h.people {
		if p.link != nil {
			p.link.notify()
		}
	}
}

// Offer makes a trace one of the session's, with an id, or replaces its description.
func (h *Hub) Offer(id string, t Trace, now time.Duration) {
	if value, err := json.Marshal(t); err == nil {
		h.put("trace/"+id, value, now)
	}
}

// Withdraw removes a trace from the session.
func (h *Hub) Withdraw(id string, now time.Duration) { h.put("trace/"+id, nil, now) }

// Put writes a register of the stage for the host, before anybody presents.
func (h *Hub) Put(changes []Change, now time.Duration) {
	for _, c := range changes {
		h.put(c.Key, c.Value, now)
	}
}

// Registers returns the registers whose keys begin with a prefix, by revision.
func (h *Hub) Registers(prefix string) (all []Register) {
	h.board.since(0, func(e *entry) {
		if !e.removed() && strings.HasPrefix(e.Key, prefix) {
			all = append(all, e.Register)
		}
	})
	return all
}

// Tick forgets people who have not come back, and releases their registers. The caller calls it every few seconds.
func (h *Hub) Tick(now time.Duration) { h.forget(now) }

func (h *Hub) forget(now time.Duration) {
	for _, id := range slices.Sorted(maps.Keys(h.people)) {
		if p := h.people[id]; p.link == nil && now-p.left >= h.options.Keep {
			h.remove(p, now)
		}
	}
	if now-h.swept >= h.options.Keep {
		h.swept = now
		h.board.sweep(now - h.options.Keep)
	}
}

// remove removes a person and the registers of the person alone.
func (h *Hub) remove(p *person, now time.Duration) {
	delete(h.people, p.id)
	own := PersonKey(p.id, "")
	var keys []string
	h.board.since(0, func(e *entry) {
		if !e.removed() && (e.Key == own || strings.HasPrefix(e.Key, own+"/") || strings.HasPrefix(e.Key, "answer/"+p.alias+"/")) {
			keys = append(keys, e.Key)
		}
	})
	for _, key := range keys {
		h.put(key, nil, now)
	}
}

// People returns the number of people who are connected.
func (h *Hub) People() (n int) {
	for _, p := range h.people {
		if p.link != nil {
			n++
		}
	}
	return n
}

// RoleOf returns the role of the person with a secret, false for nobody.
func (h *Hub) RoleOf(secret string) (Role, bool) {
	if p := h.back(secret); p != nil {
		return p.self.Role, true
	}
	return "", false
}

// End ends all links with a message for their members.
func (h *Hub) End(why string) {
	for _, p := range h.people {
		if p.link != nil {
			p.link.end(why)
		}
	}
}

// Ended reports whether the hub has ended the link.
func (l *Link) Ended() bool { return l.over }

// spend takes a request from the allowance of the person.
func (p *person) spend(bytes int, o Options, now time.Duration) error {
	passed := max(now-p.filled, 0).Seconds()
	p.filled = max(p.filled, now)
	p.tokens = min(p.tokens+passed*o.Rate, 2*o.Rate) - 1
	p.flow = min(p.flow+passed*o.Flow, 4*o.Flow) - float64(bytes)
	switch {
	case p.tokens < 0:
		return fmt.Errorf("more than %d requests a second", int(o.Rate))
	case p.flow < 0:
		return fmt.Errorf("more than %s a second", figures.Size(int64(o.Flow)))
	}
	return nil
}
