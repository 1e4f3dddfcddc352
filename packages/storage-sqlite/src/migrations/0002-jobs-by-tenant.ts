/**
 * Jobs know for whom they are done and who holds them. Two indexes of the free ones: by age, for whoever claims the oldest of a
 * kind, and by tenant, so that a claim can go from one tenant to the next past any backlog. What waits already is given its
 * tenant by its target, which is the rest of its id after the kind.
 */
export const jobsByTenant = `
alter table job add column tenant text not null default '';
alter table job add column holder text;
drop index job_free;
create index job_free_by_age on job (kind, run_at, id) where lease_until is null;
create index job_free_by_tenant on job (kind, tenant, run_at, id) where lease_until is null;

update job set tenant = coalesce(
  (select account_id from server where server.id = substr(job.id, length(job.kind) + 2)),
  (select project.account_id from lobby join project on project.id = lobby.project_id
    where lobby.id = substr(job.id, length(job.kind) + 2)),
  (select project.account_id from build join project on project.id = build.project_id
    where build.id = substr(job.id, length(job.kind) + 2)),
  (select account_id from project where project.id = substr(job.id, length(job.kind) + 2)),
  (select id from account where account.id = substr(job.id, length(job.kind) + 2)),
  '');
`
