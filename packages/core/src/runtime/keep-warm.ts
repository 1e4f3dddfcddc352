import { gateFeature, gateServer, serverQuota } from '../billing/limits'
import type { AccountWithin } from '../billing/plan'
import { DEFAULT_TIER } from '../catalog/tiers'
import { serverCounter } from '../commit/counters'
import { becomesEmpty } from '../machine/record'
import type { Service } from '../node/service'
import { launchesServers } from '../ports/none'
import { type WarmPool, type WarmServers, warmKey } from '../ports/orchestrator'
import type { Ports } from '../ports/ports'
import { buildToLaunch } from '../queue/decide'
import type { Queue } from '../queue/queue'
import { WARM_DEFAULTS } from '../queue/server-settings'
import { WARM_EVERY_MS, WARM_SEEN_WITHIN_MS, warmScope } from '../queue/warm-presence'
import { findBuild } from '../reads/find-build'
import { isOwnOpen, ownMachine, regionsOf, usualRegion } from '../reads/machines'
import { accountOf } from '../reads/require'
import type { Instant } from '../shared/time'
import { shapeOf } from './launch-spec'
import { beginMeters, meterWarm } from './warm-meter'

/** Pool of warm servers (started in advance, before a match) that a queue's settings ask for. */
export interface Asked extends WarmPool {
  readonly queueKey: string
  readonly account: AccountWithin
}

/**
 * Sends the orchestrator the numbers of servers that should wait for matches. Each call lists all pools that queues ask for, so the
 * orchestrator needs no earlier calls. The servers that are ready are recorded for the figures of the queues. Returns the time of the next
 * check.
 */
export function keepWarm(ctx: Service): Promise<number> {
  return ctx.node.turns.run('warm', async () => {
    const { orchestrator, clock } = ctx
    if (!orchestrator.capabilities.keepsWarm || ownMachine(ctx) === undefined) return Number.POSITIVE_INFINITY
    const empties = isOwnEmptied(ctx)
    if (!empties) ctx.node.own.isWithoutWarm = false
    const asked = await askedHere(ctx)
    const pools = await withinPlans(ctx, asked, mergedByKey(asked))
    // A launch may take a server as soon as the orchestrator has answered. A server that was known before is certain to wait until the call.
    const before = clock.now()
    const there = await orchestrator.keepWarm(empties ? pools.map(keptEmpty) : allowedHere(ctx, asked, pools))
    const after = clock.now()
    if (empties) ctx.node.own.isWithoutWarm = there.every(({ ready }) => ready.length === 0)
    await beginMeters(ctx, asked, there, after)
    // A node that takes over continues metering from the recorded time of presence, so this node does not meter beyond that time.
    await noteThere(ctx, asked, there, { before, after })
    await meterWarm(ctx, there, before)
    return clock.now() + WARM_EVERY_MS
  })
}

/** Whether this node's machine shall become empty, as this node last read its record. */
function isOwnEmptied(ctx: Service): boolean {
  const own = ownMachine(ctx)
  return own !== undefined && becomesEmpty(ctx.node.machines.recordOf(own.id))
}

/** Returns a pool without waiting servers. It is still sent, so that the orchestrator reports the servers that have not ended yet. */
const keptEmpty = (pool: WarmPool): WarmPool => ({ ...pool, most: 0 })

/** Returns the pools that the queues ask for. */
async function askedHere(ctx: Service): Promise<Asked[]> {
  const asked: Asked[] = []
  for (const queue of await ctx.storage.queues.listWarm()) {
    const pool = await poolOf(ctx, queue)
    if (pool !== undefined) asked.push({ ...pool, queueKey: queue.id })
  }
  return asked
}

/** Limits pools to the servers that wait in them, when the machine takes no new servers. */
function allowedHere(ctx: Service, asked: readonly Asked[], pools: readonly WarmPool[]): readonly WarmPool[] {
  if (isOwnOpen(ctx)) return pools
  return pools.map((pool) => {
    const queueKeys = asked.filter((one) => warmKey(one) === warmKey(pool)).map(({ queueKey }) => queueKey)
    const waiting = queueKeys.map((queueKey) => ctx.node.warmSeen.get(warmScope(queueKey))?.size ?? 0)
    return { ...pool, most: Math.min(pool.most ?? Number.POSITIVE_INFINITY, ...waiting) }
  })
}

/** Returns the pool of warm servers that a queue asks for; undefined when the queue could not use warm servers for its matches. */
async function poolOf(ctx: Service, queue: Queue): Promise<Omit<Asked, 'queueKey'> | undefined> {
  const { serverSettings, projectId } = queue
  const wanted = buildToLaunch(queue, null, launchesServers(ctx.orchestrator))
  if (wanted === undefined || serverSettings?.warm === undefined || !queue.enabled) return undefined
  const { region = await usualRegion(ctx), tier = DEFAULT_TIER, ttl = null } = serverSettings
  if (!regionsOf(ctx).includes(region)) return undefined
  const account = await whoMayHave(ctx, projectId, { region, tier, ttlSeconds: ttl })
  if (account === undefined) return undefined
  const { build } = await findBuild(ctx, projectId, wanted)
  if (build === undefined) return undefined
  const { startupArgs = '', networkPorts: portRequests = [] } = serverSettings
  const server = { ...serverSettings, projectId, region, tier, startupArgs, portRequests }
  const shape = await shapeOf(ctx, server, build)
  if ('refused' in shape) return undefined
  return { ...shape, ...WARM_DEFAULTS, ...serverSettings.warm, account }
}

