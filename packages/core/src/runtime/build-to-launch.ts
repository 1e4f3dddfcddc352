import type { Service } from '../node/service'
import type { Ports } from '../ports/ports'
import { type FoundBuild, findBuild } from '../reads/find-build'
import type { GameServer } from '../server/game-server'
import { failLaunch } from './attempts'

/**
 * Returns the build to launch. Before the first attempt, this is the build that the queue's settings select now. After the first attempt,
 * it is always the build that was recorded.
 */
export async function buildOf(ctx: Ports, server: GameServer): Promise<FoundBuild> {
  if (server.buildId === null) return findBuild(ctx, server.projectId, server)
  const build = await ctx.storage.get('build', server.buildId)
  return build === undefined ? { why: `the build ${server.buildId} was deleted` } : { build }
}

export const failForBuild = (ctx: Service, server: GameServer, why: string): Promise<'ended' | 'again'> =>
  failLaunch(ctx, server, `BUILD_NOT_READY: ${why}`, { cause: 'build_missing' })
