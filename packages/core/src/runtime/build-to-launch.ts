import type { Build } from '../build/build'
import type { Context } from '../context/context'
import type { GameServer } from '../server/game-server'
import { failLaunch } from './attempts'

/** What is launched: the newest ready build of the name, and from the first attempt on that very one. */
export async function pinnedBuild(ctx: Context, server: GameServer): Promise<Build | undefined> {
  if (server.buildId === null) return ctx.storage.builds.newestReady(server.projectId, server.versionTag)
  return ctx.storage.get('build', server.buildId)
}

export const failForBuild = (ctx: Context, server: GameServer): Promise<'ended'> =>
  failLaunch(ctx, server.id, `BUILD_NOT_READY: no build named ${server.versionTag} is ready`, {
    cause: 'build_missing',
  })
