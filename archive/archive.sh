#!/bin/bash
# The service `archive` of docker-compose.yml. `archive.sh FOLDER` streams the WAL of Postgres into the folder as it is
# written, and takes a base backup at first and then one a day:
#
#   <line>/base/<time>   a base backup, named after when it was complete
#   <line>/wal           all WAL since the first of them
#   newest-wal           its time says until when all that was committed is here
#   newest-base          its time says when the newest base backup was complete
#
# A line has no gap. Another one begins where Postgres no longer knows how far this one came (its replication slot):
# it was restored, or the WAL was not fetched for longer than max_slot_wal_keep_size allows.
# Whatever goes wrong ends the script, and Docker starts it again. docs/operations.md says how to restore.
set -euo pipefail
# Without the notice that Postgres itself archives nothing.
export LC_ALL=C PGCONNECT_TIMEOUT=10 PGOPTIONS='-c client_min_messages=warning'
cd "$1"

now() { date --utc +%Y-%m-%dT%H-%M-%S.%3NZ; }
# By the replication protocol, which is all that the role may speak.
ask() { psql replication=true --no-psqlrc --no-align --tuples-only --command="$1"; }
# How far the WAL is here, as Postgres knows from us; nothing where it does not.
confirmed() { ask 'READ_REPLICATION_SLOT archive' | cut -d'|' -f2; }
bytes() { echo $((16#${1%/*} << 32 | 16#${1#*/})); }

# Moves the time of newest-wal to a moment once all that Postgres had written by then is here: an idle one is at once.
follow() {
  local moment end='' position
  while true; do
    if [[ -z $end ]]; then
      moment=$(date +%s)
      end=$(ask IDENTIFY_SYSTEM | cut -d'|' -f3)
    fi
    position=$(confirmed)
    if [[ -z $position ]]; then
      echo 'The replication slot is lost: a new line is to begin.'
      return 1
    fi
    if (($(bytes "$position") >= $(bytes "$end"))); then
      touch --date="@$moment" newest-wal
      end=''
      sleep 5
    else
      sleep 1
    fi
  done
}

back_up_daily() {
  while true; do
    if [[ -z $(find "$line/base" -mindepth 1 -maxdepth 1 -mmin -1440) ]]; then
      until back_up; do sleep 600; done
      prune
    fi
    sleep 60
  done
}

back_up() {
  # The WAL that it needs is streamed beside it.
  rm -rf "$line/unfinished" &&
    pg_basebackup --pgdata="$line/unfinished" --format=tar --compress=gzip:1 --wal-method=none --label=archive &&
    mv "$line/unfinished" "$line/base/$(now)" &&
    touch newest-base
}

# What is left reaches back for all of ARCHIVE_KEEP_DAYS: `find` counts whole days that are over.
prune() {
  local bases label first
  find "$line/base" -mindepth 1 -maxdepth 1 -mtime "+$ARCHIVE_KEEP_DAYS" -exec rm -r {} +
  bases=("$line"/base/*)
  label=$(tar --extract --to-stdout --occurrence=1 --file="${bases[0]}/base.tar.gz" backup_label)
  first=$(sed -n 's/^START WAL LOCATION: .* (file \(\w*\))$/\1/p' <<<"$label")
  pg_archivecleanup "$line/wal" "$first"
  find . -mindepth 1 -maxdepth 1 -name '2*' ! -name "$line" -mtime "+$ARCHIVE_KEEP_DAYS" -exec rm -r {} +
}

line=$(find . -mindepth 1 -maxdepth 1 -name '2*' -printf '%f\n' | sort | tail -n 1)
position=$(confirmed)
if [[ -z $line || -z $position ]]; then
  line=$(now)
  echo "A new line begins: $line"
  rm -f newest-wal newest-base
  mkdir -p "$line/base" "$line/wal"
  # There is none, or one that is lost.
  if [[ $(ask 'READ_REPLICATION_SLOT archive') == physical* ]]; then ask 'DROP_REPLICATION_SLOT archive' >/dev/null; fi
  ask 'CREATE_REPLICATION_SLOT archive PHYSICAL RESERVE_WAL' >/dev/null
fi

trap 'kill $(jobs -p) || true' EXIT
trap exit TERM INT
# It connects again by itself. Synchronous: what it confirms is on the disk.
pg_receivewal --directory="$line/wal" --slot=archive --synchronous &
follow &
back_up_daily &
# None ends while all is well.
wait -n
exit 1
