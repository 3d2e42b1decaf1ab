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
	"strconv"
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
	Keep    time.Duration // for which a person who has lost the connection is expected back, 2 minutes
}

// A Hub holds the state of a session and tells its members what changes. Its methods take the time since the session began. They are not safe for
// concurrent use.
type Hub struct {
	options Options
	board   *board
	people  map[ID]*person
	last    ID
	swept   time.Duration
}

// A person is somebody who is in the session, or expected back.
type person struct {
	id     ID
	self   Person
	secret string
	alias  string // stands for the person in answers
	link   *Link  // nil without a connection
	left   time.Duration
	seq    uint64 // the last request that was handled
	raised uint64 // the revision in which the person began to present and to read all answers
	tokens float64
	flow   float64
	filled time.Duration // when tokens and flow were counted
}

// A Link is one connection of a member. When the member connects again, its earlier link ends.
type Link struct {
	hub     *Hub
	person  *person
	notify  func()
	seen    uint64 // the revision of the last update
	fresh   bool   // the member knows no register yet
	ack     uint64 // not sent yet, 0 for none
	welcome *Welcome
	refused []Refusal
	parcels []Parcel
	pong    *Pong
	bye     string
	over    bool
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
	return &Hub{options: o, board: newBoard(o.Bytes), people: map[ID]*person{}}
}

// ErrFull reports that a session has as many members as it may have.
var ErrFull = errors.New("the session is full")

