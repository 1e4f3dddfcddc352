import type { AgentFacts, ObservedBatch, WantedCall } from '../agent/protocol'
import { RemoteControl } from '../agent/remote-control'
import { ofMachine } from '../commit/of-machine'
import { change } from '../commit/transact'
import { ServiceError } from '../errors/service-error'
import { decideHost, invalidMachineToken } from '../machine/decide'
import type { MachineRecord } from '../machine/record'
import { newNode } from '../node/new-node'
import type { Service } from '../node/service'
import { agentsOrchestrator } from '../ports/none'
import type { Ports } from '../ports/ports'
import { withdrawMachine } from '../runtime/report-machine'
import { jsonEqual } from '../shared/json'
import { SECOND_MS } from '../shared/time'
import type { HostedLoops } from './hosted-loops'
import { MachineLoop } from './machine-loop'

/** Maximum number of machines of agents that one node hosts. */
const MAX_HOSTED_MACHINES = 500
/** Milliseconds after which an agent with another id may take a machine whose agent is silent. */
const LEASE_MS = 15 * SECOND_MS
/** Milliseconds between two renewals of that lease. */
const RENEW_MS = 5 * SECOND_MS
/** Milliseconds for which the machine of a cut stream waits for its agent on this node. */
const RECONNECT_MS = 10 * SECOND_MS
/** Milliseconds without a batch after which the stream of an agent counts as cut. An agent sends a batch at least every 10 s. */
const SILENT_MS = 25 * SECOND_MS
/** Maximum milliseconds for which the end of a hosted machine waits for its running jobs. */
const STOP_WITHIN_MS = 5 * SECOND_MS

/** Cause of the end of an agent's stream by the service. */
export type AgentEnd = 'replaced' | 'revoked' | 'silent' | 'stopped'

/** Stream of an agent that has authenticated itself by the token of its machine. */
export interface AgentConnection {
  /** Machine of the token. */
  readonly machineId: string
  /** SHA-256 of the token that the agent sent, as `authenticateMachine` returns it. Absent: any token that the machine has counts. */
  readonly tokenHash?: string | undefined
  /** Properties that the agent told. */
  readonly facts: AgentFacts
  /** Sends a call to the agent. Returns false when the stream takes no more; the stream then counts as cut. */
  readonly send: (call: WantedCall) => boolean
  /** Called when the service ends the stream. */
  readonly onEnd: (reason: AgentEnd) => void
}

/** Connected stream of an agent. */
export interface AgentStream {
  /** Name of the session, which the agent repeats in its batches. */
  readonly session: string
  /** Reports that the stream was cut. */
  cut(): void
}

/** Effect of a batch. `foreign`: it is of an earlier session. `elsewhere`: this node holds no stream of the machine. */
export type BatchEffect = 'heard' | 'repeated' | 'foreign' | 'elsewhere'

interface Hosted {
  readonly machineId: string
  readonly agentId: string
  readonly facts: AgentFacts
  readonly tokenHash: string | undefined
  readonly control: RemoteControl
  readonly ctx: Service
  readonly loop: MachineLoop
  session: string
  /** Version of the machine's record with this session. Records that were read before have another session. */
  hostedAs: number
  onEnd: (reason: AgentEnd) => void
  cancelEnd: () => void
  cancelRenewal: () => void
}

/**
 * Machines of agents that this node hosts, because it holds the streams of their agents. For the records and for other nodes, such a machine
 * is a node of its own: its servers belong to it, and any node may host it later. When a stream is cut, the game servers go on.
 */
export class AgentHosts {
  private readonly hosted = new Map<string, Hosted>()
  private sessions = 0
  private isStopped = false

  constructor(
    private readonly ctx: Service,
    private readonly loops: HostedLoops,
  ) {
    loops.whenLooked(() => {
      for (const machineId of this.hosted.keys()) this.look(machineId)
    })
  }

