import { decideBuildDrained, isBuildDraining } from '../build/decide'
import { Draft } from '../commit/draft'
import { followUps } from '../commit/follow-ups'
import { ofBuild } from '../commit/of-build'
import { ofMatch } from '../commit/of-match'
import { ofServer } from '../commit/of-server'
import { change, transact } from '../commit/transact'
import { accept } from '../errors/decision'
import { closeMatch } from '../match/backfill'
import type { Service } from '../node/service'
import { Slices } from '../node/slices'
import type { Ports } from '../ports/ports'
import { decideStopServer } from '../server/decide'
import type { GameServer } from '../server/game-server'
import { type Instant, SECOND_MS } from '../shared/time'

/** Maximum number of servers that one read returns. */
const AT_ONCE = 50
/** Milliseconds between two checks whether a drained build has servers. */
const LOOK_AGAIN_MS = 15 * SECOND_MS

/**
 * Empties a drained build: stops its servers without a match, and closes its matches to new players. The build gets no new servers, so one
 * pass is enough. Each change is a commit of its own that reads the present state; a run may thus stop at any point, and a later run starts
 * again.
 */
export async function drainBuild(ctx: Service, buildId: string): Promise<void> {
  const build = await ctx.storage.get('build', buildId)
  if (build === undefined || !isBuildDraining(build)) return
  await eachServer(ctx, buildId, (server) => emptyServer(ctx, buildId, server))
  await transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    return { draft: draft.job(...followUps.buildEmptied(build, draft.at)), answer: undefined }
  })
}

/** Records that a drained build has no live server. Returns the time of the next check; undefined when the drain is over. */
export async function watchDrain(ctx: Service, buildId: string): Promise<Instant | undefined> {
  const build = await ctx.storage.get('build', buildId)
  if (build === undefined || !isBuildDraining(build)) return undefined
  if (await ctx.storage.servers.anyLiveOfBuild(buildId)) return ctx.clock.now() + LOOK_AGAIN_MS
  // The drain may have ended and begun again since the read of the servers, and a server may have been launched between the two.
  await change(ctx, ofBuild, buildId, (now, { at }) =>
    accept(...(now.version === build.version ? decideBuildDrained(now, at) : [])),
  )
  const after = await ctx.storage.get('build', buildId)
  return after === undefined || !isBuildDraining(after) ? undefined : ctx.clock.now() + LOOK_AGAIN_MS
}

/** Stops the live servers of a build that were created by the time of the last request to stop them, as `drainBuild` does. */
export async function stopBuild(ctx: Service, buildId: string): Promise<void> {
  const until = (await ctx.storage.get('build', buildId))?.serversStoppedAt
  if (until === undefined) return
  await eachServer(ctx, buildId, async ({ id, createdAt }) => {
    if (createdAt > until) return
    await change(ctx, ofServer, id, (server) =>
      accept(...decideStopServer(server, 'all servers of its build were stopped by request', 'server_stopped')),
    )
  })
}

/** Handles the live servers of a build, one after the other, by ascending id. A server that fails does not stop the others; the job runs again. */
async function eachServer(
  ctx: Service,
  buildId: string,
  handle: (server: GameServer) => Promise<unknown>,
): Promise<void> {
  const slices = new Slices(ctx)
  const faults: unknown[] = []
  for (let after = ''; ; ) {
    const servers = await ctx.storage.servers.liveOfBuild(buildId, after, AT_ONCE)
    for (const server of servers) {
      await handle(server).catch((fault: unknown) => faults.splice(0, 1, fault))
      await slices.pause()
      after = server.id
    }
    if (servers.length >= AT_ONCE) continue
    if (faults.length > 0) throw faults[0]
    return
  }
}

const stopForDrain = (ctx: Service, buildId: string, instanceId: string) =>
  change(ctx, ofServer, instanceId, async (server, draft) =>
    accept(...((await drains(ctx, draft, buildId)) ? decideStopServer(server, REASON, 'server_stopped') : [])),
  )

const REASON = 'its build was drained'

/** Closes the match of a server. A server without a match, and a server with an ended match, is stopped. */
async function emptyServer(ctx: Service, buildId: string, { id, projectId, matchId }: GameServer): Promise<void> {
  const match = matchId === null ? undefined : await ctx.storage.get('match', matchId)
  if (match === undefined || match.endedAt !== null) return void (await stopForDrain(ctx, buildId, id))
  await change(ctx, ofMatch, { projectId, matchId: match.id }, async (now, draft) =>
    accept(...((await drains(ctx, draft, buildId)) ? closeMatch(now, draft.at) : [])),
  )
}

/** Whether the build is still drained. The commit then expects its version, so that a server is not stopped after the end of a drain. */
async function drains(ctx: Ports, draft: Draft, buildId: string): Promise<boolean> {
  const build = await ctx.storage.get('build', buildId)
  if (build === undefined || !isBuildDraining(build)) return false
  draft.check('build', build)
  return true
}
