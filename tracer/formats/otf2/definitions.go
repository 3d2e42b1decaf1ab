package otf2

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

// Types of records of definitions, local and global.
const (
	defMapping        = 5 // local
	defClock          = 5 // global
	defOffset         = 6 // local
	defString         = 10
	defAttribute      = 11
	defNode           = 12
	defGroupOfPEs     = 13
	defLocation       = 14
	defRegion         = 15
	defGroup          = 18
	defMember         = 19
	defClass          = 20
	defInstance       = 21
	defComm           = 22
	defParameter      = 23
	defWindow         = 24
	defNodeDomain     = 27
	defSourceLocation = 33
	defContext        = 34
	defGenerator      = 36
	defInterComm      = 43
	defNewest         = 43
)

// definitions are the global definitions. An undefined reference gives the zero value.
type definitions struct {
	strings     map[uint32]string
	attributes  map[uint32]uint32 // names
	nodes       map[uint32]node
	groups      map[uint32]groupOfPEs
	locations   []place
	regions     map[uint32]region
	members     map[uint32]member
	classes     map[uint32][]uint32 // members of a class of metrics
	instances   map[uint32]instance
	comms       map[uint32]comm
	sets        map[uint32][]uint64 // members of a group
	ranks       map[uint8][]uint64  // locations by rank, by paradigm
	self        map[uint32]bool     // groups of type COMM_SELF
	plain       map[uint32]bool     // groups of locations
	absolute    map[uint32]bool     // groups whose members are not translated
	paradigms   map[uint32]uint8    // of groups
	parameters  map[uint32]uint32   // names
	windows     map[uint32]uint32   // communicators
	contexts    map[uint32]context
	sources     map[uint32]sourceLine
	generators  map[uint32]generator
	resolution  uint64 // ticks/s
	offset      uint64 // ticks at the beginning
	length      uint64 // ticks
	realtime    uint64 // Unix time in ns of the beginning, all ones if unknown
	unknown     int64  // records of unknown types
	damaged     int64  // bytes
	cut         bool   // the file lacks its end
	machineNode map[uint32]bool
}

type (
	node       struct{ name, class, parent uint32 }
	groupOfPEs struct {
		name, node uint32
		kind       uint8
	}
	place struct {
		id     uint64
		name   uint32
		kind   uint8
		events uint64
		group  uint32
	}
	region struct {
		name, file, line uint32
		role, paradigm   uint8
	}
	member struct {
		name, unit uint32
		mode, kind uint8
		binary     bool
		exponent   int64
	}
	instance struct {
		class    uint32
		scope    uint8
		subject  uint64
		recorder uint64
	}
	comm       struct{ name, group, other uint32 }
	context    struct{ region, source, parent uint32 }
	sourceLine struct{ file, line uint32 }
	generator  struct {
		name     uint32
		count    bool // its period is a number, not a time
		binary   bool
		exponent int64
		period   uint64
	}
)

// Kinds of locations, groups and domains.
const (
	locationMetric     = 3
	groupLocations     = 1
	groupCommLocations = 4
	groupCommSelf      = 6
	groupGlobalMembers = 1
	domainMachine      = 0
	domainShared       = 1
)

// mostDefinitions bounds the length of the files of definitions.
const mostDefinitions = 1 << 30

// readDefinitions reads the global definitions. An error means that there are none.
func readDefinitions(fsys fs.FS, name string, chunk int64) (*definitions, error) {
	data, err := readFile(fsys, name, mostDefinitions)
	if err != nil {
		return nil, err
	}
	if _, ok := order(data); !ok {
		return nil, fmt.Errorf("%s: no file of OTF2: it begins with %q", name, data[:min(len(data), 8)])
	}
	d := &definitions{
		strings: map[uint32]string{}, attributes: map[uint32]uint32{}, nodes: map[uint32]node{}, groups: map[uint32]groupOfPEs{}, regions: map[uint32]region{}, members: map[uint32]member{},
		classes: map[uint32][]uint32{}, instances: map[uint32]instance{}, comms: map[uint32]comm{}, sets: map[uint32][]uint64{}, ranks: map[uint8][]uint64{},
		self: map[uint32]bool{}, plain: map[uint32]bool{}, absolute: map[uint32]bool{}, paradigms: map[uint32]uint8{}, parameters: map[uint32]uint32{}, windows: map[uint32]uint32{}, contexts: map[uint32]context{},
		sources: map[uint32]sourceLine{}, generators: map[uint32]generator{}, resolution: 1e9, realtime: 1<<64 - 1, machineNode: map[uint32]bool{},
	}
	d.damaged, d.cut = eachRecord(data, chunk, d.define)
	return d, nil
}

// eachRecord calls f with the type and the content of each record of a file of definitions, which consists of chunks. It returns the number of
// bytes that are damaged, and whether the file lacks its end.
func eachRecord(data []byte, chunk int64, f func(kind uint8, c *cursor)) (damaged int64, cut bool) {
	cut = true
	for len(data) > 0 {
		part := data[:min(chunk, int64(len(data)))]
		data = data[len(part):]
		big, ok := order(part)
		if !ok || len(part) < chunkHead {
			damaged += int64(len(part))
			continue
		}
		c := cursorOf(part, big)
		c.pos = chunkHead
		for c.pos < c.end {
			from := c.pos
			kind := c.u8()
			if kind <= headerRecord { // the end of the chunk
				cut = len(data) == 0 && kind < endOfFile
				break
			}
			in := c.record()
			if c.bad {
				damaged += int64(c.end - from)
				break
			}
			f(kind, &in)
		}
	}
	return damaged, cut
}

