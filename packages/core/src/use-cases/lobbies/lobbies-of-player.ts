import { unavailableInsteadOf } from '../../commit/transact'
import type { Lobby } from '../../lobby/lobby'
import type { Ports } from '../../ports/ports'
import type { InProject } from '../../project/in-project'
import { windowOf } from '../../reads/window'
import type { Page } from '../../shared/page'

export interface LobbiesOfPlayerInput extends InProject {
  /** Member of the lobbies. */
  readonly playerId: string
  /** Maximum number of lobbies on a page, 1 to 100. Default: 50. */
  readonly limit?: number | undefined
  /** Number of lobbies before the page. Default: 0. */
  readonly offset?: number | undefined
}

export function lobbiesOfPlayer(ctx: Ports, input: LobbiesOfPlayerInput): Promise<Page<Lobby>> {
  const { projectId, playerId } = input
  const query = { projectId, playerId, includePrivate: true, sort: 'created_at_desc' } as const
  return unavailableInsteadOf(() => ctx.storage.lobbies.browse({ ...query, ...windowOf(input) }))
}
