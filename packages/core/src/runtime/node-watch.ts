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
 * its presence, and a node without a heartbeat for `nodeLostAfterMs` is lost; a node that said goodbye is lost after `machineAwayMs`. Only
 * time in which this node made its checks counts: after a pause of this node or of the storage, the time without a heartbeat starts again
 * for every node. A wrong decision does no harm: a node that returns finds its processes without live records, and stops them as strays.
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
    const { storage, clock, peers } = this.ctx
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
    for (const nodeId of elsewhere) await this.lookAtNode(nodeId)
    // The time is set only after a completed check, because a node whose heartbeat could not be read may have sent one.
    this.lookedAt = clock.now()
  }

  /** Records that this node stops on purpose and will be back, so that the other nodes wait longer for it. */
  async sayGoodbye(): Promise<void> {
    const { clock, peers } = this.ctx
    await noteHeartbeat(this.ctx, { nodeId: machineOf(this.ctx), peerUrl: peers.url, goodbye: true }, clock.now())
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

  /**
   * Ends the servers of a node that is silent for too long. A node that said goodbye may be away for `machineAwayMs`, because its game servers
   * go on without it; only its launches end as those of a lost node, so that other nodes make them.
   */
  private async lookAtNode(nodeId: string): Promise<void> {
    const { storage, settings, logger } = this.ctx
    const { silentMs, saidGoodbye } = await this.silenceOf(nodeId)
    if (silentMs < settings.nodeLostAfterMs) return
    const isAway = saidGoodbye && silentMs < settings.machineAwayMs
    const owned = (await storage.servers.listLive(nodeId)).filter(isOwned)
    const servers = isAway ? owned.filter(isLaunching) : owned
    if (servers.length === 0) return
    logger.warn('a node is gone; its game servers are ended in the record', { node: nodeId, servers: servers.length })
    for (const server of servers) await endWithNode(this.ctx, server)
    if (!isAway) await storage.presence.forget(nodeScope(nodeId))
  }

  /** Returns the time for which this node has observed that another node sends no heartbeat. */
  private async silenceOf(nodeId: string): Promise<{ readonly silentMs: number; readonly saidGoodbye: boolean }> {
    const { clock } = this.ctx
    const sighting = await nodeSighting(this.ctx, nodeId)
    const before = this.heard.get(nodeId)
    const since = before !== undefined && before.sighting === sighting?.at ? before.since : clock.now()
    this.heard.set(nodeId, { sighting: sighting?.at, since })
    return { silentMs: clock.now() - since, saidGoodbye: sighting?.saidGoodbye === true }
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
