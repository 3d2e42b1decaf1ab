package share

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Member is one person's copy of a session. It survives broken connections: the caller connects again, sends what Connect returns, and goes on. The
// methods take the caller's clock, any fixed moment being 0. They are not safe for concurrent use.
type Member struct {
	hello Hello
	me    ID
	alias string
	known map[string]Register // as the hub has told
	sent  *Request            // not acknowledged yet, nil for none
	seq   uint64
	dirty []Change // to be sent, one for each key
	ops   []Request
	fresh map[string]bool // keys that others have changed since Changes

	refused []Refusal
	parcels []Parcel
	bye     string
	joined  bool // the hub has welcomed this connection
	synced  bool // the board has been received since the member joined
	again   bool // the request sent has to be sent again

	pinged time.Duration // when the last ping was sent, -1 for never
	taken  time.Duration // when the last changes were sent, -1 for never
	offset time.Duration // the clock of the session less that of the caller
	trip   time.Duration // the time of the round trip by which offset was measured, 0 for none
	timed  time.Duration // when it was measured
}

// NewMember returns the copy of a person who has not joined yet.
func NewMember(name, token string) *Member {
	return &Member{hello: Hello{Version: Version, Name: name, Token: token}, known: map[string]Register{}, fresh: map[string]bool{}, pinged: -1, taken: -1}
}

// Resume gives the member the secret of a person who was in the session before, as Secret has returned it.
func (m *Member) Resume(secret string) { m.hello.Secret = secret }

// IfAway makes the secret of Resume count only while its person has no connection. Otherwise the member joins as another person.
func (m *Member) IfAway() { m.hello.IfAway = true }

// Use names the browser or the user of the member (Hello.Device).
func (m *Member) Use(device string) { m.hello.Device = device }

// Secret returns what lets this person come back to the session after the program has ended, "" before the hub has answered.
func (m *Member) Secret() string { return m.hello.Secret }

// Connect returns the first message of a new connection.
func (m *Member) Connect() []byte {
	m.joined, m.again, m.pinged, m.trip = false, m.sent != nil, -1, 0
	b, err := json.Marshal(&Request{Hello: &m.hello})
	if err != nil {
		return nil // a name and two texts are JSON
	}
	return b
}

// Joined reports whether the hub has accepted the present connection and its whole board has arrived.
func (m *Member) Joined() bool { return m.joined && m.synced }

// Me returns the id of the person, 0 before the hub has answered.
func (m *Member) Me() ID { return m.me }

// AnswerKey returns the key of this person's answer to a question.
func (m *Member) AnswerKey(question string) string { return "answer/" + m.alias + "/" + question }

// Ended returns why the hub has ended the membership, "" if it has not.
func (m *Member) Ended() string { return m.bye }

// Set changes registers, here at once.
func (m *Member) Set(changes ...Change) error {
	for _, c := range changes {
		value := null
		if c.Value != nil {
			var b bytes.Buffer
			if err := json.Compact(&b, c.Value); err != nil {
				return fmt.Errorf("register %s: %w", c.Key, err)
			}
			value = b.Bytes()
		}
		if now, _ := m.Value(c.Key); now == nil && string(value) == "null" || bytes.Equal(now, value) {
			continue
		}
		m.dirty = slices.DeleteFunc(m.dirty, func(d Change) bool { return d.Key == c.Key })
		m.dirty = append(m.dirty, Change{c.Key, value})
	}
	return nil
}

// Put changes a register to a value, here at once.
func (m *Member) Put(key string, value any) error {
	b, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("register %s: %w", key, err)
	}
	return m.Set(Change{key, b})
}

// Rename gives the person another name; "" changes nothing.
func (m *Member) Rename(name string) {
	m.hello.Name = name
	m.ops = append(m.ops, Request{Name: &name})
}

// Grant asks the hub to give somebody a role.
func (m *Member) Grant(to ID, role Role) { m.ops = append(m.ops, Request{Grant: &Grant{to, role}}) }

// Remove asks the hub to remove somebody from the session.
func (m *Member) Remove(id ID) { m.ops = append(m.ops, Request{Remove: id}) }

// Send sends a pane to the screen of somebody.
func (m *Member) Send(to ID, pane json.RawMessage) {
	m.ops = append(m.ops, Request{Parcel: &Parcel{To: to, Pane: pane}})
}

