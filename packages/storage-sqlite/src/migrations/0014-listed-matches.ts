/**
 * Matches of a project are listed by their status, the newest first: so those that are live are found at once among all that have ended.
 * Proposals that came to nothing are in no list. The queue is in the index for the lists of one queue that pass by the others.
 */
export const listedMatches = `
alter table match add column project_id text not null default '';
alter table match add column listed text;
update match set project_id = substr(queue_key, 1, instr(queue_key, '/') - 1), listed = case
  when json_extract(body, '$.status') = 'ended' and json_extract(body, '$.proposal') is not null
    and json_extract(body, '$.proposal.settled.outcome') is not 'accepted' then null
  else json_extract(body, '$.status')
end;
create index match_listed on match (project_id, listed, created_at, id, queue_key) where listed is not null;
`
