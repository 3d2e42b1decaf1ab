package gotrace

import "encoding/binary"

// A record is the type of a record of a trace.
type record uint8

// The types of records, as the runtime numbers them (internal/trace/tracev2). Those of Go 1.22 end with userLog, those of Go 1.23 with
// experimentalBatch, and those of Go 1.25 with clockSnapshot.
const (
	_ record = iota
	eventBatch
	stacks
	stackEntry
	strings_
	stringEntry
	cpuSamples
	cpuSample
	frequency
	procsChange
	procStart
	procStop
	procSteal
	procStatus
	goCreate
	goCreateSyscall
	goStart
	goDestroy
	goDestroySyscall
	goStop
	goBlock
	goUnblock
	goSyscallBegin
	goSyscallEnd
	goSyscallEndBlocked
	goStatus
	stwBegin
	stwEnd
	gcActive
	gcBegin
	gcEnd
	gcSweepActive
	gcSweepBegin
	gcSweepEnd
	gcMarkAssistActive
	gcMarkAssistBegin
	gcMarkAssistEnd
	heapAlloc
	heapGoal
	goLabel
	userTaskBegin
	userTaskEnd
	userRegionBegin
	userRegionEnd
	userLog
	goSwitch
	goSwitchDestroy
	goCreateBlocked
	goStatusStack
	experimentalBatch
	sync_
	clockSnapshot
	endOfGeneration
	numRecords
)

// The first and the last of the records of memory, which GODEBUG=traceallocfree=1 adds to the events.
const firstOfMemory, lastOfMemory = 128, 136

// numbers holds the number of numbers of each record in a batch of events, including the time since the previous record; 0 for records that do not
// occur in such a batch.
var numbers = [256]uint8{
	procsChange: 3, procStart: 3, procStop: 1, procSteal: 4, procStatus: 3,
	goCreate: 4, goCreateSyscall: 2, goStart: 3, goDestroy: 1, goDestroySyscall: 1, goStop: 3, goBlock: 3, goUnblock: 4,
	goSyscallBegin: 3, goSyscallEnd: 1, goSyscallEndBlocked: 1, goStatus: 4,
	stwBegin: 3, stwEnd: 1, gcActive: 2, gcBegin: 3, gcEnd: 2, gcSweepActive: 2, gcSweepBegin: 2, gcSweepEnd: 3,
	gcMarkAssistActive: 2, gcMarkAssistBegin: 2, gcMarkAssistEnd: 1, heapAlloc: 2, heapGoal: 2,
	goLabel: 2, userTaskBegin: 5, userTaskEnd: 3, userRegionBegin: 4, userRegionEnd: 4, userLog: 5,
	goSwitch: 3, goSwitchDestroy: 3, goCreateBlocked: 4, goStatusStack: 5,
	firstOfMemory: 4, 129: 4, 130: 2, 131: 3, 132: 3, 133: 2, 134: 3, 135: 3, lastOfMemory: 2,
}

// mostNumbers is the largest of numbers.
const mostNumbers = 5

// States of goroutines and of Ps, as records of their status number them.
const (
	runnable  = 1
	running   = 2
	inSyscall = 3
	waiting   = 4

	procRunning   = 1
	procIdle      = 2
	procInSyscall = 3
	procAbandoned = 4 // it was in a system call of a goroutine that the trace does not know
)

// noThread is the number of the batches and of the goroutines that have no thread.
const noThread = 1<<64 - 1

// A message reads numbers and texts, one after the other. After damage, bad is set and everything is 0.
type message struct {
	rest []byte
	bad  bool
}

func (m *message) number() uint64 {
	v, n := binary.Uvarint(m.rest)
	if n <= 0 {
		m.bad, m.rest = true, nil
		return 0
	}
	m.rest = m.rest[n:]
	return v
}

// bytes returns the next n bytes.
func (m *message) bytes(n uint64) []byte {
	if n > uint64(len(m.rest)) {
		m.bad, m.rest = true, nil
		return nil
	}
	b := m.rest[:n]
	m.rest = m.rest[n:]
	return b
}

// record returns the type of the next record.
func (m *message) record() record {
	if b := m.bytes(1); b != nil {
		return record(b[0])
	}
	return 0
}
