#!/usr/bin/env python3
"""Writes the archive hybrid of a program with MPI and OpenMP on two hosts, as Score-P would record it: hybrid.py FOLDER.

It has what EZTrace does not record: threads and tasks of OpenMP, locks, ends of non-blocking receives, one-sided operations, metrics, attributes,
offsets of clocks, and identifiers that are local to a location. It needs the package python3-otf2 of Debian.
"""
import sys

import _otf2
import otf2
from otf2.enums import (CollectiveOp, GroupType, LocationGroupType, LocationType, Paradigm, RecorderKind, RegionRole, Type)

trace = otf2.writer.Writer(sys.argv[1], archive_name="hybrid", timer_resolution=1_000_000_000)
defs = trace.definitions
cluster = defs.system_tree_node("cluster", class_name="machine")


def region(name, role=RegionRole.FUNCTION, paradigm=Paradigm.USER):
    return defs.region(name, source_file="hybrid.c", begin_line_number=len(name), region_role=role, paradigm=paradigm)


MPI, OMP = Paradigm.MPI, Paradigm.OPENMP
main = region("main")
solve = region("solve")
local_solve = region("local name of solve")
task = region("task", RegionRole.TASK, OMP)
parallel = region("!$omp parallel", RegionRole.PARALLEL, OMP)
barrier = region("!$omp implicit barrier", RegionRole.IMPLICIT_BARRIER, OMP)
critical = region("!$omp critical", RegionRole.CRITICAL, OMP)
isend, irecv, waitall = (region(n, RegionRole.POINT2POINT, MPI) for n in ("MPI_Isend", "MPI_Irecv", "MPI_Waitall"))
allreduce = region("MPI_Allreduce", RegionRole.COLL_ALL2ALL, MPI)
bcast = region("MPI_Bcast", RegionRole.COLL_ONE2ALL, MPI)
put, wait = region("MPI_Put", RegionRole.RMA, MPI), region("MPI_Win_flush", RegionRole.RMA, MPI)

events, locations, teams = [], [], []
for rank in range(2):
    host = defs.system_tree_node("node%d" % rank, class_name="node", parent=cluster)
    group = defs.location_group("MPI Rank %d" % rank, location_group_type=LocationGroupType.PROCESS, system_tree_parent=host)
    threads = [defs.location("thread %d" % t, type=LocationType.CPU_THREAD, group=group) for t in range(2)]
    locations += threads
    events += [trace.event_writer_from_location(l) for l in threads]
for rank in range(2):
    names = defs.group("threads of %d" % rank, group_type=GroupType.LOCATIONS, paradigm=OMP, members=locations[2 * rank:2 * rank + 2])
    teams.append(defs.comm("team of %d" % rank, names))
ranks = defs.group("ranks", group_type=GroupType.COMM_LOCATIONS, paradigm=MPI, members=[locations[0], locations[2]])
world = defs.comm("MPI_COMM_WORLD", defs.group("world", group_type=GroupType.COMM_GROUP, paradigm=MPI, members=[0, 1]))
window = defs.rma_win("a window", world)
cycles = defs.metric_class((defs.metric_member("cycles", unit="cycles", value_type=Type.UINT64),
                            defs.metric_member("temperature", unit="C", value_type=Type.DOUBLE)), recorder_kind=RecorderKind.CPU)
note = defs.attribute("note", "of a record", Type.UINT32)
size = defs.parameter("size", otf2.enums.ParameterType.INT64)

# The clock of the second host is 5,000 ns behind, later 5,100.
for t in (2, 3):
    w = events[t]._def_handle
    _otf2.DefWriter_WriteClockOffset(w, 0, 5000, 0.0)
    _otf2.DefWriter_WriteClockOffset(w, 1_000_000, 5100, 0.0)
    ids = _otf2.IdMap_Create(_otf2.IdMapMode(1), 1)
    _otf2.IdMap_AddIdPair(ids, local_solve._ref, solve._ref)
    _otf2.DefWriter_WriteMappingTable(w, _otf2.MappingType(3), ids)

