#!/bin/bash
# The benchmarks against programs of others, which are installed where that can be done.
set -euo pipefail
here=$(dirname "$0")
"$here"/need.sh twopi graphviz || echo "peers: without graphviz"
"$here"/need.sh swipl swi-prolog-nox || echo "peers: without SWI-Prolog"
"$here"/need.sh g++ g++ libtbb-dev || echo "peers: without oneTBB and OpenMP"
"$here"/need.sh gfortran gfortran || echo "peers: without gfortran"
"$here"/need.sh npm npm || echo "peers: without node"
go test -run='^$' -bench=. -benchtime=5x -v ./internal/peers