// pingEvery is the time between two measurements of the session's clock.
const pingEvery = 2 * time.Second

// pace is the least time between two requests with changes, far below the rate that a hub allows. A pointer that moves makes more of them.
const pace = 20 * time.Millisecond

// Next returns the next message for the hub, nil if there is none now. Only one request that changes something is under way at a time, so that a slow
// connection gets fewer and larger ones.
func (m *Member) Next(now time.Duration) []byte {
	if !m.joined || m.bye != "" {
		return nil
	}
	var r *Request
	switch {
	case m.again:
		r, m.again = m.sent, false
	case m.sent != nil:
	case len(m.ops) > 0:
		r, m.ops = &m.ops[0], m.ops[1:]
	case len(m.dirty) > 0 && (m.taken < 0 || now-m.taken >= pace):
		n, bytes := 0, 0
		for n < len(m.dirty) && bytes < maxChanges {
			bytes += len(m.dirty[n].Key) + len(m.dirty[n].Value)
			n++
		}
		r, m.dirty, m.taken = &Request{Set: m.dirty[:n:n]}, m.dirty[n:], now
	}
	if r != nil && r.Seq == 0 {
		m.seq++
		r.Seq = m.seq
		m.sent = r
	}
	var out Request
	if r != nil {
		out = *r
	}
	if m.pinged < 0 || now-m.pinged >= pingEvery {
		m.pinged = now
		out.Ping = now.Microseconds() + 1 // 0 is no ping
	}
	if r == nil && out.Ping == 0 {
		return nil
	}
	b, err := json.Marshal(&out)
	if err != nil {
		return nil // values are JSON since Set
	}
	return b
}

// Due returns when Next has a message at the latest if nothing happens before.
func (m *Member) Due(now time.Duration) time.Duration {
	switch {
	case m.pinged < 0:
		return now
	case len(m.dirty) > 0 && m.sent == nil:
		return min(max(m.taken+pace, now), m.pinged+pingEvery)
	}
	return m.pinged + pingEvery
}

// Receive handles a message of the hub.
func (m *Member) Receive(b []byte, now time.Duration) error {
	var u Update
	if err := json.Unmarshal(b, &u); err != nil {
		return fmt.Errorf("the session has sent a message that is none: %w", err)
	}
	if u.Bye != "" {
		m.bye = u.Bye
	}
	if w := u.Welcome; w != nil {
		m.welcome(w)
	}
	for _, line := range u.Set {
		var r Register
		if err := json.Unmarshal(line, &r); err != nil || r.Key == "" {
			return fmt.Errorf("the session has sent a register that is none: %.80q", line)
		}
		m.learn(r)
	}
	if u.Rev != 0 {
		m.hello.Seen = u.Rev
		m.synced = m.synced || !u.More
	}
	m.refused = append(m.refused, u.Refused...)
	m.parcels = append(m.parcels, u.Parcels...)
	if u.Ack != 0 && m.sent != nil && u.Ack >= m.sent.Seq {
		m.acknowledged()
	}
	if p := u.Pong; p != nil {
		m.measure(time.Duration(p.Ping-1)*time.Microsecond, time.Duration(p.Now)*time.Microsecond, now)
	}
	return nil
}

// welcome begins a connection that the hub has accepted.
func (m *Member) welcome(w *Welcome) {
	if w.You != m.me { // another person than before, whose requests the hub counts anew
		m.seq = 0
		if m.sent != nil {
			m.dirty = append(slices.DeleteFunc(m.sent.Set, func(c Change) bool { return m.pending(c.Key) }), m.dirty...)
			m.sent, m.again = nil, false
		}
	}
	m.seq = max(m.seq, w.Seq) // an earlier program of this person may have counted further
	m.me, m.alias, m.hello.Secret, m.hello.IfAway, m.joined = w.You, w.Alias, w.Secret, false, true
	if w.Full {
		for key := range m.known {
			m.fresh[key] = true
		}
		clear(m.known)
		m.hello.Seen, m.synced = 0, false
	}
}

// pending reports whether a change of the register waits to be sent.
func (m *Member) pending(key string) bool {
	return slices.ContainsFunc(m.dirty, func(c Change) bool { return c.Key == key })
}

