import { followUps } from '../commit/follow-ups'
import { ofServer } from '../commit/of-server'
import { change } from '../commit/transact'
import { accept } from '../errors/decision'
import { servesAll } from '../machine/machine'
import { machineOf } from '../node/place'
import type { Service } from '../node/service'
import { liveMachines, lookAtMachines, ownMachine } from '../reads/machines'
import { nodeScope, nodeSighting, noteHeartbeat } from '../reads/node-presence'
import { loseNode } from '../server/decide'
import { isLaunching, isOwned, type OwnedServer } from '../server/game-server'
import { noteDrained } from './drain'
import { neverReady } from './never-ready'
import { endedUnseen } from './observed'
import { reportMachine } from './report-machine'

/** Number of checks in the period `nodeLostAfterMs`. Several checks are needed, so that one missed check does not mean a lost node. */
const LOOKS = 6
/** Maximum machines that a log line names. */
const MACHINES_TOLD = 5
interface Heard {
  /**
   * Time of the node's last heartbeat, by that node's clock. It is only compared with earlier heartbeats of the same node, so the clocks of
   * nodes may differ.
   */
  readonly sighting: number | undefined
  /** Time, by this node's clock, since which the heartbeat has not changed. */
  readonly since: number
}

/**
 * Ends the servers of lost nodes in the records. A game server belongs to the node that launched it. A node sends heartbeats by recording
 * its presence, and a node without a heartbeat for `nodeLostAfterMs` is lost. Only time in which this node made its checks counts: after a
 * pause of this node or of the storage, the time without a heartbeat starts again for every node. A wrong decision does no harm: a node
 * that returns finds its processes without live records, and stops them as strays.
 */
export class NodeWatch {
  private readonly heard = new Map<string, Heard>()
  private lookedAt = Number.NEGATIVE_INFINITY
  private toldDefaults = false

  constructor(private readonly ctx: Service) {}

  /** Milliseconds between two checks. */
  get everyMs(): number {
    return this.ctx.settings.nodeLostAfterMs / LOOKS
  }

  /** Records this node's heartbeat, and ends the servers of lost nodes in the records. */
  async look(): Promise<void> {
    const { storage, clock, logger, peers } = this.ctx
    const own = machineOf(this.ctx)
    const at = clock.now()
    await noteHeartbeat(this.ctx, { nodeId: own, peerUrl: peers.url, goodbye: false }, at)
    await reportMachine(this.ctx, at)
    await lookAtMachines(this.ctx)
    await noteDrained(this.ctx)
    this.tellOfDefaults()
    const elsewhere = (await storage.servers.nodes()).filter((nodeId) => nodeId !== own)
    for (const nodeId of this.heard.keys()) if (!elsewhere.includes(nodeId)) this.heard.delete(nodeId)
    if (clock.now() - this.lookedAt > 2 * this.everyMs) this.heard.clear()
    for (const nodeId of elsewhere) {
      if (!(await this.isLost(nodeId))) continue
      const servers = (await storage.servers.listLive(nodeId)).filter(isOwned)
      if (servers.length === 0) continue
      logger.warn('a node is gone; its game servers are ended in the record', { node: nodeId, servers: servers.length })
      for (const server of servers) await endWithNode(this.ctx, server)
      await storage.presence.forget(nodeScope(nodeId))
    }
    // The time is set only after a completed check, because a node whose heartbeat could not be read may have sent one.
    this.lookedAt = clock.now()
  }

  /** Logs once that several machines, with this one among them, run the servers of every region. */
  private tellOfDefaults(): void {
    const all = liveMachines(this.ctx).filter(servesAll)
    if (this.toldDefaults || all.length < 2 || all[0]?.id !== ownMachine(this.ctx)?.id) return
    this.toldDefaults = true
    const machines = all.slice(0, MACHINES_TOLD).map(({ id }) => id)
    this.ctx.logger.info('several machines run servers of every region; set REGIONS on each where regions matter', {
      machines,
    })
  }

  private async isLost(nodeId: string): Promise<boolean> {
    const { clock, settings } = this.ctx
    const sighting = (await nodeSighting(this.ctx, nodeId))?.at
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
    // The worker of the launch may have died with its node. The launch is therefore scheduled again, for any node with capacity.
    if (isLaunching(now) && events.length > 0) draft.job(...followUps.launchAgain(now, draft.at))
    return accept(...events)
  })
}