// define adds the definition of a record.
func (d *definitions) define(kind uint8, c *cursor) {
	if kind == defClock {
		d.resolution, d.offset, d.length = c.number(), c.number(), c.number()
		if c.pos < c.end {
			d.realtime = c.number()
		}
		if d.resolution == 0 {
			d.resolution = 1e9
		}
		return
	}
	if kind > defNewest {
		d.unknown++
		return
	}
	if kind == defLocation {
		d.locations = append(d.locations, place{c.number(), c.ref(), c.u8(), c.number(), c.ref()})
		return
	}
	id := c.ref()
	switch kind {
	case defString:
		d.strings[id] = c.text()
	case defAttribute:
		d.attributes[id] = c.ref()
	case defNode:
		d.nodes[id] = node{c.ref(), c.ref(), c.ref()}
	case defNodeDomain:
		if domain := c.u8(); domain == domainShared || domain == domainMachine && d.strings[d.nodes[id].class] == "node" {
			d.machineNode[id] = true
		}
	case defGroupOfPEs:
		g := groupOfPEs{name: c.ref()}
		g.kind, g.node = c.u8(), c.ref()
		d.groups[id] = g
	case defRegion:
		d.region(id, c)
	case defGroup:
		d.group(id, c)
	case defMember:
		m := member{name: c.ref()}
		c.ref() // description
		c.u8()  // kind of metric
		m.mode, m.kind = c.u8(), c.u8()
		m.binary, m.exponent, m.unit = c.u8() == 0, int64(c.number()), c.ref()
		d.members[id] = m
	case defClass:
		var all []uint32
		for n := c.u8(); n > 0 && !c.bad; n-- {
			all = append(all, c.ref())
		}
		d.classes[id] = all
	case defInstance:
		d.instances[id] = instance{class: c.ref(), recorder: c.number(), scope: c.u8(), subject: c.number()}
	case defComm:
		d.comms[id] = comm{name: c.ref(), group: c.ref(), other: undefined}
	case defInterComm:
		d.comms[id] = comm{name: c.ref(), group: c.ref(), other: c.ref()}
	case defParameter:
		d.parameters[id] = c.ref()
	case defWindow:
		c.ref() // name
		d.windows[id] = c.ref()
	case defSourceLocation:
		d.sources[id] = sourceLine{c.ref(), c.ref()}
	case defContext:
		d.contexts[id] = context{c.ref(), c.ref(), c.ref()}
	case defGenerator:
		g := generator{name: c.ref(), count: c.u8() != 0, binary: c.u8() == 0}
		g.exponent, g.period = int64(c.number()), c.number()
		d.generators[id] = g
	}
}

func (d *definitions) region(id uint32, c *cursor) {
	g := region{name: c.ref()}
	c.ref() // description
	c.u8()  // type of region of old versions
	g.file, g.line = c.ref(), c.ref()
	c.ref() // last line
	if c.pos < c.end {
		c.ref() // canonical name
		g.role, g.paradigm = c.u8(), c.u8()
	}
	if g.line == undefined {
		g.line = 0
	}
	d.regions[id] = g
}

func (d *definitions) group(id uint32, c *cursor) {
	c.ref() // name
	c.u8()  // type of group of old versions
	n := c.number()
	var all []uint64
	for ; n > 0 && !c.bad; n-- {
		all = append(all, c.number())
	}
	kind, paradigm, flags := c.u8(), c.u8(), c.ref()
	switch kind {
	case groupCommLocations:
		d.ranks[paradigm] = all
		return
	case groupCommSelf:
		d.self[id] = true
	case groupLocations:
		d.plain[id] = true
	}
	d.sets[id], d.paradigms[id], d.absolute[id] = all, paradigm, flags&groupGlobalMembers != 0
}

// name returns a string, "" if it is not defined.
func (d *definitions) name(id uint32) string { return d.strings[id] }

// program returns the name of the program if a root of the system tree has it, as with EZTrace: it is its name and its class.
func (d *definitions) program() string {
	for _, id := range slices.Sorted(maps.Keys(d.groups)) {
		if n := d.nodes[d.groups[id].node]; d.isProgram(n) {
			return d.name(n.name)
		}
	}
	return ""
}

func (d *definitions) isProgram(n node) bool {
	return n.parent == undefined && d.name(n.name) != "" && d.name(n.name) == d.name(n.class)
}

// mostAround bounds the nodes of the system tree around a node.
const mostAround = 1 << 8

// host returns the name of the machine of a group of locations: of the nearest node of the system tree that is one, or else of the nearest node.
func (d *definitions) host(group uint32) string {
	at := d.groups[group].node
	if d.isProgram(d.nodes[at]) {
		return ""
	}
	name := d.name(d.nodes[at].name)
	for range mostAround {
		n, ok := d.nodes[at]
		if !ok {
			break
		}
		if d.machineNode[at] || d.name(n.class) == "node" {
			return d.name(n.name)
		}
		at = n.parent
	}
	return name
}

// locationsOf returns the locations of a communicator by rank.
func (d *definitions) locationsOf(id uint32) (of, other []uint64) {
	c, ok := d.comms[id]
	if !ok {
		return nil, nil
	}
	of = d.locationsOfGroup(c.group)
	if c.other != undefined {
		other = d.locationsOfGroup(c.other)
	}
	return of, other
}

// locationsOfGroup returns the locations of the members of a group by rank; without the group those of all ranks.
func (d *definitions) locationsOfGroup(group uint32) []uint64 {
	set, ok := d.sets[group]
	ranks := d.ranks[d.paradigms[group]]
	switch {
	case !ok:
		return ranks
	case d.plain[group]:
		return set
	case d.absolute[group]:
		return ranks
	}
	all := make([]uint64, len(set))
	for i, rank := range set {
		all[i] = 1<<64 - 1
		if rank < uint64(len(ranks)) {
			all[i] = ranks[rank]
		}
	}
	return all
}
