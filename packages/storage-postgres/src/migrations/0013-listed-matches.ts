/**
 * Matches of a project are listed by their status, the newest first: so those that are live are found at once among all that have ended.
 * Proposals that came to nothing are in no list. The queue is in the index for the lists of one queue that pass by the others.
 */
export const listedMatches = `
alter table match add column project_id text collate "C" not null default '', add column listed text collate "C";
update match set project_id = split_part(queue_key, '/', 1), listed = case
  when body::json ->> 'status' = 'ended' and body::json -> 'proposal' is not null
    and (body::json -> 'proposal' -> 'settled' ->> 'outcome') is distinct from 'accepted' then null
  else body::json ->> 'status'
end;
create index match_listed on match (project_id, listed, created_at, id, queue_key) where listed is not null;
`
