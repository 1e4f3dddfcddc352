import type { Orchestrator } from '@matchyard/core/ports'
import type { Figures } from '../metrics/summed-figures'
import type { HeardSignal } from './signals'

/** Services of a process for the others of its node. */
export interface Served {
  readonly figures: () => Promise<Figures>
  readonly orchestrator: Orchestrator | undefined
}

/** Where a service stands among several processes of a node on one port. */
export interface Place {
  readonly number: number
  /** Whether this is the worker that runs the game servers and reports for the node. */
  readonly isFirst: boolean
  /** Names this process among those that share the storage, the same after a restart. No `NODE_ID` has a slash. */
  nodeIdOf(node: string): string
  /** How the primary says that it is time to stop. */
  hearStop(listener: HeardSignal): void
  /** From now on the others are answered. */
  serve(served: Served): void
  /** Returns the first worker's orchestrator for use by this worker; undefined where no game servers are run. */
  orchestrator(node: string): Promise<Orchestrator | undefined>
  tellUp(baseUrl: string): Promise<void>
  /** Returns the page with the sums of all workers. */
  page(): Promise<string>
}
