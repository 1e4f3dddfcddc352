/**
 * What answers "how does this queue do" and "why am I waiting" without looking at every match and every ticket: sums of what was
 * waited, kept with the commits in stripes, and the waiting in an order that has nothing to do with them, by the ends of their ids.
 */
export const queueFigures = `
create table match_wait (
  queue_key text collate "C" not null, players bigint not null, bucket bigint not null, slot bigint not null,
  stripe bigint not null, count bigint not null, least_ms bigint not null, most_ms bigint not null,
  primary key (queue_key, players, bucket, slot, stripe)
) with (fillfactor = 50);
create index match_wait_by_slot on match_wait (slot);
create index ticket_by_chance on ticket (queue_key, right(id, 8));
`