  /**
   * Hosts the machine of an agent. Throws INVALID_MACHINE_TOKEN when the machine has no token any more, CONFLICT while another agent with the
   * same token is live, and UNAVAILABLE when this node hosts too many machines.
   */
  connect(connection: AgentConnection): Promise<AgentStream> {
    return this.ctx.node.turns.run(leaseOf(connection.machineId), () => this.connectInTurn(connection))
  }

  private async connectInTurn({ machineId, tokenHash, facts, send, onEnd }: AgentConnection): Promise<AgentStream> {
    const { storage, clock, settings } = this.ctx
    const before = this.hosted.get(machineId)
    if (this.isStopped || (before === undefined && this.hosted.size >= MAX_HOSTED_MACHINES))
      throw new ServiceError('UNAVAILABLE', 'this node takes no further agents; try again shortly')
    if (!(await storage.leases.acquire(leaseOf(machineId), facts.agentId, clock.now(), LEASE_MS)))
      throw new ServiceError('CONFLICT', `another agent is connected with the token of ${machineId}`)
    const session = `${settings.nodeId}:${clock.now()}:${++this.sessions}`
    const record = await this.recordSession(machineId, session, tokenHash)
    before?.onEnd('replaced')
    const isSame = before !== undefined && before.tokenHash === record?.tokenHash && isEqual(before.facts, facts)
    if (before !== undefined && !isSame) await this.end(before)
    const isHosted = isSame && this.hosted.get(machineId) === before
    const hosted = isHosted ? before : this.host({ machineId, facts, tokenHash: record?.tokenHash, session, onEnd })
    hosted.cancelEnd()
    Object.assign(hosted, { session, onEnd, hostedAs: record?.version ?? 0, cancelEnd: () => {} })
    hosted.control.connect(facts, session, send)
    if (!isHosted) await this.begin(hosted).catch((error) => this.failed(hosted, error))
    return { session, cut: () => this.cut(hosted, session) }
  }

  /** Records the session. Until then, and when it fails, the session before it counts. */
  private async recordSession(
    machineId: string,
    session: string,
    tokenHash: string | undefined,
  ): Promise<MachineRecord | undefined> {
    const before = this.hosted.get(machineId)
    const hostedAs = before?.hostedAs ?? 0
    // Meanwhile this node may read the new session, which is not one of another node.
    if (before !== undefined) before.hostedAs = Number.POSITIVE_INFINITY
    try {
      return await change(this.ctx, ofMachine, machineId, (machine) => decideHost(machine, session, tokenHash), {
        missing: () => invalidMachineToken('its machine was removed'),
      })
    } catch (error) {
      if (before !== undefined) before.hostedAs = hostedAs
      throw error
    }
  }

  /** Takes a batch of the agent of a machine. */
  hear({ machineId, batch }: { readonly machineId: string; readonly batch: ObservedBatch }): BatchEffect {
    return this.hosted.get(machineId)?.control.hear(batch) ?? 'elsewhere'
  }

  /** Ends all streams, because the service stops. The agents connect to another node. */
  async stop(): Promise<void> {
    this.isStopped = true
    await Promise.all(
      [...this.hosted.values()].map(async (hosted) => {
        await this.end(hosted)
        hosted.onEnd('stopped')
      }),
    )
  }

  private host(given: {
    readonly machineId: string
    readonly facts: AgentFacts
    readonly tokenHash: string | undefined
    readonly session: string
    readonly onEnd: (reason: AgentEnd) => void
  }): Hosted {
    const { machineId, facts, tokenHash, session, onEnd } = given
    const { clock, timers, logger } = this.ctx
    const control = new RemoteControl({ name: agentsOrchestrator.name, machineId, clock, timers, logger })
    const ctx = this.serviceFor(machineId, facts, control)
    const loop = new MachineLoop(ctx, (lane, claimAt) => this.loops.jobDone(lane, claimAt))
    const { agentId } = facts
    const none = { hostedAs: Number.POSITIVE_INFINITY, cancelEnd: () => {}, cancelRenewal: () => {} }
    const hosted: Hosted = { machineId, agentId, facts, tokenHash, control, ctx, loop, session, onEnd, ...none }
    this.hosted.set(machineId, hosted)
    this.ctx.node.hosted.set(machineId, ctx)
    return hosted
  }

