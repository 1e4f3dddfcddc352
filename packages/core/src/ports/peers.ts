import type { ServerLogLine } from './orchestrator'

/** Query for the log of a game server, sent to the node that runs the server or was the last to run it. */
export interface PeerLogQuery {
  /** Node to which the query is sent. */
  readonly nodeId: string
  readonly projectId: string
  readonly instanceId: string
  readonly limit: number
  readonly since?: number
}

/** Calls to the other nodes that share the storage. A node that receives a query never passes it on to a third node. */
export interface Peers {
  /** URL at which the other nodes reach this node; undefined when they cannot reach it. */
  readonly url: string | undefined
  /** Returns the log lines, oldest first. Throws PeerSilent after a short timeout, or when the node's answer cannot be used. */
  logs(url: string, query: PeerLogQuery): Promise<ServerLogLine[]>
}

/**
 * Thrown when the other node does not answer, or when its answer cannot be used. `reason` is a clause for a developer, and contains no
 * address.
 */
export class PeerSilent extends Error {
  override readonly name = 'PeerSilent'
  constructor(readonly reason: string) {
    super(`the other node gave no answer: ${reason}`)
  }
}
