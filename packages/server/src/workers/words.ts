import type { BuildType } from '@matchyard/core'
import type { ServerLogLine, Where } from '@matchyard/core/ports'
import type { Figures } from '../metrics/summed-figures'
import type { StopSignal } from '../service/signals'

/** The worker that runs the game servers, and is the node itself; the others are beside it. */
export const FIRST = 1

/** What runs game servers, as the other workers must know it. */
export interface DescribedOrchestrator {
  readonly name: string
  readonly sharedAs?: string
  readonly buildTypes: readonly BuildType[]
  readonly keepsWarm: boolean
}

type BuildLogLine = readonly [level: 'info' | 'warn' | 'error', message: string]

export interface PreparedImage {
  readonly log: readonly BuildLogLine[]
  readonly result:
    | { readonly ok: true; readonly image: string; readonly sizeBytes: number }
    | { readonly ok: false; readonly message: string }
}

/** What only the first worker can answer, also asked by way of the primary. */
export type OfGameServers = {
  readonly logs: {
    readonly given: { readonly instanceId: string; readonly limit: number; readonly since?: number } & Where
    readonly answer: ServerLogLine[]
  }
  readonly prepareImage: { readonly given: string; readonly answer: PreparedImage }
  readonly prune: { readonly given: undefined; readonly answer: undefined }
}

/** By when it has answered: a look at a registry may be far, and the image large. */
export const OF_GAME_SERVERS_WITHIN_MS: Readonly<Record<keyof OfGameServers, number>> = {
  logs: 5_000,
  prepareImage: 600_000,
  prune: 60_000,
}

/** What the primary asks a worker. */
export type OfWorker = OfGameServers & {
  /** What it has counted since its start. */
  readonly figures: { readonly given: undefined; readonly answer: Figures }
  readonly stop: { readonly given: StopSignal; readonly answer: undefined }
}

/** What a worker asks the primary. */
export type OfPrimary = OfGameServers & {
  /** Says that it listens. */
  readonly up: {
    readonly given: { readonly baseUrl: string; readonly orchestrator: DescribedOrchestrator | null }
    readonly answer: undefined
  }
  readonly orchestrator: { readonly given: undefined; readonly answer: DescribedOrchestrator | null }
  /** The figures of all workers together, as Prometheus reads them. */
  readonly page: { readonly given: undefined; readonly answer: string }
}
