import type { BuildType, Region } from '@matchyard/core'
import type { NodeLimits, ServerLogLine, Where } from '@matchyard/core/ports'
import type { Figures } from '../metrics/summed-figures'
import type { StopSignal } from '../service/signals'

/** Number of the worker that runs the game servers and uses the node's own id. */
export const FIRST = 1

/** Properties of the first worker's orchestrator that the other workers must know. */
export interface DescribedOrchestrator {
  readonly name: string
  readonly sharedAs?: string
  readonly buildTypes: readonly BuildType[]
  readonly keepsWarm: boolean
  readonly keepsSecretsCold: boolean
  readonly endsTls?: boolean
  readonly regions?: readonly Region[]
  readonly limits?: NodeLimits
}

type BuildLogLine = readonly [level: 'info' | 'warn' | 'error', message: string]

export interface PreparedImage {
  readonly log: readonly BuildLogLine[]
  readonly result:
    | { readonly ok: true; readonly image: string; readonly sizeBytes: number }
    | { readonly ok: false; readonly message: string }
}

/** Questions that only the first worker can answer. The other workers send them through the primary process. */
export type OfGameServers = {
  readonly logs: {
    readonly given: { readonly instanceId: string; readonly limit: number; readonly since?: number } & Where
    readonly answer: ServerLogLine[]
  }
  readonly prepareImage: { readonly given: string; readonly answer: PreparedImage }
  readonly prune: { readonly given: undefined; readonly answer: undefined }
}

/** Timeouts of these questions in milliseconds. A registry may be slow, and an image may be large. */
export const OF_GAME_SERVERS_WITHIN_MS: Readonly<Record<keyof OfGameServers, number>> = {
  logs: 5_000,
  prepareImage: 600_000,
  prune: 60_000,
}

/** Questions that the primary asks a worker. */
export type OfWorker = OfGameServers & {
  /** Metrics of the worker since its start. */
  readonly figures: { readonly given: undefined; readonly answer: Figures }
  readonly stop: { readonly given: StopSignal; readonly answer: undefined }
}

/** Questions that a worker asks the primary. */
export type OfPrimary = OfGameServers & {
  /** Reports to the primary that the worker listens. */
  readonly up: {
    readonly given: { readonly baseUrl: string; readonly orchestrator: DescribedOrchestrator | null }
    readonly answer: undefined
  }
  readonly orchestrator: { readonly given: undefined; readonly answer: DescribedOrchestrator | null }
  /** Metrics of all workers together, as text for Prometheus. */
  readonly page: { readonly given: undefined; readonly answer: string }
}
