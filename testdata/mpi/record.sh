#!/bin/sh
# Records archives of the programs in this folder: record.sh FOLDER. It needs OpenMPI and EZTrace (Debian: openmpi-bin libopenmpi-dev eztrace).
set -e
here=$(cd "$(dirname "$0")" && pwd)
to=$(mkdir -p "$1" && cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

record() { # NAME RANKS ARGUMENTS...; 0 ranks: a program without MPI
	name=$1 ranks=$2
	shift 2
	mpicc -O1 -o "$work/$name" "$here/$name.c" -lpthread
	if [ "$ranks" = 0 ]; then
		(cd "$work" && eztrace -t pthread "./$name" "$@" >&2)
	else
		(cd "$work" && mpirun --oversubscribe -n "$ranks" eztrace -t openmpi "./$name" "$@" >&2)
	fi
	cp "$work/${name}_trace/eztrace_log.otf2" "$to/$name.otf2"
	cp "$work/${name}_trace/eztrace_log.def" "$to/$name.def"
	rm -rf "${to:?}/$name"
	cp -r "$work/${name}_trace/eztrace_log" "$to/$name"
}

record ring 4 3
record stencil 4 6 400 1
record transpose 4 3 32
record workers 4 12 2000000
record locks 0 3

# What EZTrace does not record, threads for one, is in an archive that python3-otf2 writes.
rm -rf "$to/hybrid" "$to/hybrid.def" "$to/hybrid.otf2" "$work/hybrid"
/usr/bin/python3 "$here/hybrid.py" "$work/hybrid"
cp -r "$work/hybrid/." "$to"
