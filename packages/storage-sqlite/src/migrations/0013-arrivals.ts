/**
 * What commits record of those who left a queue, and the settings that queues had. The one index of arrivals serves readers, who walk a
 * queue by time, and pruning, which counts the newest in it: each costs every entry of every queue.
 */
export const arrivals = `
create table arrivals (
  id text primary key, version integer not null, queue_key text not null, left_at integer not null,
  parties integer not null, body text not null
) strict;
create index arrivals_by_queue on arrivals (queue_key, left_at, id, parties);
create table queue_version (id text primary key, version integer not null, body text not null) strict;
`
