/** Who turned a match down is kept out of its queue for a while. A code that does not know of it lets everybody in, and hurts nothing. */
export const cooldowns = `
create table cooldown (
  id text primary key, version integer not null, until integer not null, body text not null
) strict;
create index cooldown_by_end on cooldown (until);
`
