package share

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"whorl/internal/nearest"
)

// Version is the version of the protocol. A hub refuses members with another one.
const Version = 1

// An ID identifies a person in a session. 0 is nobody: the hub itself, or somebody whose name is not told.
type ID uint32

// A Role says what a person may do.
type Role string

// The roles. A presenter may do what a viewer may, and an owner what a presenter may.
const (
	Viewer    Role = "viewer"    // looks, points, writes notes
	Presenter Role = "presenter" // changes the stage, gives the control to others
	Owner     Role = "owner"     // gives roles, removes people
)

// Roles lists the roles, each with more rights than the one before.
var Roles = []Role{Viewer, Presenter, Owner}

// ParseRole returns the role with a name.
func ParseRole(name string) (Role, error) {
	for _, r := range Roles {
		if string(r) == name {
			return r, nil
		}
	}
	return "", nearest.Unknown("role", name, []string{string(Viewer), string(Presenter), string(Owner)})
}

// Presents reports whether a role may change the stage.
func (r Role) Presents() bool { return r == Presenter || r == Owner }

// A Person is the value of the register person/ID.
type Person struct {
	Name   string `json:"name"`
	Colour int    `json:"colour"` // index of a palette for categories; the people who are here have different ones as far as possible
	Role   Role   `json:"role"`
	Here   bool   `json:"here"` // connected
}

// A Trace is the value of the register trace/ID.
type Trace struct {
	Name   string `json:"name"`             // under which the trace is opened
	File   string `json:"file"`             // the name of the file, for its ending
	Bytes  int64  `json:"bytes"`            // size of the file
	SHA256 string `json:"sha256,omitempty"` // of the file, in hexadecimal
	Group  int    `json:"group,omitempty"`  // traces of the same group are compared; 0 for none
}

// A Change is a new value of a register; null removes the register.
type Change struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// A Register is an entry of the board as members get it. A removed register has the value null.
type Register struct {
	Key   string          `json:"key"`
	Rev   uint64          `json:"rev"`
	By    ID              `json:"by,omitempty"`
	Value json.RawMessage `json:"value"`
}

// A Request is a message of a member to the hub.
type Request struct {
	Hello  *Hello   `json:"hello,omitempty"`  // the first message of a connection
	Seq    uint64   `json:"seq,omitempty"`    // the number of the request, from 1, if it changes anything; a member waits for its acknowledgement
	Set    []Change `json:"set,omitempty"`    // applied together
	Name   *string  `json:"name,omitempty"`   // another name for the person
	Grant  *Grant   `json:"grant,omitempty"`  // a role for somebody
	Remove ID       `json:"remove,omitempty"` // somebody who has to leave
	Parcel *Parcel  `json:"parcel,omitempty"` // for somebody's screen
	Ping   int64    `json:"ping,omitempty"`   // the member's clock in µs, which comes back
}

// Hello introduces a member.
type Hello struct {
	Version int    `json:"version"`
	Token   string `json:"token,omitempty"`   // proof of the right to join, for the server
	Name    string `json:"name,omitempty"`    // of the person; the hub chooses one for ""
	Secret  string `json:"secret,omitempty"`  // Welcome.Secret of an earlier connection of the same person
	IfAway  bool   `json:"if_away,omitempty"` // the secret counts only while its person has no connection: an earlier program of the person may still run
	Device  string `json:"device,omitempty"`  // the same for all programs of a browser or a user; who was removed does not come back with it
	Seen    uint64 `json:"seen,omitempty"`    // the last revision that the member knows
}

// Grant gives a person a role.
type Grant struct {
	To   ID   `json:"to"`
	Role Role `json:"role"`
}

// A Parcel is a pane that a person sends to the screen of another one. From is set by the hub.
type Parcel struct {
	From ID              `json:"from,omitempty"`
	To   ID              `json:"to,omitempty"`
	Pane json.RawMessage `json:"pane"`
}

// An Update is a message of the hub to a member.
type Update struct {
	Welcome *Welcome          `json:"welcome,omitempty"`
	Rev     uint64            `json:"rev,omitempty"`  // the board is that of this revision
	Set     []json.RawMessage `json:"set,omitempty"`  // registers that have changed since the last update, by revision
	More    bool              `json:"more,omitempty"` // the next update has the rest of the board
	Ack     uint64            `json:"ack,omitempty"`  // the last request that was handled; its effects are in Set
	Refused []Refusal         `json:"refused,omitempty"`
	Parcels []Parcel          `json:"parcels,omitempty"`
	Pong    *Pong             `json:"pong,omitempty"`
	Bye     string            `json:"bye,omitempty"` // why the hub ends the connection; the member does not connect again
}

// Welcome is the answer to a Hello.
type Welcome struct {
	You    ID     `json:"you"`
	Secret string `json:"secret"`         // for Hello.Secret of the next connection
	Alias  string `json:"alias"`          // of the person in the keys of answers
	Seq    uint64 `json:"seq,omitempty"`  // the last request of the person that was handled
	Full   bool   `json:"full,omitempty"` // the registers of this connection are the whole board: the member forgets all others
}

// A Refusal says why a change was not made.
type Refusal struct {
	Key string `json:"key,omitempty"` // of the register, "" for another request
	Why string `json:"why"`
}

// Pong is the answer to a ping.
type Pong struct {
	Ping int64 `json:"ping"` // as the member sent it
	Now  int64 `json:"now"`  // the clock of the session, in µs
}

// PersonKey returns the key of a register of a person: name "" is the person.
func PersonKey(id ID, name string) string {
	key := "person/" + strconv.FormatUint(uint64(id), 10)
	if name != "" {
		key += "/" + name
	}
	return key
}

// Own begins the names of the registers of a person that nobody else reads.
const Own = "own/"

// ParsePersonKey returns the person and the rest of a key of PersonKey; false for other keys.
func ParsePersonKey(key string) (id ID, name string, ok bool) {
	rest, ok := strings.CutPrefix(key, "person/")
	number, name, _ := strings.Cut(rest, "/")
	n, err := strconv.ParseUint(number, 10, 32)
	if !ok || err != nil || n == 0 || strconv.FormatUint(n, 10) != number {
		return 0, "", false
	}
	return ID(n), name, true
}

// MaxRequest bounds a request of a member in bytes. A member sends more changes in several requests.
const MaxRequest = maxChanges + 2*maxValue + 64<<10

// MaxPicture bounds the picture of a pane for those who join later, in bytes.
const MaxPicture = 4 << 20

// Limits of names and registers, and of the changes of one request before the last of them.
const (
	maxChanges = 512 << 10
	maxName    = 40   // characters of a person's name
	maxDevice  = 64   // bytes; a longer device counts as none
	maxKey     = 1000 // bytes
	maxValue   = 512 << 10
)

// checkName returns the name of a person without spaces at its ends, or an error.
func checkName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if !utf8.ValidString(name) || utf8.RuneCountInString(name) > maxName || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return "", fmt.Errorf("the name %s: expected at most %d printable characters", nearest.Quote(name), maxName)
	}
	return name, nil
}

// NameOf makes a name of a person from the name of a user of a computer: without what names may not have, "" for nothing.
func NameOf(user string) string {
	var name []rune
	for _, r := range user {
		if unicode.IsPrint(r) && r != utf8.RuneError && len(name) < maxName {
			name = append(name, r)
		}
	}
	return strings.TrimSpace(string(name))
}
