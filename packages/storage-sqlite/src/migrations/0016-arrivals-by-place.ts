/**
 * The id of recorded arrivals is their place in their queue, so one index does what two did: it finds a row, walks a queue by time, and
 * tells pruning how many parties it holds without a look at the rows.
 */
export const arrivalsByPlace = `
alter table arrivals rename to arrivals_before;
drop index arrivals_by_queue;
create table arrivals (id text not null, version integer not null, parties integer not null, body text not null) strict;
create unique index arrivals_by_place on arrivals (id, parties);
insert into arrivals (id, version, parties, body)
  select place, version, parties, json_set(json_remove(body, '$.projectId', '$.queueKey'), '$.id', place)
  from (
    select printf('%s/%015d/%s', queue_key, left_at, id) as place, version, parties, body
    from arrivals_before order by queue_key, left_at, id
  );
drop table arrivals_before;
`