// under returns the change of a register that the hub has not acknowledged, nil for none.
func (m *Member) under(key string) *Change {
	for i := range m.dirty {
		if m.dirty[i].Key == key {
			return &m.dirty[i]
		}
	}
	if m.sent != nil {
		for i := range m.sent.Set {
			if m.sent.Set[i].Key == key {
				return &m.sent.Set[i]
			}
		}
	}
	return nil
}

// learn takes a register of the hub.
func (m *Member) learn(r Register) {
	old, had := m.known[r.Key]
	if had && old.Rev >= r.Rev {
		return
	}
	if string(r.Value) == "null" {
		delete(m.known, r.Key)
	} else {
		m.known[r.Key] = r
	}
	if r.Key == PersonKey(m.me, "") && !m.Role().Presents() { // a presenter no longer, who would not hear of changes
		maps.DeleteFunc(m.known, func(key string, _ Register) bool {
			return strings.HasPrefix(key, "answer/") && !strings.HasPrefix(key, m.AnswerKey(""))
		})
	}
	if m.under(r.Key) == nil && string(old.Value) != string(r.Value) {
		m.fresh[r.Key] = true
	}
}

// acknowledged ends the request that was sent. Registers that somebody has written after it, or that it could not write, change here.
func (m *Member) acknowledged() {
	set := m.sent.Set
	m.sent, m.again = nil, false
	for _, c := range set {
		if now, _ := m.Value(c.Key); !m.pending(c.Key) && string(now) != string(c.Value) && (now != nil || string(c.Value) != "null") {
			m.fresh[c.Key] = true
		}
	}
}

// measure estimates the clock of the session. The answer to a ping was given between sending and receiving; the shorter that was, the better.
func (m *Member) measure(sent, session, now time.Duration) {
	trip := now - sent
	if trip < 0 || m.trip != 0 && trip > m.trip+(now-m.timed)/100 { // a longer trip replaces an old one, as clocks drift
		return
	}
	m.offset, m.trip, m.timed = session-(sent+trip/2), max(trip, 1), now
}

// Clock returns the time since the session began; false before it was measured.
func (m *Member) Clock(now time.Duration) (time.Duration, bool) { return now + m.offset, m.trip != 0 }

// Value returns the value of a register, with the changes under way, and who wrote it; nil for none.
func (m *Member) Value(key string) (json.RawMessage, ID) {
	if c := m.under(key); c != nil {
		if string(c.Value) == "null" {
			return nil, 0
		}
		return c.Value, m.me
	}
	r, ok := m.known[key]
	if !ok {
		return nil, 0
	}
	return r.Value, r.By
}

// Get decodes the value of a register. It reports whether there is one of this type.
func (m *Member) Get(key string, value any) bool {
	b, _ := m.Value(key)
	return b != nil && json.Unmarshal(b, value) == nil
}

// Keys returns the keys of all registers with a prefix, in order.
func (m *Member) Keys(prefix string) (keys []string) {
	for key := range m.known {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	add := func(set []Change) {
		for _, c := range set {
			if strings.HasPrefix(c.Key, prefix) {
				keys = append(keys, c.Key)
			}
		}
	}
	add(m.dirty)
	if m.sent != nil {
		add(m.sent.Set)
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	return slices.DeleteFunc(keys, func(key string) bool { b, _ := m.Value(key); return b == nil })
}

// Changes returns the keys that others have changed, or the hub has refused to change, since the last call, in order.
func (m *Member) Changes() []string {
	if len(m.fresh) == 0 {
		return nil
	}
	keys := slices.Sorted(maps.Keys(m.fresh))
	clear(m.fresh)
	return keys
}

// Refusals returns what the hub has refused since the last call.
func (m *Member) Refusals() []Refusal {
	all := m.refused
	m.refused = nil
	return all
}

// Parcels returns the panes that others have sent since the last call.
func (m *Member) Parcels() []Parcel {
	all := m.parcels
	m.parcels = nil
	return all
}

// Person returns a person of the session; false for somebody who has left for good.
func (m *Member) Person(id ID) (p Person, ok bool) {
	ok = m.Get(PersonKey(id, ""), &p)
	return p, ok
}

// People returns the ids of all people, in the order of their joining.
func (m *Member) People() (ids []ID) {
	for key := range m.known {
		if id, name, ok := ParsePersonKey(key); ok && name == "" {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// Role returns what this person may do.
func (m *Member) Role() Role {
	p, _ := m.Person(m.me)
	if p.Role == "" {
		return Viewer
	}
	return p.Role
}
