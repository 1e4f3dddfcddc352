/**
 * Servers that wait for room are found by their line and by their queue, however many wait, and live ones by their node. Nothing waits
 * in rows from before.
 */
export const waitingServers = `
alter table server add column line text;
alter table server add column waiting_queue text;
create index server_in_line on server (line, created_at, id) where line is not null;
create index server_waiting on server (waiting_queue, created_at) where waiting_queue is not null;
create index server_live_by_node on server (node_id, created_at, id) where status in ('launching', 'running', 'stopping');
`
