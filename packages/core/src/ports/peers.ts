import type { ServerLogLine } from './orchestrator'

/** Query to another node for the log of a game server that it runs, or was the last to run. */
export interface PeerLogQuery {
  /** Node to which the query is sent. */
  readonly nodeId: string
  readonly projectId: string
  readonly instanceId: string
  readonly limit: number
  readonly since?: number
}

/** Calls to the other nodes that share the storage. A node that answers a query never passes it on to a third node. */
export interface Peers {
  /** URL at which the other nodes reach this node; undefined when they cannot reach it. */
  readonly url: string | undefined
  /** Returns the log lines, oldest first. Throws PeerSilent within a short time when the node gives no usable answer. */
  logs(url: string, query: PeerLogQuery): Promise<ServerLogLine[]>
}

/** Thrown when the other node gives no usable answer. `reason` is a clause for a developer, and names no address. */
export class PeerSilent extends Error {
  override readonly name = 'PeerSilent'
  constructor(readonly reason: string) {
    super(`the other node gave no answer: ${reason}`)
  }
}
