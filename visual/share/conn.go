package share

import (
	"errors"
	"io"
	"math/rand/v2"
	"time"
)

// A Conn is one connection of a member to the hub, which a shell makes. Its methods do not wait. The shell asks for a step of the viewer when there is
// something to Receive, and when the connection has ended.
type Conn interface {
	Send(message []byte) // queues a message, also while the connection is being made
	Receive() [][]byte   // the messages that have arrived since the last call
	Err() error          // why the connection could not be made or has ended; nil while it lasts
	Close()
}

// Access is the way of a shell to one session.
type Access struct {
	Token  string // of the link, for NewMember
	Name   string // of the person, as Keep got it last; "" for none
	Secret string // for Member.Resume, as Keep got it last; "" for none
	IfAway bool   // Secret is of an earlier program of this user, which may still run: for Member.IfAway
	Device string // for Member.Use; "" for none

	// Keep keeps the name and the secret of the person for the next program, in a page until its tab is closed.
	Keep func(name, secret string)
	// Dial begins a connection.
	Dial func() Conn
	// Trace returns the file of a trace of the session. A read waits until its bytes have been fetched.
	Trace func(id string, bytes int64) io.ReaderAt
	// Upload offers a file to the session for a person who presents, whose Member.Secret proves it. It waits until the server has read the file. The
	// error is for the user.
	Upload func(secret, name string, r io.Reader, bytes int64) error
	// Show leaves the picture of a pane of the stage with the server, for those who join later, and Shown returns it. Both wait. nil without a server
	// that keeps pictures.
	Show  func(pane int, picture []byte) error
	Shown func(pane int) ([]byte, error)
}

// An Invitation is the link with which somebody gets a role in a session.
type Invitation struct {
	Role Role
	Link string
}

// A Hosting is a session that a window hosts.
type Hosting struct {
	Access      Access // with which the window joins it, as its owner
	Invitations []Invitation
	Note        string // what people with a link have to know, "" for nothing
	Stop        func() // ends the session
}

// A Line keeps a member connected: it dials again when a connection has ended or is silent.
type Line struct {
	member *Member
	dial   func() Conn
	conn   Conn
	tries  int           // without an answer of the hub
	next   time.Duration // the earliest time of the next one
	begun  time.Duration // of the connection
	heard  time.Duration // when something arrived last
	err    error
}

// NewLine returns the line of a member, which connects in the first Step.
func NewLine(m *Member, dial func() Conn) *Line { return &Line{member: m, dial: dial} }

const (
	// silence is how long a connection may leave a ping without an answer.
	silence = 10 * time.Second
	// firstTry is the time to the first new try; each further one takes twice as long, up to lastTry.
	firstTry = 200 * time.Millisecond
	lastTry  = 5 * time.Second
)

var errSilent = errors.New("the session does not answer")

// Step passes messages between the connection and the member, and connects when it has to. The caller calls it in every step of the viewer, and before
// Due. Step reports whether the member has received anything.
func (l *Line) Step(now time.Duration) (received bool) {
	m := l.member
	if l.conn == nil {
		if m.Ended() != "" || now < l.next {
			return false
		}
		l.conn = l.dial()
		l.begun, l.heard = now, now
		l.conn.Send(m.Connect())
	}
	for _, b := range l.conn.Receive() {
		received, l.heard = true, now
		if err := m.Receive(b, now); err != nil {
			l.lose(err, now)
			return true
		}
	}
	if m.Joined() {
		l.tries, l.err = 0, nil
	}
	switch err := l.conn.Err(); {
	case m.Ended() != "":
		l.Close()
		return received
	case err != nil:
		l.lose(err, now)
		return received
	case !m.joined && now-l.begun > silence, m.joined && l.heard < m.pinged && now-m.pinged > silence:
		l.lose(errSilent, now)
		return received
	}
	for b := m.Next(now); b != nil; b = m.Next(now) {
		l.conn.Send(b)
	}
	return received
}

// lose ends the connection and plans the next one.
func (l *Line) lose(err error, now time.Duration) {
	l.err = err
	l.Close()
	l.member.joined = false
	wait := min(firstTry<<min(l.tries, 10), lastTry)
	l.tries++
	l.next = now + wait/2 + rand.N(wait/2) // members who have lost the server together come back one by one
}

// Due returns when Step has something to do at the latest if nothing arrives before; a negative time for never.
func (l *Line) Due(now time.Duration) time.Duration {
	switch m := l.member; {
	case l.conn == nil && m.Ended() != "":
		return -1
	case l.conn == nil:
		return max(l.next, now)
	case !m.joined:
		return l.begun + silence + 1
	default:
		return m.Due(now)
	}
}

// Connected reports whether the hub has accepted the present connection.
func (l *Line) Connected() bool { return l.conn != nil && l.member.joined }

// Err returns why the last connection has ended or could not be made, nil if the member is connected or is being connected for the first time.
func (l *Line) Err() error { return l.err }

// Close ends the connection. The hub expects the person back for a while.
func (l *Line) Close() {
	if l.conn != nil {
		l.conn.Close()
		l.conn = nil
	}
}
