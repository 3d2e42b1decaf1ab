package share

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

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

// Person returns the id and the role of a link's member.
func (l *Link) Person() (ID, Role) { return l.person.id, l.person.self.Role }

// Over reports whether the link has ended and Next has returned its last message.
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
		if p.known {
			l.hub.tell(p, now)
		} else { // the welcome may not have arrived, and nobody has seen this person do anything
			l.hub.put(PersonKey(p.id, ""), nil, now)
		}
	}
}

// Receive handles a message of the member. After an error the connection has to be closed; Next returns the reason for the member.
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
	l.person.known = true
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

// maxRefused is the number of refusals that wait for a member; later ones are dropped.
const maxRefused = 100

// refuse tells the member why a change was not made, unless err is nil.
func (l *Link) refuse(key string, err error) {
	if err != nil && len(l.refused) < maxRefused {
		l.refused = append(l.refused, Refusal{Key: key, Why: err.Error()})
	}
}

// maxSet is the number of bytes of registers in one update, unless the first register alone is larger. A larger board is sent in several updates, of
// which the last one completes the revision.
const maxSet = 1 << 20

// Next returns the next message for the member, nil if there is nothing to say.
func (l *Link) Next() []byte {
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
	if id, name, ok := ParsePersonKey(key); ok && strings.HasPrefix(name, Own) {
		return id == l.person.id
	}
	rest, ok := strings.CutPrefix(key, "answer/")
	return !ok || l.person.self.Role.Presents() || strings.HasPrefix(rest, l.person.alias+"/")
}

// Pending reports whether Next has something to return.
func (l *Link) Pending() bool {
	return l.bye != "" || !l.over && (l.seen < l.hub.board.rev || l.welcome != nil || l.ack != 0 || l.refused != nil || l.parcels != nil || l.pong != nil)
}
