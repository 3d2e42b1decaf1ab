package share

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"whorl/internal/figures"
)

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

// expel removes somebody for good: neither the secret of the person nor, except for owners, the device opens the session again.
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
	h.removed[out.secret] = true
	if out.device != "" {
		h.removed[out.device] = true
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
