import type { ObservedBatch } from '../agent/protocol'
import { ServiceError } from '../errors/service-error'
import type { Orchestrator } from '../ports/orchestrator'
import type { AgentConnection, AgentStream, BatchEffect } from '../worker/agent-hosts'

/**
 * Calls for the agents of machines: programs that run game servers on machines without access to the storage. An HTTP adapter makes these
 * calls after `access.authenticateMachine`. The orchestrator of such an installation has `noMachine`.
 */
export interface AgentCalls {
  /**
   * Hosts the machine of an agent on this node until its stream is cut. Rejects with `INVALID_MACHINE_TOKEN` when the machine has no token any
   * more, with `CONFLICT` while another agent with the same token is connected or when the nodes run the game servers, and with `UNAVAILABLE` when this node hosts too many machines.
   */
  connect(connection: AgentConnection): Promise<AgentStream>
  /** Takes a batch of answers and reports of an agent. */
  hear(input: {
    /** Machine of the agent. */
    readonly machineId: string
    /** Batch as the agent sent it. */
    readonly batch: ObservedBatch
  }): BatchEffect
  /** Returns the URL at which other nodes reach the node that holds the stream of a machine's agent; undefined when it is unknown. */
  holderOf(machineId: string): Promise<string | undefined>
  /** Whether a live server of the machine, or a pool of warm servers in its regions, needs the archive of a build. */
  needsBuild(input: {
    /** Machine of the agent. */
    readonly machineId: string
    /** Build whose archive the agent requests. */
    readonly buildId: string
  }): Promise<boolean>
}

/** Throws `CONFLICT` when the nodes of the installation run game servers themselves: an agent would then wait for game servers in vain. */
export function requireForAgents({ noMachine }: Pick<Orchestrator, 'noMachine'>): void {
  if (noMachine === true) return
  throw new ServiceError(
    'CONFLICT',
    'this service takes no agents, because its nodes run the game servers; start all its nodes with ORCHESTRATOR=agents',
  )
}
