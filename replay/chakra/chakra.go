// Package chakra reads execution traces of Chakra, the programs of the simulator ASTRA-sim (S. Sridharan et al.: "Chakra:
// Advancing Performance Benchmarking and Co-design using Standardized Execution Traces", 2023).
//
// A rank has a file PREFIX.RANK.et: messages of Protocol Buffers, each behind its length: a GlobalMetadata, then a Node
// for each operation. A node waits for the ends of those that it names as data or control dependences. A COMP_NODE, and
// any node that is no communication, takes its duration. A COMM_SEND_NODE and a COMM_RECV_NODE match by source and tag. A
// COMM_COLL_NODE is a collective operation of the ranks of its process group, or of all: the first one of a group on
// each rank belongs together, then the second ones. It becomes the messages of an algorithm.
package chakra

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/internal/protobuf"
	"whorl/replay"
	"whorl/replay/schedule"
)

// A File is the trace of a rank.
type File struct {
	Name string
	Data []byte
}

// Types of nodes.
const (
	metadataNode = 1
	compNode     = 4
	sendNode     = 5
	recvNode     = 6
	collNode     = 7
)

// maxBytes bounds the length of a message.
const maxBytes = 1 << 50

// ownTags bounds the tags of a trace. Those of collective operations are above.
const ownTags = 1 << 31

// A node is an operation of a rank.
type node struct {
	id            uint64
	name          string
	kind          uint64
	deps          []uint64
	micros        uint64
	values        string // of the inputs
	size          uint64
	src, dst, tag uint64
	coll          uint64
	ops           uint64
	group         string
	first, last   int // its operations in the schedule: the one that waits for others, and the one that others wait for
}

// A reader makes the schedule of some files.
type reader struct {
	s          *schedule.Schedule
	files      []File
	nodes      [][]node         // by rank
	numbers    []map[uint64]int // by rank: the index of a node
	groups     map[string][]int // ranks, sorted
	algorithm  string
	places     []place // by operation
	untimed    int64
	operations int64 // collective ones, so far
}

// A place is the node of an operation.
type place struct {
	rank int32
	id   uint64
}

// Known reports whether a file that begins with head may be an execution trace of Chakra: a message with the fields of a
// GlobalMetadata, and the length of a further one.
func Known(head []byte) bool {
	n, k := binary.Uvarint(head)
	if k <= 0 {
		return false
	}
	rest := head[k:]
	m := protobuf.Message{Rest: rest[:min(uint64(len(rest)), n)]}
	fields := 0
	for ; m.Next(); fields++ {
		if m.Number > 2 || !m.Packed {
			return false
		}
	}
	return fields > 0 && n > uint64(len(rest)) || !m.Bad && n < uint64(len(rest)) // the head may end within the message
}

// Read reads the traces of all ranks, in their order. algorithm is that of all-reduce operations, one of collective.Algorithms.
// untimed is the number of computations whose trace has their arithmetic operations in place of their duration.
func Read(files []File, algorithm string) (s *schedule.Schedule, untimed int64, err error) {
	r := &reader{
		s: &schedule.Schedule{Ranks: len(files)}, files: files, nodes: make([][]node, len(files)), numbers: make([]map[uint64]int, len(files)),
		groups: map[string][]int{}, algorithm: algorithm,
	}
	r.s.Where = func(op int) string {
		p := r.places[op]
		return r.files[p.rank].Name + ": node " + strconv.FormatUint(p.id, 10)
	}
	for rank := range files {
		if err := r.read(rank); err != nil {
			return nil, 0, err
		}
	}
	if err := r.make(); err != nil {
		return nil, 0, err
	}
	return r.s, r.untimed, nil
}

// read reads the nodes of a rank.
func (r *reader) read(rank int) error {
	f := &r.files[rank]
	numbers := map[uint64]int{}
	r.numbers[rank] = numbers
	at := 0
	for first := true; at < len(f.Data); first = false {
		n, k := binary.Uvarint(f.Data[at:])
		if k <= 0 || n > uint64(len(f.Data)-at-k) {
			return fmt.Errorf("%s: byte %d: expected a message behind its length, found %d bytes, which are fewer than the length", f.Name, at, len(f.Data)-at)
		}
		at += k
		m := protobuf.Message{Rest: f.Data[at : at+int(n)], Offset: at}
		at += int(n)
		if first {
			for m.Next() {
			}
		} else {
			x := readNode(&m)
			if _, twice := numbers[x.id]; twice && !m.Bad {
				return r.wrong(rank, &x, "the file has two nodes of this number")
			}
			numbers[x.id] = len(r.nodes[rank])
			r.nodes[rank] = append(r.nodes[rank], x)
			if x.kind == metadataNode {
				r.processGroups(x.values)
			}
		}
		if m.Bad {
			return fmt.Errorf("%s: byte %d: expected a Node of Chakra, found an invalid field", f.Name, m.Offset)
		}
	}
	return nil
}

// readNode reads a Node.
func readNode(m *protobuf.Message) node {
	var x node
	for m.Next() {
		switch m.Number {
		case 1:
			x.id = m.Value
		case 2:
			x.name = string(m.Bytes)
		case 3:
			x.kind = m.Value
		case 4, 5:
			x.deps = m.Numbers(x.deps)
		case 7:
			x.micros = m.Value
		case 8:
			in := protobuf.Message{Rest: m.Bytes}
			for in.Next() {
				if in.Number == 1 {
					x.values = string(in.Bytes)
				}
			}
			m.Bad = m.Bad || in.Bad
		case 10:
			m.Bad = !x.attribute(m.Bytes) || m.Bad
		}
	}
	return x
}

