import type { Draft } from '../../commit/draft'
import { orThrow, ServiceError } from '../../errors/service-error'
import type { Lobby } from '../../lobby/lobby'
import { launchesServers } from '../../ports/none'
import type { Ports } from '../../ports/ports'
import { admitParty, buildToLaunch, versionOfParty } from '../../queue/decide'
import { findBuild } from '../../reads/find-build'
import { requireQueue } from '../../reads/require'

/**
 * Checks that the lobby's party may wait in its queue. The commit of the draft checks that the rows read here have not changed. Throws
 * MATCHMAKING_NOT_CONFIGURED, PARTY_TOO_LARGE, PARTY_CANNOT_MATCH, BUILD_NOT_READY.
 */
export async function checkParty(ctx: Ports, lobby: Lobby, draft: Draft): Promise<void> {
  const queue = await requireQueue(ctx, lobby.projectId, lobby.queueId)
  draft.check('queue', queue)
  orThrow(admitParty(queue, { lobbyId: lobby.id, players: lobby.players }))
  // When the players' game version selects the build to launch, a build with this version must be ready.
  const version = versionOfParty(queue, lobby.players[0])
  const wanted = version === null ? undefined : buildToLaunch(queue, version, launchesServers(ctx.orchestrator))
  if (wanted === undefined) return
  const found = await findBuild(ctx, lobby.projectId, wanted)
  if (found.build === undefined) throw new ServiceError('BUILD_NOT_READY', found.why)
}