  /** Returns the service as the node of the machine. */
  private serviceFor(machineId: string, facts: AgentFacts, control: RemoteControl): Service {
    const { node, ...ports } = this.ctx
    const { host, release, regions, beacons } = facts
    const load = () => control.load
    const session = () => this.hosted.get(machineId)?.session ?? ''
    const machine = {
      name: machineId,
      kind: 'agent',
      session,
      host,
      release: release ?? undefined,
      load,
      beacons,
    } as const
    const own: Ports = {
      ...ports,
      orchestrator: control.orchestrator,
      settings: { ...ports.settings, nodeId: machineId, regions, machine },
    }
    return { ...own, node: { ...newNode(own), events: node.events, machines: node.machines } }
  }

  private async begin(hosted: Hosted): Promise<void> {
    const { machineId, loop, ctx } = hosted
    this.renewLater(hosted)
    // The node that hosted the machine before has lost its agent.
    await ctx.storage.jobs.releaseHeld(machineId)
    await loop.report()
    if (this.hosted.get(machineId) !== hosted) return
    this.loops.add(machineId, loop)
    loop.start()
  }

  private async failed(hosted: Hosted, error: unknown): Promise<never> {
    await this.end(hosted).catch(() => {})
    throw error
  }

  private cut(hosted: Hosted, session: string): void {
    if (hosted.session !== session || this.hosted.get(hosted.machineId) !== hosted) return
    hosted.control.cut()
    hosted.cancelEnd()
    hosted.cancelEnd = this.ctx.timers.after(RECONNECT_MS, () => void this.end(hosted).catch(() => {}))
  }

  /** Leaves the machine to another node, or to nobody. Its game servers go on. */
  private async end(hosted: Hosted): Promise<void> {
    const { machineId, agentId, loop, control, ctx } = hosted
    if (this.hosted.get(machineId) !== hosted) return
    this.hosted.delete(machineId)
    this.ctx.node.hosted.delete(machineId)
    hosted.cancelEnd()
    hosted.cancelRenewal()
    this.loops.remove(machineId, loop)
    control.close()
    await loop.stop(STOP_WITHIN_MS)
    // Another node may host the machine by now, and has reported it.
    const record = await ctx.storage.get('machine', machineId)
    if (record !== undefined && record.session !== hosted.session) return
    await withdrawMachine(ctx)
    await ctx.storage.leases.release(leaseOf(machineId), agentId)
  }

  /** Ends the stream when its token is no longer valid, when another node hosts the machine, or when the agent is silent. */
  private look(machineId: string): void {
    const hosted = this.hosted.get(machineId)
    if (hosted === undefined) return
    const { ctx, control, tokenHash, session } = hosted
    const record = ctx.node.machines.recordOf(machineId)
    if ((record?.version ?? hosted.hostedAs) < hosted.hostedAs) return
    const isRevoked = record?.tokenHash !== tokenHash
    if (isRevoked || record?.session !== session) {
      void this.end(hosted).catch(() => {})
      hosted.onEnd(isRevoked ? 'revoked' : 'replaced')
    } else if (control.isConnected && ctx.clock.now() - (control.heardAt ?? 0) > SILENT_MS) {
      this.cut(hosted, session)
      hosted.onEnd('silent')
    }
  }

  private renewLater(hosted: Hosted): void {
    hosted.cancelRenewal = this.ctx.timers.after(RENEW_MS, async () => {
      const { machineId, agentId, control } = hosted
      if (control.isConnected)
        await this.ctx.storage.leases
          .acquire(leaseOf(machineId), agentId, this.ctx.clock.now(), LEASE_MS)
          .catch(() => false)
      if (this.hosted.get(machineId) === hosted) this.renewLater(hosted)
    })
  }
}

const leaseOf = (machineId: string): string => `agent:${machineId}`

const isEqual = (a: AgentFacts, b: AgentFacts): boolean => jsonEqual(a as never, b as never)
