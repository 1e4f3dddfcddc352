/**
 * What answers "how does this queue do" and "why am I waiting" without looking at every match and every ticket: sums of what was
 * waited, kept with the commits, and the waiting in an order that has nothing to do with them, by the ends of their ids.
 */
export const queueFigures = `
create table match_wait (
  queue_key text not null, players integer not null, bucket integer not null, slot integer not null,
  count integer not null, least_ms integer not null, most_ms integer not null,
  primary key (queue_key, players, bucket, slot)
) strict, without rowid;
create index match_wait_by_slot on match_wait (slot);
create index ticket_by_chance on ticket (queue_key, substr(id, -8));
`
