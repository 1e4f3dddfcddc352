/**
 * A running match's request for newcomers stands beside the tickets of its queue and is counted nowhere: its row says so by fewer players
 * than none.
 */
export const requests = `
drop trigger ticket_added;
drop trigger ticket_removed;
drop trigger ticket_moved;
create trigger ticket_added after insert on ticket when new.players >= 0 begin
  insert into queue_waiting values (new.queue_key, 1, new.players)
    on conflict do update set parties = parties + 1, players = players + new.players;
end;
create trigger ticket_removed after delete on ticket when old.players >= 0 begin
  update queue_waiting set parties = parties - 1, players = players - old.players where queue_key = old.queue_key;
end;
create trigger ticket_moved after update of queue_key, players on ticket when old.players >= 0 and new.players >= 0 begin
  update queue_waiting set parties = parties - 1, players = players - old.players where queue_key = old.queue_key;
  insert into queue_waiting values (new.queue_key, 1, new.players)
    on conflict do update set parties = parties + 1, players = players + new.players;
end;
drop index ticket_by_chance;
create index party_by_chance on ticket (queue_key, substr(id, -8)) where players >= 0;
`