// Join adds a member with a role, which the caller has found in the token, or connects a person again. notify is called, within calls of the hub's
// methods, when there is something to Take; it must not call the hub. An error is for the person who wants to join.
func (h *Hub) Join(hello Hello, role Role, notify func(), now time.Duration) (*Link, error) {
	h.forget(now)
	if hello.Version != Version {
		return nil, fmt.Errorf("the session has version %d of the protocol, and this viewer version %d", Version, hello.Version)
	}
	name, err := checkName(hello.Name)
	if err != nil {
		return nil, err
	}
	l := &Link{hub: h, notify: notify, welcome: &Welcome{}}
	p := h.back(hello.Secret)
	switch {
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
	p.link = l
	p.self.Here = true
	if name != "" {
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

// makeRoom forgets the person who has been away longest. It reports whether there was one.
func (h *Hub) makeRoom(now time.Duration) bool {
	var out *person
	for _, p := range h.people {
		if p.link == nil && (out == nil || p.left < out.left || p.left == out.left && p.id < out.id) {
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

// Offer makes a trace one of the session's, with an id, or replaces what is said of it.
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

// Tick forgets people who have not come back, and what they held. The caller calls it every few seconds.
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

// Person returns the id and the role of a link's member.
func (l *Link) Person() (ID, Role) { return l.person.id, l.person.self.Role }

// Ended reports whether the hub has ended the link.
func (l *Link) Ended() bool { return l.over }

// Over reports whether the link has ended and Take has returned its last message.
func (l *Link) Over() bool { return l.over && l.bye == "" }

// end ends a link with a message for the member.
func (l *Link) end(why string) {
	if l.over {
		return
	}
	l.over, l.bye = true, why
	if l.person.link == l {
		l.person.link = nil
	}
	l.notify()
}

// Leave tells the hub that the connection has ended. The person is expected back for a while.
func (l *Link) Leave(now time.Duration) {
	if !l.over {
		l.over = true
		l.person.link = nil
	}
	if p := l.person; p.link == nil && l.hub.people[p.id] == p {
		p.left, p.self.Here = now, false
		l.hub.tell(p, now)
	}
}

// Receive handles a message of the member. After an error the connection has to be closed; Take has the reason for the member.
func (l *Link) Receive(b []byte, now time.Duration) error {
	if l.over {
		return errors.New("the connection has ended")
	}
	if err := l.person.spend(len(b), l.hub.options, now); err != nil {
		l.end(err.Error())
		return err
	}
	var r Request
	if err := json.Unmarshal(b, &r); err != nil {
		err = fmt.Errorf("a message that is no request: %w", err)
		l.end(err.Error())
		return err
	}
	if r.Ping != 0 {
		l.pong = &Pong{Ping: r.Ping, Now: now.Microseconds()}
		l.notify()
	}
	p := l.person
	if r.Seq == 0 || r.Seq <= p.seq { // nothing to be done, or it was done before the connection broke
		return nil
	}
	p.seq, l.ack = r.Seq, r.Seq
	for _, c := range r.Set {
		l.refuse(c.Key, l.hub.set(p, c, now))
	}
	if r.Name != nil {
		l.refuse("", l.hub.rename(p, *r.Name, now))
	}
	if g := r.Grant; g != nil {
		l.refuse("", l.hub.grant(p, *g, now))
	}
	if r.Remove != 0 {
		l.refuse("", l.hub.expel(p, r.Remove, now))
	}
	if r.Parcel != nil {
		l.refuse("", l.hub.deliver(p, *r.Parcel))
	}
	if len(r.Set) > 0 {
		l.hub.wake()
	}
	l.notify()
	return nil
}

// spend takes a request from what the person may send now.
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

// maxRefused is the number of refusals that wait for a member; later ones are dropped.
const maxRefused = 100

// refuse tells the member why a change was not made, unless err is nil.
func (l *Link) refuse(key string, err error) {
	if err != nil && len(l.refused) < maxRefused {
		l.refused = append(l.refused, Refusal{Key: key, Why: err.Error()})
	}
}

// set makes a change of a person.
func (h *Hub) set(p *person, c Change, now time.Duration) error {
	key := c.Key
	space, rest, _ := strings.Cut(key, "/")
	switch id, name, ok := ParsePersonKey(key); {
	case rest == "" || space == "trace" || ok && name == "":
		return errors.New("only the session itself writes this")
	case space == "stage":
		if !p.self.Role.Presents() {
			return errors.New("only presenters change what everybody sees: raise a hand to ask for the control")
		}
	case ok:
		lowers := name == "hand" && string(c.Value) == "null" && p.self.Role.Presents() && h.people[id] != nil
		if id != p.id && !lowers {
			return errors.New("this belongs to another person")
		}
	case space == "note":
		if e := h.board.get(key); e != nil && e.By != p.id && !p.self.Role.Presents() {
			return fmt.Errorf("the note is %s's", h.name(e.By))
		}
	case space == "answer":
		if !strings.HasPrefix(rest, p.alias+"/") {
			return errors.New("this is the answer of another person")
		}
	default:
		return fmt.Errorf("there are no registers %q", space+"/...")
	}
	return h.board.set(key, c.Value, p.id, now)
}

// name returns the name of a person, also of one who has gone.
func (h *Hub) name(id ID) string {
	if p := h.people[id]; p != nil {
		return p.self.Name
	}
	return "person " + strconv.FormatUint(uint64(id), 10)
}

// rename gives a person another name.
func (h *Hub) rename(p *person, name string, now time.Duration) error {
	name, err := checkName(name)
	if err != nil || name == "" || name == p.self.Name {
		return err
	}
	p.self.Name = name
	h.tell(p, now)
	return nil
}

// grant gives somebody a role. An owner gives every role. A presenter gives the control to a viewer and becomes one, or gives it up.
func (h *Hub) grant(p *person, g Grant, now time.Duration) error {
	to := h.people[g.To]
	role, err := ParseRole(string(g.Role))
	switch {
	case err != nil:
		return err
	case to == nil:
		return errors.New("this person has left")
	case p.self.Role == Owner:
		if to == p && role != Owner {
			return errors.New("an owner remains one")
		}
	case p.self.Role == Presenter && to == p && role == Viewer:
	case p.self.Role == Presenter && role == Presenter && to.self.Role == Viewer:
		p.self.Role = Viewer
		h.tell(p, now)
	default:
		return errors.New("only owners give roles, and presenters give their own to somebody else")
	}
	if to.self.Role == role {
		return nil
	}
	to.self.Role = role
	h.tell(to, now)
	if role.Presents() {
		to.raised = h.board.rev // a presenter reads the answers of others
		if to.link != nil {
			to.link.seen = 0
		}
		lead, _ := json.Marshal(to.id)
		h.put(LeadKey, lead, now)
	}
	return nil
}

// LeadKey is the register with the person whose cameras and selection followers see. It changes when somebody gets the control, and presenters
// write it when they take it.
const LeadKey = "stage/lead"

// expel removes somebody for good.
func (h *Hub) expel(p *person, id ID, now time.Duration) error {
	out := h.people[id]
	switch {
	case p.self.Role != Owner:
		return errors.New("only owners remove people")
	case out == nil:
		return errors.New("this person has left")
	case out == p:
		return errors.New("an owner cannot be removed by herself or himself: end the session instead")
	}
	if out.link != nil {
		out.link.end("removed by " + p.self.Name)
	}
	h.remove(out, now)
	return nil
}

// maxParcels is the number of panes that wait for a member.
const maxParcels = 16

// deliver sends a pane to somebody's screen.
func (h *Hub) deliver(p *person, c Parcel) error {
	to := h.people[c.To]
	switch {
	case to == nil || to.link == nil:
		return errors.New("this person is not connected")
	case len(c.Pane) > maxValue:
		return fmt.Errorf("a pane of %s, expected at most %s", figures.Size(int64(len(c.Pane))), figures.Size(maxValue))
	case len(to.link.parcels) >= maxParcels:
		return fmt.Errorf("%d panes wait for %s already", maxParcels, to.self.Name)
	}
	to.link.parcels = append(to.link.parcels, Parcel{From: p.id, Pane: c.Pane})
	to.link.notify()
	return nil
}

// maxSet is the number of bytes of registers in one update, unless the first register alone is larger. A larger board is sent in several updates, of
// which the last one completes the revision.
const maxSet = 1 << 20

// Take returns the next message for the member, nil if there is nothing to say.
func (l *Link) Take() []byte {
	u := Update{Welcome: l.welcome, Refused: l.refused, Parcels: l.parcels, Pong: l.pong, Bye: l.bye}
	if !l.over {
		size, upto := 0, l.hub.board.rev
		l.hub.board.since(l.seen, func(e *entry) {
			switch {
			case u.More, l.fresh && e.removed(), !l.reads(e.Key):
			case len(u.Set) > 0 && size+len(e.line) > maxSet:
				u.More, upto = true, e.Rev-1
			default:
				u.Set = append(u.Set, e.line)
				size += len(e.line)
			}
		})
		if upto > l.seen {
			l.seen, u.Rev, l.fresh = upto, upto, false
		}
		if !u.More { // only now are the effects of the request in the board of the member
			u.Ack, l.ack = l.ack, 0
		}
	}
	said := u.Welcome != nil || u.Set != nil || u.Ack != 0 || u.Refused != nil || u.Parcels != nil || u.Pong != nil || u.Bye != ""
	l.welcome, l.refused, l.parcels, l.pong, l.bye = nil, nil, nil, nil, ""
	if !said {
		return nil
	}
	b, err := json.Marshal(&u)
	if err != nil {
		return nil // parcels are JSON since they were received
	}
	return b
}

// reads reports whether the member may know a register.
func (l *Link) reads(key string) bool {
	rest, ok := strings.CutPrefix(key, "answer/")
	return !ok || l.person.self.Role.Presents() || strings.HasPrefix(rest, l.person.alias+"/")
}

// Pending reports whether Take has something to return.
func (l *Link) Pending() bool {
	return l.bye != "" || !l.over && (l.seen < l.hub.board.rev || l.welcome != nil || l.ack != 0 || l.refused != nil || l.parcels != nil || l.pong != nil)
}
