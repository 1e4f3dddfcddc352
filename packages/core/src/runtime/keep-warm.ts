import { gateFeature, gateServer } from '../billing/limits'
import { DEFAULT_REGION } from '../catalog/regions'
import { DEFAULT_TIER } from '../catalog/tiers'
import type { Context } from '../context/context'
import { accountOf } from '../context/require'
import { WARM_EVERY_MS, WARM_SEEN_WITHIN_MS, warmScope } from '../context/warm-presence'
import { launchesServers } from '../ports/none'
import { type WarmPool, type WarmServers, warmKey } from '../ports/orchestrator'
import { versionToLaunch } from '../queue/decide'
import { type Queue, WARM_DEFAULTS } from '../queue/queue'
import { shapeOf } from './launch-spec'

/** A pool that some queue asks for. */
interface Asked extends WarmPool {
  readonly queueKey: string
}

/**
 * Tells the orchestrator which servers are to wait for their matches: all that the queues ask for as they are now, each time, so that it
 * needs no history. What it says is there is noted for the figures of the queues. Answers when to look again.
 */
export function keepWarm(ctx: Context): Promise<number> {
  return ctx.turns.run('warm', async () => {
    const { orchestrator, storage, clock } = ctx
    if (!orchestrator.capabilities.keepsWarm) return Number.POSITIVE_INFINITY
    const asked: Asked[] = []
    for (const queue of await storage.queues.listWarm()) {
      const pool = await poolOf(ctx, queue)
      if (pool !== undefined) asked.push({ ...pool, queueKey: queue.id })
    }
    await noteThere(ctx, asked, await orchestrator.keepWarm(mergedByKey(asked)))
    return clock.now() + WARM_EVERY_MS
  })
}

/** What a queue asks for; undefined where none of its matches would be launched from it. */
async function poolOf(ctx: Context, queue: Queue): Promise<WarmPool | undefined> {
  const { serverSettings, projectId } = queue
  const tag = versionToLaunch(queue, null, launchesServers(ctx.orchestrator))
  if (tag === undefined || serverSettings?.warm === undefined || !queue.enabled) return undefined
  const { region = DEFAULT_REGION, tier = DEFAULT_TIER, ttl = null } = serverSettings
  if (!(await mayHave(ctx, projectId, { region, tier, ttlSeconds: ttl }))) return undefined
  const build = await ctx.storage.builds.newestReady(projectId, tag)
  if (build === undefined) return undefined
  const { startupArgs = '', networkPorts: portRequests = [], readiness } = serverSettings
  const server = {
    projectId,
    region,
    tier,
    startupArgs,
    portRequests,
    ...(readiness === undefined ? {} : { readiness }),
  }
  return { ...shapeOf(server, build), ...WARM_DEFAULTS, ...serverSettings.warm }
}

/** What a plan does not allow to be launched does not wait either. */
async function mayHave(ctx: Context, projectId: string, wish: Parameters<typeof gateServer>[1]): Promise<boolean> {
  const project = await ctx.storage.get('project', projectId)
  if (project === undefined || project.deletedAt !== null) return false
  const account = await accountOf(ctx, project)
  return gateFeature(account, 'queues_enabled').ok && gateServer(account, wish).ok
}

/** Queues whose servers are alike have one pool, as large as all of them asked for. */
function mergedByKey(asked: readonly WarmPool[]): WarmPool[] {
  const pools = new Map<string, WarmPool>()
  for (const { queueKey: _, ...pool } of asked as readonly Asked[]) {
    const { min = 0, buffer = 0 } = pools.get(warmKey(pool)) ?? {}
    pools.set(warmKey(pool), { ...pool, min: min + pool.min, buffer: buffer + pool.buffer })
  }
  return [...pools.values()]
}

/** Each server that waits is seen where its queue's figures are read: what is not seen again is not there. */
async function noteThere(ctx: Context, asked: readonly Asked[], there: readonly WarmServers[]): Promise<void> {
  const ready = new Map(there.map((one) => [one.key, one.ready]))
  const at = ctx.clock.now()
  const sightings = asked.flatMap((pool) =>
    (ready.get(warmKey(pool)) ?? []).map((member) => ({ scope: warmScope(pool.queueKey), member, at })),
  )
  if (sightings.length > 0) await ctx.storage.presence.touch(sightings)
  const scopes = new Set(asked.map(({ queueKey }) => warmScope(queueKey)))
  for (const scope of scopes) await forgetGone(ctx, scope, sightings)
  for (const scope of ctx.warmSeen.keys()) {
    if (scopes.has(scope)) continue
    // Its queue asks for none any more; what another node may say of it meanwhile, that one takes back as well.
    await ctx.storage.presence.forget(scope)
    ctx.warmSeen.delete(scope)
  }
}

async function forgetGone(
  ctx: Context,
  scope: string,
  sightings: readonly { readonly scope: string; readonly member: string }[],
): Promise<void> {
  const here = new Set(sightings.filter((one) => one.scope === scope).map(({ member }) => member))
  const own = ctx.warmSeen.get(scope) ?? new Set()
  const gone = (await ctx.storage.presence.read(scope)).filter(
    ({ member, at }) => !here.has(member) && (own.has(member) || ctx.clock.now() - at > WARM_SEEN_WITHIN_MS),
  )
  if (gone.length > 0) await ctx.storage.presence.forgetMembers(scope, gone)
  ctx.warmSeen.set(scope, here)
}
