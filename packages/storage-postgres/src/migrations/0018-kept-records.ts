/**
 * By which the oldest idempotency records of an owner, and of a group, are found with the newest one. Those from before, and those that
 * code from before writes, are of neither: they go when they expire.
 */
export const keptRecords = `
alter table idempotency add column created_at bigint not null default 0;
alter table idempotency add column bytes bigint not null default 0;
alter table idempotency add column owner_part text;
alter table idempotency add column group_part text;
create index idempotency_by_owner on idempotency (owner_part, created_at, bytes) where owner_part is not null;
create index idempotency_by_group on idempotency (group_part, created_at, bytes) where group_part is not null;
`
