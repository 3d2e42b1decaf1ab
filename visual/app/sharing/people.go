package sharing

import (
	"cmp"
	"slices"

	"whorl/visual/share"
	"whorl/visual/view"
)

// A person is somebody in the registers.
type person struct {
	share.Person
	id       share.ID
	mode     Mode
	pointer  pointer // zero for none
	selects  view.Selection
	hand     int64 // the time of the session, in ms, at which the hand was raised
	handIsUp bool
}

// readPeople reads the registers of all people. It is called when any has changed.
func (s *Session) readPeople() {
	s.people = s.people[:0]
	for _, id := range s.member.People() {
		p := person{id: id}
		p.Person, _ = s.member.Person(id)
		s.member.Get(share.PersonKey(id, "mode"), &p.mode)
		s.member.Get(share.PersonKey(id, "pointer"), &p.pointer)
		s.member.Get(share.PersonKey(id, "selection"), &p.selects)
		p.handIsUp = s.member.Get(share.PersonKey(id, "hand"), &p.hand)
		s.people = append(s.people, p)
	}
	var lead share.ID
	s.member.Get(share.LeadKey, &lead)
	s.leads = lead
}

// find returns the record of a person, nil for somebody who has left for good.
func (s *Session) find(id share.ID) *person {
	if i := slices.IndexFunc(s.people, func(p person) bool { return p.id == id }); i >= 0 {
		return &s.people[i]
	}
	return nil
}

// nameOf returns the name of a person.
func (s *Session) nameOf(id share.ID) string {
	if p := s.find(id); p != nil {
		return p.Name
	}
	return "Somebody who has left"
}

// lead returns the person whose cameras and selection are shown here, 0 for none.
func (s *Session) lead() share.ID {
	id := s.leads
	switch {
	case s.mode.Roam || s.presents():
		return 0
	case s.mode.Follow != 0:
		id = s.mode.Follow
	}
	if s.find(id) != nil && id != s.member.Me() {
		return id
	}
	for i := range s.people { // nobody has taken the lead yet
		if p := &s.people[i]; p.Role.Presents() && p.id != s.member.Me() {
			return p.id
		}
	}
	return 0
}

// sorted lists the people: raised hands first, the earliest first, then owners, presenters, and the others by name; those who are
// away last.
func (s *Session) sorted() []*person {
	all := make([]*person, len(s.people))
	for i := range s.people {
		all[i] = &s.people[i]
	}
	first := func(a, b bool) int { // true before false
		switch {
		case a == b:
			return 0
		case a:
			return -1
		}
		return 1
	}
	slices.SortFunc(all, func(a, b *person) int {
		return cmp.Or(first(a.Here, b.Here), first(a.handIsUp, b.handIsUp), cmp.Compare(a.hand, b.hand),
			slices.Index(share.Roles, b.Role)-slices.Index(share.Roles, a.Role), cmp.Compare(a.Name, b.Name), cmp.Compare(a.id, b.id))
	})
	return all
}
