import { followUps } from '../commit/follow-ups'
import { ofServer } from '../commit/of-server'
import { change } from '../commit/transact'
import { accept } from '../errors/decision'
import type { Service } from '../node/service'
import type { Ports } from '../ports/ports'
import { loseNode } from '../server/decide'
import { isLaunching, isOwned, type OwnedServer } from '../server/game-server'
import { neverReady } from './never-ready'
import { endedUnseen } from './observed'
import { machineOf } from './place'

/** Looks within the time after which a silent node is lost: a single lost look must not decide. */
const LOOKS = 6
const MEMBER = 'node'
const scopeOf = (nodeId: string) => `node:${nodeId}`

/** Begins the member that a node's address for the others is. */
const PEER = 'peer '

/** When a node said last that it lives, by its own clock; undefined of one that never did, or is given up. */
export const nodeSighting = async (ctx: Ports, nodeId: string): Promise<number | undefined> =>
  (await ctx.storage.presence.read(scopeOf(nodeId))).find(({ member }) => member === MEMBER)?.at

/** The URL by which a node is asked; undefined of one that told none when it said last that it lives, or is given up. */
export async function peerUrlOf(ctx: Ports, nodeId: string): Promise<string | undefined> {
  const seen = await ctx.storage.presence.read(scopeOf(nodeId))
  const at = seen.find(({ member }) => member === MEMBER)?.at
  return seen.find((one) => one.member.startsWith(PEER) && one.at === at)?.member.slice(PEER.length)
}

interface Heard {
  /** Last heartbeat of the node, by its own clock. Only a change counts, so clocks need not agree. */
  readonly sighting: number | undefined
  /** Since when, by this node's clock, nothing new was heard. */
  readonly since: number
}

/**
 * Game servers belong to the node that launched them; when that node is gone for good, the others end its servers in the record.
 * A node says that it lives by touching its presence. One that is silent for `nodeLostAfterMs` is lost, and silence counts
 * only while this node looked: after a pause of its own, or of the storage, everybody has the full time again.
 * Safe to be wrong about: whichever node comes back finds its processes without live records, and stops them as strays.
 */
export class NodeWatch {
  private readonly heard = new Map<string, Heard>()
  private lookedAt = Number.NEGATIVE_INFINITY

  constructor(private readonly ctx: Service) {}

  /** Milliseconds between two looks. */
  get everyMs(): number {
    return this.ctx.settings.nodeLostAfterMs / LOOKS
  }

  /** Says that this node lives, and ends the servers of those that were silent for too long. */
  async look(): Promise<void> {
    const { storage, clock, logger, peers } = this.ctx
    const own = machineOf(this.ctx)
    const members = peers.url === undefined ? [MEMBER] : [MEMBER, `${PEER}${peers.url}`]
    const [scope, at] = [scopeOf(own), clock.now()]
    await storage.presence.touch(members.map((member) => ({ scope, member, at })))
    const elsewhere = (await storage.servers.nodes()).filter((nodeId) => nodeId !== own)
    for (const nodeId of this.heard.keys()) if (!elsewhere.includes(nodeId)) this.heard.delete(nodeId)
    if (clock.now() - this.lookedAt > 2 * this.everyMs) this.heard.clear()
    for (const nodeId of elsewhere) {
      if (!(await this.isLost(nodeId))) continue
      const servers = (await storage.servers.listLive(nodeId)).filter(isOwned)
      if (servers.length === 0) continue
      logger.warn('a node is gone; its game servers are ended in the record', { node: nodeId, servers: servers.length })
      for (const server of servers) await endWithNode(this.ctx, server)
      await storage.presence.forget(scopeOf(nodeId))
    }
    // Only a completed read counts: a node whose heartbeat could not be read was not silent.
    this.lookedAt = clock.now()
  }

  private async isLost(nodeId: string): Promise<boolean> {
    const { clock, settings } = this.ctx
    const sighting = await nodeSighting(this.ctx, nodeId)
    const before = this.heard.get(nodeId)
    if (before === undefined || before.sighting !== sighting) {
      this.heard.set(nodeId, { sighting, since: clock.now() })
      return false
    }
    return clock.now() - before.since >= settings.nodeLostAfterMs
  }
}

async function endWithNode(ctx: Service, server: OwnedServer): Promise<void> {
  const { at } = await endedUnseen(ctx, server)
  const ran = await neverReady(ctx, server)
  const { nodeId, attempt } = server
  await change(ctx, ofServer, server.id, (now, draft) => {
    const events = loseNode(now, { nodeId, attempt, at }, ran)
    // The worker of the launch may have died with its node; the next attempt is made where there is capacity.
    if (isLaunching(now) && events.length > 0) draft.job(...followUps.launchAgain(now, draft.at))
    return accept(...events)
  })
}
