import type { Orchestrator } from '@matchyard/core/ports'
import type { Figures } from '../metrics/summed-figures'
import type { HeardSignal } from './signals'

/** Functions of a worker that the other processes of the same node call. */
export interface Served {
  readonly figures: () => Promise<Figures>
  readonly orchestrator: Orchestrator | undefined
}

/** Role of a service process that is one of several processes of one node, on one port. */
export interface Place {
  readonly number: number
  /** Whether this is the worker that runs the game servers and reports for the node. */
  readonly isFirst: boolean
  /**
   * Returns the id of this process among all processes of the storage. It is the same after a restart. It contains a
   * slash, except in the first worker, and no `NODE_ID` contains a slash.
   */
  nodeIdOf(node: string): string
  /** Sets the function that is called when the primary process asks this process to stop. */
  hearStop(listener: HeardSignal): void
  /** Sets the functions that other processes call. From then on this process answers their questions. */
  serve(served: Served): void
  /**
   * Returns the first worker's orchestrator in a form that this worker can use; undefined when no game servers are run.
   */
  orchestrator(node: string): Promise<Orchestrator | undefined>
  tellUp(baseUrl: string): Promise<void>
  /** Returns the metrics page with the sums of all workers. */
  page(): Promise<string>
}
