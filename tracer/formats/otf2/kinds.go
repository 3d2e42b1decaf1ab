package otf2

import "strconv"

// Types of events.
const (
	bufferFlush         = 10
	measurement         = 11
	enter               = 12
	leave               = 13
	mpiSend             = 14
	mpiIsend            = 15
	mpiIsendComplete    = 16
	mpiIrecvRequest     = 17
	mpiRecv             = 18
	mpiIrecv            = 19
	mpiRequestTest      = 20
	mpiRequestCancelled = 21
	mpiCollectiveBegin  = 22
	mpiCollectiveEnd    = 23
	ompFork             = 24
	ompJoin             = 25
	ompAcquireLock      = 26
	ompReleaseLock      = 27
	ompTaskCreate       = 28
	ompTaskSwitch       = 29
	ompTaskComplete     = 30
	metricEvent         = 31
	parameterString     = 32
	parameterInt        = 33
	parameterUnsigned   = 34
	rmaWinCreate        = 35
	rmaWinDestroy       = 36
	rmaCollectiveBegin  = 37
	rmaCollectiveEnd    = 38
	rmaGroupSync        = 39
	rmaRequestLock      = 40
	rmaAcquireLock      = 41
	rmaTryLock          = 42
	rmaReleaseLock      = 43
	rmaSync             = 44
	rmaWaitChange       = 45
	rmaPut              = 46
	rmaGet              = 47
	rmaAtomic           = 48
	rmaCompleteBlocking = 49
	rmaComplete         = 50
	rmaTest             = 51
	rmaCompleteRemote   = 52
	threadFork          = 53
	threadJoin          = 54
	threadTeamBegin     = 55
	threadTeamEnd       = 56
	threadAcquireLock   = 57
	threadReleaseLock   = 58
	threadTaskCreate    = 59
	threadTaskSwitch    = 60
	threadTaskComplete  = 61
	threadCreate        = 62
	threadBegin         = 63
	threadWait          = 64
	threadEnd           = 65
	contextEnter        = 66
	contextLeave        = 67
	contextSample       = 68
	ioCreateHandle      = 69
	ioOperationComplete = 78
	ioTryLock           = 82
	programBegin        = 83
	programEnd          = 84
	collectiveRequest   = 85
	collectiveComplete  = 86
	commCreate          = 87
	commDestroy         = 88
	newestEvent         = 88
)

// Roles of regions that determine their activities.
const (
	roleBarrier         = 15
	roleImplicitBarrier = 16
	roleTaskWait        = 22
)

// Paradigms of programs.
const (
	paradigmOpenMP  = 3
	paradigmMPI     = 4
	paradigmPthread = 7
	paradigmSHMEM   = 13
)

// How the ranks of a collective operation depend on each other.
const (
	allToAll = iota // each waits for the last one
	oneToAll        // each waits for the root
	allToOne        // the root waits for the last one
	chain           // none is known to wait
)

// collectives are the collective operations by their numbers.
var collectives = [...]struct {
	name string
	kind uint8
}{
	{"barrier", allToAll},
	{"bcast", oneToAll},
	{"gather", allToOne},
	{"gatherv", allToOne},
	{"scatter", oneToAll},
	{"scatterv", oneToAll},
	{"allgather", allToAll},
	{"allgatherv", allToAll},
	{"alltoall", allToAll},
	{"alltoallv", allToAll},
	{"alltoallw", allToAll},
	{"allreduce", allToAll},
	{"reduce", allToOne},
	{"reduce scatter", allToAll},
	{"scan", chain},
	{"exscan", chain},
	{"reduce scatter block", allToAll},
	{"create handle", allToAll},
	{"destroy handle", allToAll},
	{"allocate", allToAll},
	{"deallocate", allToAll},
	{"create and allocate", allToAll},
	{"destroy and deallocate", allToAll},
}

// recordNames are the names of the types of events that are skipped and counted.
var recordNames = map[int]string{
	mpiRequestCancelled: "MpiRequestCancelled", rmaGroupSync: "RmaGroupSync", rmaRequestLock: "RmaRequestLock", rmaAcquireLock: "RmaAcquireLock",
	rmaTryLock: "RmaTryLock", rmaReleaseLock: "RmaReleaseLock", rmaSync: "RmaSync", rmaWaitChange: "RmaWaitChange", rmaTest: "RmaOpTest",
	69: "IoCreateHandle", 70: "IoDestroyHandle", 71: "IoDuplicateHandle", 72: "IoSeek", 73: "IoChangeStatusFlags", 74: "IoDeleteFile", 75: "IoOperationBegin",
	76: "IoOperationTest", 77: "IoOperationIssued", 79: "IoOperationCancelled", 80: "IoAcquireLock", 81: "IoReleaseLock", 82: "IoTryLock",
}

// recordName returns the name of a type of events.
func recordName(kind int) string {
	if name, ok := recordNames[kind]; ok {
		return name
	}
	return strconv.Itoa(kind)
}
