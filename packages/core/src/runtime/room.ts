import type { Build } from '../build/build'
import { DEFAULT_REGION } from '../catalog/regions'
import { DEFAULT_TIER, TIER_SIZES } from '../catalog/tiers'
import { machineOf } from '../node/place'
import type { Service } from '../node/service'
import type { HeldRoom, RoomAnswer, RoomWish } from '../ports/orchestrator'
import { isOwnOpen, ownMachine, regionsOf, runsHere } from '../reads/machines'
import { type GameServer, isOwned } from '../server/game-server'
import { noteArchive } from './unseen-archives'

/**
 * Key under which requests for capacity run one after another. If each of two servers fits alone, but not both together, the second request
 * is refused.
 */
const TURN = 'room'

export interface Admission {
  /** Releases the reserved capacity. Call it when the attempt is recorded, or when no attempt was made. */
  readonly settle: () => void
}

/** Requests capacity on this node, and reserves it until `settle` is called. Returns the refusal when no capacity is free. */
export function admit(
  ctx: Service,
  server: GameServer,
  build: Build,
): Promise<Admission | Exclude<RoomAnswer, { ok: true }>> {
  return ctx.node.turns.run(TURN, async () => {
    const tierSize = TIER_SIZES[server.tier]
    if (ownMachine(ctx) === undefined) return elsewhere('game servers run on the machines of agents')
    if (!isOwnOpen(ctx)) return elsewhere('this machine takes no new servers')
    if (!regionsOf(ctx).includes(server.region))
      return elsewhere(`this machine does not run servers of ${server.region}`)
    if (!runsHere(ctx, server)) return elsewhere('this machine has no certificate for ports with TLS')
    if (!ctx.orchestrator.capabilities.buildTypes.includes(build.type))
      return elsewhere(`this machine runs no builds of the type ${build.type}`)
    const archiveOf = build.type === 'zip' ? build.id : null
    const answer = await ask(ctx, { ...server, tierSize, archiveOf })
    noteArchive(ctx, build.id, answer.ok || answer.reason !== 'no_archive')
    if (answer.ok) return { settle: ctx.node.room.promise(server.id, tierSize) }
    if (answer.reason === 'no_archive') return answer
    if (!ctx.node.room.isFull) ctx.node.room.isFull = !(await fitsSmallest(ctx))
    return answer
  })
}

/** Returns a refusal for a server that only another machine can start. */
const elsewhere = (message: string): Exclude<RoomAnswer, { ok: true }> => ({ ok: false, reason: 'too_large', message })

export const isRefused = (
  answer: Admission | Exclude<RoomAnswer, { ok: true }>,
): answer is Exclude<RoomAnswer, { ok: true }> => 'ok' in answer

/** Checks whether a node that had no free capacity has some now. */
export function lookForRoom(ctx: Service): Promise<void> {
  return ctx.node.turns.run(TURN, async () => {
    if (ctx.node.room.isFull) ctx.node.room.isFull = ctx.node.room.isShut(ctx.clock.now()) || !(await fitsSmallest(ctx))
  })
}

/**
 * Whether the smallest server would fit. Must run within the queue of TURN. The answer `too_large` means that servers of this region or
 * size can never run on this node. Other servers may still fit, so the node does not count as full.
 */
async function fitsSmallest(ctx: Service): Promise<boolean> {
  const smallest = {
    id: '',
    tier: DEFAULT_TIER,
    tierSize: TIER_SIZES[DEFAULT_TIER],
    region: regionsOf(ctx)[0] ?? DEFAULT_REGION,
  }
  const answer = await ask(ctx, { ...smallest, archiveOf: null })
  return answer.ok || answer.reason === 'too_large'
}

type Asker = Pick<GameServer, 'id' | 'tier' | 'region'> & Pick<RoomWish, 'tierSize' | 'archiveOf'>

const ask = (ctx: Service, { id, tier, tierSize, region, archiveOf }: Asker): Promise<RoomAnswer> =>
  ctx.orchestrator.admit({ instanceId: id, tier, tierSize, region, archiveOf, held: () => heldHere(ctx, id) })

/** Returns the other servers that use capacity on this node: servers with a record, and admitted servers that have no record yet. */
async function heldHere(ctx: Service, instanceId: string): Promise<HeldRoom[]> {
  // Reservations are read before records. If a reservation is released between the two reads, the record has its server already.
  const held = new Map(ctx.node.room.promises())
  for (const server of await ctx.storage.servers.listLive(machineOf(ctx))) {
    if (isOwned(server)) held.set(server.id, TIER_SIZES[server.tier])
  }
  held.delete(instanceId)
  return [...held].map(([id, tierSize]) => ({ instanceId: id, tierSize }))
}
