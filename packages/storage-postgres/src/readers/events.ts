import type { StreamEvent } from '@matchyard/core'
import { toColumn } from '../column-text'
import type { Database } from '../database'
import { streamStatements } from '../statements/streams'

export async function readEvents(
  database: Database,
  lobbyId: string,
  after: number,
  limit: number,
): Promise<StreamEvent[]> {
  const { rows } = await database.read(streamStatements.events, [toColumn(lobbyId), after, limit])
  return rows.map(({ version, name, at, body }) => ({ lobbyId, version, name, at, lobby: JSON.parse(body) }))
}

export async function eventRange(database: Database, lobbyId: string) {
  const [range] = (await database.read(streamStatements.eventRange, [toColumn(lobbyId)])).rows
  if (range === undefined || range.oldest === null || range.newest === null) return undefined
  return { oldest: range.oldest, newest: range.newest }
}
