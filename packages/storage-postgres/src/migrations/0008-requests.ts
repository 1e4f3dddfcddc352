/**
 * A running match's request for newcomers stands beside the tickets of its queue and is counted nowhere: its row says so by fewer players
 * than none. Code from before never writes such a row; it takes one that it reads for a ticket whose lobby is gone.
 */
export const requests = `
drop index ticket_by_chance;
create index party_by_chance on ticket (queue_key, right(id, 8)) where players >= 0;
`