/** Returns the account of the queue if its plan allows the servers. Servers that the plan does not allow are not started in advance. */
async function whoMayHave(
  ctx: Ports,
  projectId: string,
  wish: Parameters<typeof gateServer>[1],
): Promise<AccountWithin | undefined> {
  const project = await ctx.storage.get('project', projectId)
  if (project === undefined || project.deletedAt !== null) return undefined
  const account = await accountOf(ctx, project)
  return gateFeature(account, 'queues_enabled').ok && gateServer(account, wish).ok ? account : undefined
}

/**
 * Returns one pool for all queues whose servers are interchangeable. The size of the pool is the sum of the sizes that these queues ask
 * for.
 */
function mergedByKey(asked: readonly Asked[]): WarmPool[] {
  const pools = new Map<string, WarmPool>()
  for (const { queueKey: _, account: __, ...pool } of asked) {
    const { min = 0, buffer = 0 } = pools.get(warmKey(pool)) ?? {}
    pools.set(warmKey(pool), { ...pool, min: min + pool.min, buffer: buffer + pool.buffer })
  }
  return [...pools.values()]
}

/**
 * Limits the numbers of waiting servers by the plans of their accounts. Waiting servers count towards the plan's limit of concurrent
 * servers, but launches have priority. When launches use up that limit, the next check keeps fewer servers waiting.
 */
async function withinPlans(ctx: Service, asked: readonly Asked[], pools: readonly WarmPool[]): Promise<WarmPool[]> {
  const owners = new Map(asked.map((one) => [warmKey(one), one.account]))
  const left = new Map<string, number>()
  for (const account of new Set(owners.values())) {
    const quota = serverQuota(account)
    if (quota === undefined || left.has(account.id)) continue
    const scopes = asked.flatMap((one) => (one.account.id === account.id ? [warmScope(one.queueKey)] : []))
    const others = await waitingElsewhere(ctx, new Set(scopes))
    left.set(account.id, Math.max(0, quota - (await ctx.storage.counters.read(serverCounter(account.id))) - others))
  }
  return pools.map((pool) => {
    const accountId = owners.get(warmKey(pool))?.id ?? ''
    const mayWait = left.get(accountId)
    if (mayWait === undefined) return pool
    const most = Math.min(mayWait, Math.max(pool.min, pool.buffer))
    left.set(accountId, mayWait - most)
    return { ...pool, most }
  })
}

/** Returns the number of servers that wait on other nodes for matches of these queues, as those nodes last recorded it. */
async function waitingElsewhere(ctx: Service, scopes: ReadonlySet<string>): Promise<number> {
  const members = new Set<string>()
  if (ctx.orchestrator.sharedAs !== undefined) return 0
  for (const scope of scopes) {
    const own = ctx.node.warmSeen.get(scope)
    for (const { member, at } of await ctx.storage.presence.read(scope))
      if (own?.has(member) !== true && ctx.clock.now() - at <= WARM_SEEN_WITHIN_MS) members.add(member)
  }
  return members.size
}

/**
 * Records the presence of each waiting server, for the figures of its queue: as seen before the orchestrator's answer, and a new server as
 * seen after it. Removes the presence of servers that no longer exist.
 */
async function noteThere(
  ctx: Service,
  asked: readonly Asked[],
  there: readonly WarmServers[],
  { before, after }: { readonly before: Instant; readonly after: Instant },
): Promise<void> {
  const ready = new Map(there.map((one) => [one.key, one.ready]))
  const sightings = asked.flatMap((pool) => {
    const scope = warmScope(pool.queueKey)
    const known = ctx.node.warmSeen.get(scope)
    const members = ready.get(warmKey(pool)) ?? []
    return members.map((member) => ({ scope, member, at: known?.has(member) === true ? before : after }))
  })
  if (sightings.length > 0) await ctx.storage.presence.touch(sightings)
  const scopes = new Set(asked.map(({ queueKey }) => warmScope(queueKey)))
  for (const scope of scopes) await forgetGone(ctx, scope, sightings)
  for (const scope of ctx.node.warmSeen.keys()) {
    if (scopes.has(scope)) continue
    // The queue no longer asks this node for warm servers. The servers of other nodes stay until those nodes, or their age, remove them.
    if ((await forgetGone(ctx, scope, [])) === 0) ctx.node.warmSeen.delete(scope)
  }
}

/** Removes the presence of this node's servers that are gone, and of servers without a recent report. Returns the number of the others. */
async function forgetGone(
  ctx: Service,
  scope: string,
  sightings: readonly { readonly scope: string; readonly member: string }[],
): Promise<number> {
  const here = new Set(sightings.filter((one) => one.scope === scope).map(({ member }) => member))
  const own = ctx.node.warmSeen.get(scope) ?? new Set()
  const seen = await ctx.storage.presence.read(scope)
  const gone = seen.filter(
    ({ member, at }) => !here.has(member) && (own.has(member) || ctx.clock.now() - at > WARM_SEEN_WITHIN_MS),
  )
  if (gone.length > 0) await ctx.storage.presence.forgetMembers(scope, gone)
  ctx.node.warmSeen.set(scope, here)
  return seen.length - gone.length
}