// attribute reads an AttributeProto, and reports whether it is valid. Its value is one of several fields by type.
func (x *node) attribute(data []byte) (ok bool) {
	var name, text string
	var value uint64
	m := protobuf.Message{Rest: data}
	for m.Next() {
		switch {
		case m.Number == 1:
			name = string(m.Bytes)
		case m.Number == 15 || m.Number == 17: // zigzag
			value = m.Value>>1 ^ -(m.Value & 1)
		case m.Number == 29:
			text = string(m.Bytes)
		case m.Number > 2 && !m.Packed:
			value = m.Value
		}
	}
	switch name {
	case "comm_size":
		x.size = value
	case "comm_src":
		x.src = value
	case "comm_dst":
		x.dst = value
	case "comm_tag":
		x.tag = value
	case "comm_type":
		x.coll = value
	case "num_ops":
		x.ops = value
	case "pg_name":
		if x.group = text; text == "" {
			x.group = strconv.FormatUint(value, 10)
		}
	}
	return !m.Bad
}

// processGroups reads the process groups of a metadata node of PyTorch, a list in JSON within quotes.
func (r *reader) processGroups(values string) {
	from, to := strings.Index(values, "[{"), strings.LastIndex(values, "}]")
	if from < 0 || to < from {
		return
	}
	var groups []struct {
		Name  string `json:"pg_name"`
		Ranks []int  `json:"ranks"`
	}
	if json.Unmarshal([]byte(values[from:to+2]), &groups) != nil {
		return
	}
	for _, g := range groups {
		if len(g.Ranks) > 0 { // otherwise the group of all
			slices.Sort(g.Ranks)
			r.groups[g.Name] = slices.Compact(g.Ranks)
		}
	}
}

// make adds the operations of all ranks.
func (r *reader) make() error {
	collectives := map[string]map[int][]*node{} // by group and rank, in order
	for rank := range r.nodes {
		for i := range r.nodes[rank] {
			x := &r.nodes[rank][i]
			if x.kind != collNode {
				if err := r.node(rank, x); err != nil {
					return err
				}
				continue
			}
			if collectives[x.group] == nil {
				collectives[x.group] = map[int][]*node{}
			}
			collectives[x.group][rank] = append(collectives[x.group][rank], x)
		}
	}
	for _, group := range slices.Sorted(maps.Keys(collectives)) {
		if err := r.collectives(group, collectives[group]); err != nil {
			return err
		}
	}
	for rank := range r.nodes {
		if err := r.dependences(rank); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) wrong(rank int, x *node, format string, args ...any) error {
	return fmt.Errorf("%s: node %d: %s", r.files[rank].Name, x.id, fmt.Sprintf(format, args...))
}

// add adds an operation of a node.
func (r *reader) add(rank int, x *node, op schedule.Op) int {
	op.Rank = int32(rank)
	r.places = append(r.places, place{int32(rank), x.id})
	return r.s.Add(op)
}

// label returns the name of a node without the number that makes it unique.
func (r *reader) label(x *node, otherwise string) uint32 {
	name := strings.TrimRight(x.name, "0123456789")
	name = strings.TrimRight(name, "_-. ")
	if name == "" {
		name = otherwise
	}
	return r.s.Name(name)
}

// node adds the operation of a node that is not collective.
func (r *reader) node(rank int, x *node) error {
	op := schedule.Op{Size: int64(x.size), Tag: int64(x.tag % ownTags)}
	peer, role := x.dst, "destination"
	switch x.kind {
	case sendNode:
		op.Kind, op.Name = schedule.Send, r.label(x, "send")
	case recvNode:
		op.Kind, op.Name = schedule.Recv, r.label(x, "recv")
		peer, role = x.src, "source"
	default:
		if x.micros > uint64(replay.MaxDuration/1000) {
			return r.wrong(rank, x, "a duration of %d µs: expected at most %d", x.micros, replay.MaxDuration/1000)
		}
		if x.kind == compNode && x.micros == 0 && x.ops > 0 {
			r.untimed++
		}
		x.first = r.add(rank, x, schedule.Op{Kind: schedule.Calc, Size: int64(x.micros) * 1000, Name: r.label(x, "node")})
		x.last = x.first
		return nil
	}
	switch {
	case peer >= uint64(len(r.files)):
		return r.wrong(rank, x, "the %s is rank %d: expected 0 to %d, the ranks with files", role, peer, len(r.files)-1)
	case x.size > maxBytes:
		return r.wrong(rank, x, "a message of %d bytes: expected at most %s", x.size, figures.Size(maxBytes))
	}
	op.Peer = int32(peer)
	x.first = r.add(rank, x, op)
	x.last = x.first
	return nil
}

// dependences adds the dependences of the nodes of a rank.
func (r *reader) dependences(rank int) error {
	nodes := r.nodes[rank]
	for i := range nodes {
		for _, dep := range nodes[i].deps {
			k, ok := r.numbers[rank][dep]
			if !ok {
				return r.wrong(rank, &nodes[i], "it depends on node %d, which the file does not have", dep)
			}
			r.s.Require(nodes[i].first, nodes[k].last)
		}
	}
	return nil
}
