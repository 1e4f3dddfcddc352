import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import type { InProject } from '../../project/in-project'
import { liveMatchOf } from '../../reads/live-matches'
import { type MatchOnServer, withServers } from '../../reads/with-servers'

export interface CurrentMatchInput extends InProject {
  readonly playerId: string
}

/** Returns the live match of a player with the connection details of its server; undefined without a live match. */
export function currentMatch(
  ctx: Ports,
  { projectId, playerId }: CurrentMatchInput,
): Promise<MatchOnServer | undefined> {
  return unavailableInsteadOf(async () => {
    const match = await liveMatchOf(ctx, projectId, playerId)
    return match === undefined ? undefined : (await withServers(ctx, [match]))[0]
  })
}
