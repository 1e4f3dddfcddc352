import type { ServerLogLine } from './orchestrator'

/** A question to another node for the log of a game server that it runs, or ran last. */
export interface PeerLogQuery {
  /** The node that is asked. */
  readonly nodeId: string
  readonly projectId: string
  readonly instanceId: string
  readonly limit: number
  readonly since?: number
}

/** Asks the other nodes that share the storage. A node that is asked never asks a further one. */
export interface Peers {
  /** The URL by which the others ask this node; undefined where they cannot. */
  readonly url: string | undefined
  /** Returns the lines, oldest first. Throws PeerSilent, soon. */
  logs(url: string, query: PeerLogQuery): Promise<ServerLogLine[]>
}

/** The other node gave no answer that can be used. `reason` is a clause for a developer, and names no address. */
export class PeerSilent extends Error {
  override readonly name = 'PeerSilent'
  constructor(readonly reason: string) {
    super(`the other node gave no answer: ${reason}`)
  }
}
