import { rated } from './rating'
import { Database } from './sqlite'

const TABLES = `
create table if not exists players (name text primary key, password text not null, mmr integer not null default 1500, games integer not null default 0);
create table if not exists sessions (hash text primary key, name text not null, expires_at integer not null);
create table if not exists matches (match_id text primary key, version integer not null, status text not null, players text not null);
create table if not exists results (match_id text primary key, winner text not null);
create table if not exists messages (id text primary key, at integer not null)`

export interface Player {
  readonly name: string
  readonly password: string
  readonly mmr: number
  readonly games: number
}

/** State of a match in a webhook message. */
export interface KnownMatch {
  readonly matchId: string
  readonly version: number
  readonly status: string
  readonly players: readonly string[]
}

/** Opens the database of the studio's own data. From Matchyard it holds only the players' history of matches. */
export function openDatabase(path: string) {
  const db = new Database(path)
  db.pragma('journal_mode = wal')
  db.exec(TABLES)
  const change = (sql: string, ...values: unknown[]): number => db.prepare(sql).run(...values).changes
  const find = <Row>(sql: string, ...values: unknown[]) => db.prepare(sql).get(...values) as Row | undefined
  const player = (name: string) => find<Player>('select * from players where name = ?', name)

  const take = db.transaction((messageId: string, { matchId, version, status, players }: KnownMatch) => {
    change('insert or ignore into messages values (?, ?)', messageId, Date.now())
    change(
      `insert into matches values (?, ?, ?, ?) on conflict do update set version = excluded.version, status = excluded.status, players = excluded.players
         where excluded.version > version`,
      ...[matchId, version, status, JSON.stringify(players)],
    )
  })
  const rate = db.transaction(
    (matchId: string, winner: string, winners: readonly string[], losers: readonly string[]) => {
      if (change('insert or ignore into results values (?, ?)', matchId, winner) === 0) return
      const mmrs = (names: readonly string[]) => names.map((name) => player(name)?.mmr ?? 1500)
      const gain = rated(mmrs(winners), mmrs(losers))
      for (const [names, sign] of [
        [winners, 1],
        [losers, -1],
      ] as const) {
        for (const name of names)
          change('update players set mmr = mmr + ?, games = games + 1 where name = ?', sign * gain, name)
      }
    },
  )

  return {
    player,
    /** Adds a player; returns false when the name is taken. */
    addPlayer: (name: string, password: string): boolean =>
      change('insert or ignore into players (name, password) values (?, ?)', name, password) === 1,
    best: () => db.prepare('select name, mmr, games from players order by mmr desc, name limit 20').all(),

    addSession: (hash: string, name: string, expiresAt: number) =>
      change('insert into sessions values (?, ?, ?)', hash, name, expiresAt),
    sessionOf: (hash: string) =>
      find<{ name: string }>('select name from sessions where hash = ? and expires_at > ?', hash, Date.now())?.name,

    /** Whether a message was processed before; each message arrives at least once. */
    hasTaken: (id: string) => find('select id from messages where id = ?', id) !== undefined,
    /** Stores a message's state of a match, once. Messages arrive in any order, and an older state is ignored. */
    take: (messageId: string, match: KnownMatch): void => {
      take(messageId, match)
    },
    matchesOf: (name: string) =>
      db
        .prepare(
          `select match_id, status, winner from matches left join results using (match_id)
           where exists (select 1 from json_each(players) where value = ?) order by match_id desc limit 50`,
        )
        .all(name),

    /** Changes the ratings of both sides by the result of a match, once per match. */
    rate: (matchId: string, winner: string, winners: readonly string[], losers: readonly string[]): void => {
      rate(matchId, winner, winners, losers)
    },
    close: (): void => {
      db.close()
    },
  }
}

export type StudioDatabase = ReturnType<typeof openDatabase>
