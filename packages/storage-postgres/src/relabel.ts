import type { Lobby, Match } from '@matchyard/core'
import { lobbyLabels, matchLabels, openSeats } from '@matchyard/core/ports'
import { jsonList } from './column-text'
import type { Database } from './database'
import { statement } from './statements/statement'

/** Rows that one step reads. */
const SLICE = 100

// Those without any label are together in the index, and few: a match whose players were all erased, and what is looked for.
const unlabelled = (table: 'lobby' | 'match') =>
  statement<{ id: string; version: number; body: string }>(
    `unlabelled_${table}`,
    `select id, version, body from ${table}
     where string_to_array(labels, chr(1)) <@ '{}' and strpos(body, '\\u0000') > 0 and id > $1 order by id limit ${SLICE}`,
  )

const UNLABELLED = { lobby: unlabelled('lobby'), match: unlabelled('match') }

/** id, version, labels; of a lobby its seats. */
const LABEL = {
  lobby: statement('label_lobby', 'update lobby set labels = $3, free_seats = $4 where id = $1 and version = $2'),
  match: statement('label_match', 'update match set labels = $3 where id = $1 and version = $2'),
}

/**
 * Texts with U+0000 the database cannot read out of JSON, so that migrating it gives those rows no labels: they get them here. A match
 * that is over never changes again, and would not be found for any of its players.
 */
export async function relabel(database: Database): Promise<void> {
  await eachUnlabelled(database, 'lobby', (lobby: Lobby) => [jsonList(lobbyLabels(lobby)), openSeats(lobby)])
  await eachUnlabelled(database, 'match', (match: Match) => [jsonList(matchLabels(match))])
}

async function eachUnlabelled<T>(
  database: Database,
  table: 'lobby' | 'match',
  columnsOf: (entity: T) => readonly unknown[],
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: { id: string; version: number; body: string }[] = (await database.read(UNLABELLED[table], [after])).rows
    for (const { id, version, body } of rows) {
      await database.write(LABEL[table], [id, version, ...columnsOf(JSON.parse(body))])
    }
    after = rows.at(-1)?.id
  }
}
