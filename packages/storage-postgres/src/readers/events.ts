import type { LoggedEvent } from '@matchyard/core/ports'
import { toColumn } from '../column-text'
import type { Database } from '../database'
import { streamLogStatements as statements } from '../statements/stream-log'

export async function readEvents(
  database: Database,
  lobbyId: string,
  after: number,
  limit: number,
  maxBytes: number,
): Promise<LoggedEvent[]> {
  const { rows } = await database.read(statements.events, [toColumn(lobbyId), after, limit, maxBytes])
  return rows.map(({ body, ...event }) => ({ lobbyId, ...event, lobby: JSON.parse(body) }))
}

export async function eventRange(database: Database, lobbyId: string) {
  const [range] = (await database.read(statements.range, [toColumn(lobbyId)])).rows
  if (range === undefined || range.oldest === null || range.newest === null) return undefined
  return { oldest: range.oldest, newest: range.newest }
}

export async function eventHeads(database: Database, lobbyIds: readonly string[]) {
  const asked = new Map(lobbyIds.map((lobbyId) => [toColumn(lobbyId), lobbyId]))
  const { rows } = await database.read(statements.heads, [[...asked.keys()]])
  return rows.map(({ lobby_id, version }) => ({ lobbyId: asked.get(lobby_id) ?? lobby_id, version }))
}
