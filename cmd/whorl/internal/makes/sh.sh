# A shell of a recipe runs this script in place of the line: SHELL sh FLAGS LINE. It tells whorl that the line begins, and becomes the shell of the line.
set +eu
[ -z "$ZSH_VERSION" ] || emulate sh
case $SHELL in *" $0") SHELL=${SHELL% *} ;; esac
if [ "$WHORL_MAKE" = "$PPID" ] && [ "$WHORL_JOB" != $$ ]; then
	whorl_jobs=${MAKEFLAGS##* -j}
	[ "$whorl_jobs" != "$MAKEFLAGS" ] || whorl_jobs=1
	if kill -0 "$WHORL_PID"; then
		printf '%s\t%s\t%s\t%s\t%.1500s\t%.1500s\n' $$ "$PPID" "$WHORL_JOB" "${whorl_jobs%%[!0-9]*}" "$PWD" "$WHORL_TARGET" >"$WHORL_DIR/pipe"
	fi 2>/dev/null
	export WHORL_JOB=$$
	exec ${WHORL_SHELL% *} "$@"
fi
# A recipe names $(SHELL) itself, perhaps as the last command of a line, which takes the process of the line; or it calls the function shell.
whorl_shell=
for whorl_word in $(tr '\0' '\n' </proc/$$/cmdline); do
	[ "$whorl_word" != "$0" ] || break
	whorl_shell="$whorl_shell $whorl_word"
done
exec $whorl_shell "$@"
