import type { GameServer, Instant } from '@matchyard/core'
import type { Metered, UsageSum } from '@matchyard/core/ports'
import { fromColumn, toColumn } from '../column-text'
import type { Database } from '../database'
import { serverStatements } from '../statements/servers'

export async function metered(database: Database, accountId: string, from: Instant, to: Instant): Promise<Metered> {
  const { rows } = await database.read(serverStatements.metered, [toColumn(accountId), from, to])
  const sums: UsageSum[] = []
  const servers: GameServer[] = []
  for (const { body, begins_at: beginsAt, project_id, tier, seconds } of rows) {
    if (body === null) sums.push({ accountId, projectId: fromColumn(project_id), tier, beginsAt, seconds })
    else servers.push(JSON.parse(body))
  }
  return { sums, servers }
}
