import type { Orchestrator } from '@matchyard/core/ports'
import type { Figures } from '../metrics/summed-figures'
import type { HeardSignal } from './signals'

/** What a process answers the others of its node. */
export interface Served {
  readonly figures: () => Promise<Figures>
  readonly orchestrator: Orchestrator | undefined
}

/** Where a service stands among several processes of a node on one port. */
export interface Place {
  readonly number: number
  /** The one that runs the game servers, and tells what is told once. */
  readonly isFirst: boolean
  /** Names this process among those that share the storage, the same after a restart. No `NODE_ID` has a slash. */
  nodeIdOf(node: string): string
  /** How the primary says that it is time to stop. */
  hearStop(listener: HeardSignal): void
  /** From now on the others are answered. */
  serve(served: Served): void
  /** What the first worker, which has the node's name, runs game servers with, as this one uses it; undefined where none are run. */
  orchestrator(node: string): Promise<Orchestrator | undefined>
  tellUp(baseUrl: string): Promise<void>
  /** What all workers have counted. */
  page(): Promise<string>
}
