/**
 * What is metered is added up as servers end: by account, project, tier, and the stretch of time in which seconds start. A stretch begins
 * at midnight UTC or where the account's plan changed. Servers that have ended are added here, as `usageSumsOf` of the core does it.
 */
export const usageSums = `
create table usage_sum (
  account_id text not null, begins_at integer not null, project_id text not null, tier text not null,
  seconds integer not null, primary key (account_id, begins_at, project_id, tier)
) strict, without rowid;

alter table server add column summed integer not null default 0;

insert into usage_sum (account_id, begins_at, project_id, tier, seconds)
with recursive
ended as (
  select rowid as number, account_id, project_id, json_extract(body, '$.tier') as tier, running_at, stopped_at,
    running_at - running_at % 86400000 as first_day
  from server where running_at is not null and stopped_at > running_at
),
changed (account_id, at) as (
  select account.id, json_extract(plan.value, '$.from') from account, json_each(account.body, '$.planHistory') as plan
  where plan.key > 0
),
day (number, at, stopped_at) as (
  select number, first_day, stopped_at from ended
  union all
  select number, at + 86400000, stopped_at from day where at + 86400000 < stopped_at
),
stretch (number, at) as (
  select number, at from day
  union
  select number, at from ended join changed using (account_id) where at > first_day and at < stopped_at
),
piece as (
  select number, at as begins_at, lead(at, 1, 9007199254740991) over (partition by number order by at) as ends_at from stretch
),
counted as (
  select account_id, begins_at, project_id, tier,
    (min(ends_at, stopped_at) - running_at + 999) / 1000 - (max(begins_at, running_at) - running_at + 999) / 1000 as seconds
  from piece join ended using (number) where ends_at > running_at
)
select account_id, begins_at, project_id, tier, sum(seconds) from counted where seconds > 0 group by 1, 2, 3, 4;

update server set summed = 1 where stopped_at is not null;
create index server_unsummed on server (account_id, running_at) where summed = 0 and running_at is not null;
`
