/**
 * What commits record of those who left a queue, and the settings that queues had. The one index of arrivals serves readers, who walk a
 * queue by time, and pruning, which counts the newest in it: each costs every entry of every queue.
 */
export const arrivals = `
create table arrivals (
  id text collate "C" primary key, version bigint not null, queue_key text collate "C" not null, left_at bigint not null,
  parties bigint not null, body text not null
);
create index arrivals_by_queue on arrivals (queue_key, left_at, id) include (parties);
create table queue_version (id text collate "C" primary key, version bigint not null, body text not null);
`
