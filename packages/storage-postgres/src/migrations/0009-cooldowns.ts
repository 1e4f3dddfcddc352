/** Who turned a match down is kept out of its queue for a while. A code that does not know of it lets everybody in, and hurts nothing. */
export const cooldowns = `
create table cooldown (
  id text collate "C" primary key, version bigint not null, until bigint not null, body text not null
);
create index cooldown_by_end on cooldown (until);
`
