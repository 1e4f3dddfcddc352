/**
 * What is metered is added up as servers end: by account, project, tier, and the stretch of time in which seconds start. A stretch begins
 * at midnight UTC or where the account's plan changed. Servers that have ended are added here, as `usageSumsOf` of the core does it. What
 * is read of bodies is found by its name: JSON that holds U+0000 somewhere cannot be read as such, and no text within JSON looks like that.
 */
export const usageSums = `
create table usage_sum (
  account_id text collate "C" not null, begins_at bigint not null, project_id text collate "C" not null,
  tier text collate "C" not null, stripe bigint not null, seconds bigint not null,
  primary key (account_id, begins_at, project_id, tier, stripe)
) with (fillfactor = 50);

alter table server add column summed bigint not null default 0;

insert into usage_sum (account_id, begins_at, project_id, tier, stripe, seconds)
with ended as (
  select id, account_id, project_id, substring(body from '"tier":"([0-9a-z-]+)"') as tier, running_at, stopped_at,
    running_at - running_at % 86400000 as first_day
  from server where running_at is not null and stopped_at > running_at
),
changed as (
  select account.id as account_id, (plan.value ->> 'from')::bigint as at
  from account cross join json_array_elements(substring(account.body from '"planHistory":(\\[[^]]*\\])')::json) with ordinality as plan (value, number)
  where plan.number > 1
),
stretch as (
  select id, day as at from ended cross join generate_series(first_day, stopped_at - 1, 86400000) as day
  union
  select id, at from ended join changed using (account_id) where at > first_day and at < stopped_at
),
piece as (
  select id, at as begins_at, lead(at, 1, 9007199254740991) over (partition by id order by at) as ends_at from stretch
),
counted as (
  select account_id, begins_at, project_id, tier,
    (least(ends_at, stopped_at) - running_at + 999) / 1000 - (greatest(begins_at, running_at) - running_at + 999) / 1000 as seconds
  from piece join ended using (id) where ends_at > running_at
)
select account_id, begins_at, project_id, tier, 0, sum(seconds) from counted where seconds > 0 group by 1, 2, 3, 4;

update server set summed = 1 where stopped_at is not null;
create index server_unsummed on server (account_id, running_at) where summed = 0 and running_at is not null;
`
