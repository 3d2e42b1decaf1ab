#!/bin/bash
# demo-window.sh WHORL FOLDER [print]: the viewer on Pascal's triangle on 5 PEs under two policies side by side, in a window, or in a page
# where there is no display. With print it only says how to see them. That it was asked to end is no failure.
set -euo pipefail
whorl=$1 out=$2
traces=()
for policy in on-demand random; do
	trace=$out/pascal-$policy.whorl
	"$whorl" run fghc/pascal --pes 5 --policy "$policy" -o "$trace" >/dev/null
	traces+=("$trace")
done
echo
if [ "${3-}" = print ]; then
	echo "to look at them: $whorl view ${traces[*]}"
	exit 0
fi
"$whorl" view "${traces[@]}" || { status=$?; [ $status = 130 ] || exit $status; }
