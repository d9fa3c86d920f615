#!/bin/bash
# The service `restore` of docker-compose.yml. `restore.sh ARCHIVE [MOMENT]` makes the data folder (PGDATA) anew out of
# what archive.sh wrote: as it was at a moment such as '2026-11-27 14:30:00' (UTC, unless it has an offset), without one
# at the end of the archive. The data folder that is there is kept under another name.
set -euo pipefail
export LC_ALL=C
archive=$1
moment=${2:-}

fail() {
  echo "$1" >&2
  exit 1
}

if pg_isready --quiet; then fail 'Postgres runs. Nothing is restored; stop it first.'; fi

before=9999
target=()
if [[ $moment ]]; then
  before=$(date --utc --date="$moment" +%Y-%m-%dT%H-%M-%S.%3NZ)
  target=(-c recovery_target_time="$(date --utc --date="$moment" '+%F %T.%6N+00')" -c recovery_target_action=promote)
fi
# Later names are later moments.
base=''
for one in "$archive"/*/base/*; do
  if [[ ${one##*/} < $before ]]; then base=$one; fi
done
[[ -d $base ]] || fail "No base backup in $archive was complete before ${moment:-now}."
wal=${base%/base/*}/wal

if [[ -e $PGDATA ]]; then
  kept=$PGDATA.before-$(date --utc +%Y-%m-%dT%H-%M-%SZ)
  mv "$PGDATA" "$kept"
  echo "What was there is kept: $kept"
fi
echo "Out of $base"
mkdir -p "$PGDATA"
chmod 700 "$PGDATA"
tar --extract --file="$base/base.tar.gz" --directory="$PGDATA"
pg_verifybackup --no-parse-wal --manifest-path="$base/backup_manifest" "$PGDATA"

# The newest segment is not complete; one that was just begun may be short. 255: no end of the archive, but a fault.
fetch="if [ -e '$wal/%f' ]; then cp '$wal/%f' '%p' || exit 255;"
fetch+=" elif [ -e '$wal/%f.partial' ]; then cp '$wal/%f.partial' '%p' && truncate --size='>16M' '%p' || exit 255;"
fetch+=" else exit 1; fi"
touch "$PGDATA/recovery.signal"
log=$(mktemp)

# Ends once Postgres, which nobody can reach, has recovered and was stopped again.
recover() {
  postgres -c restore_command="$fetch" "$@" -c lc_messages=C -c hot_standby=off \
    -c listen_addresses= -c unix_socket_directories="$PGDATA" 2>&1 | tee "$log" &
  until pg_isready --quiet --host="$PGDATA"; do
    kill -0 $! 2>/dev/null || return 1
    sleep 0.2
  done
  pg_ctl stop --silent
}

if ! recover "${target[@]}"; then
  grep -q 'recovery ended before configured recovery target was reached' "$log" || fail 'Not restored: see above.'
  echo "Nothing was committed after $moment: the end of this archive is restored."
  recover || fail 'Not restored: see above.'
fi
echo 'Restored.'