for rank in range(2):
    a, b, other, team = events[2 * rank], events[2 * rank + 1], 1 - rank, teams[rank]
    o = 1_000_000 - 5000 * rank  # of the clock
    late = 3000 * rank
    at = solve if rank == 0 else local_solve
    a.enter(o, main)
    a.parameter_int(o + 10, size, 42)
    a.metric(o + 10, cycles, [1000, 20.5])
    a.enter(o + 100, irecv)
    a.mpi_irecv_request(o + 110, 77)
    a.leave(o + 120, irecv)
    a.enter(o + 1000 + late, isend)
    a.mpi_isend(o + 1010 + late, other, world, 5, 4096, 78)
    a.leave(o + 1020 + late, isend)
    a.enter(o + 2000, waitall) if rank == 0 else a.enter(o + 4100, waitall)
    a.mpi_irecv(o + 4500, other, world, 5, 4096, 77)
    a.mpi_isend_complete(o + 4600, 78)
    a.leave(o + 4700, waitall)
    # a parallel region with a task, a lock and a barrier
    a.thread_fork(o + 5000, OMP, 2)
    a.thread_team_begin(o + 5010, team)
    b.thread_team_begin(o + 5200, team)
    a.enter(o + 5020, parallel)
    b.enter(o + 5210, parallel)
    a.thread_task_create(o + 5300, team, 0, 1)
    a.enter(o + 5400, critical)
    a.thread_acquire_lock(o + 5410, OMP, 3, 1)
    b.enter(o + 5500, critical)
    a.thread_release_lock(o + 6000, OMP, 3, 1)
    a.leave(o + 6010, critical)
    b.thread_acquire_lock(o + 6050, OMP, 3, 2)
    b.thread_release_lock(o + 6100, OMP, 3, 2)
    b.leave(o + 6110, critical)
    b.enter(o + 6200, barrier)
    b.thread_task_switch(o + 6300, team, 0, 1)
    b.enter(o + 6310, task)
    b.leave(o + 7000, task)
    b.thread_task_complete(o + 7010, team, 0, 1)
    b.thread_task_switch(o + 7020, team, 1, 0)
    a.enter(o + 6020, at)
    a.leave(o + 8000, at)
    a.enter(o + 8010, barrier)
    a.leave(o + 8100, barrier)
    b.leave(o + 8120, barrier)
    a.leave(o + 8130, parallel)
    b.leave(o + 8140, parallel)
    b.thread_team_end(o + 8150, team)
    a.thread_team_end(o + 8135, team)
    a.thread_join(o + 8160, OMP)
    a.metric(o + 8170, cycles, [9000, 21.25])
    # one-sided and collective operations
    if rank == 0:
        a.enter(o + 8200, put)
        a.rma_put(o + 8210, window, 1, 512, 1)
        a.leave(o + 8220, put)
        a.enter(o + 8230, wait)
        a.rma_op_complete_blocking(o + 8500, window, 1)
        a.leave(o + 8510, wait)
        a.enter(o + 8520, put)
        a.rma_get(o + 8530, window, 1, 256, 2)
        a.rma_op_complete_non_blocking(o + 8700, window, 2)
        a.leave(o + 8710, put)
    a.enter(o + 9000 + 1000 * rank, allreduce)
    a.mpi_collective_begin(o + 9010 + 1000 * rank, attributes={note: 7})
    a.mpi_collective_end(o + 10_150, CollectiveOp.ALLREDUCE, world, otf2.enums.CollectiveRoot.NONE, 8, 8)
    a.leave(o + 10_160, allreduce)
    a.enter(o + 10_200 + 500 * (1 - rank), bcast)
    a.mpi_collective_begin(o + 10_210 + 500 * (1 - rank))
    a.mpi_collective_end(o + 10_800, CollectiveOp.BCAST, world, 0, 64 * (1 - rank), 64 * rank)
    a.leave(o + 10_810, bcast)
    a.leave(o + 11_000, main)
trace.close()
