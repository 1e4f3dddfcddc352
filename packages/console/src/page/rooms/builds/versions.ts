import type { Build, Queue, Server } from '@matchyard/client/admin'
import { isLaunchable, type Named } from './named'

/** Returns the version that a queue is pinned to; undefined when the queue launches the newest version. */
export const pinOf = ({ server_settings }: Queue): number | undefined => server_settings?.version ?? undefined

/** Returns the queues that are pinned to a version of a build name. */
export const pinned = ({ queues }: Named): readonly Queue[] => queues.filter((queue) => pinOf(queue) !== undefined)

/** Returns the queues whose next matches launch this version. */
export const launchedBy = ({ queues, ready }: Named, { version }: Build): readonly Queue[] =>
  queues.filter((queue) => (pinOf(queue) ?? ready?.version) === version)

/** Returns the live servers that run a version. */
export const serversOn = ({ servers }: Named, { build_id }: Build): readonly Server[] =>
  servers.filter((server) => server.build_id === build_id)

/** Returns the number of live servers that run a version. */
export const runningOn = (named: Named, build: Build): number => serversOn(named, build).length

/** End of the sentence that says why a version cannot be launched, by status; a ready version must be disabled. */
const FAULTS: Readonly<Record<Build['status'], string>> = {
  uploading: 'is not uploaded yet',
  processing: 'is not processed yet',
  ready: 'is disabled',
  failed: 'has failed',
  deleted: 'is deleted',
}

/**
 * Returns the reason why a version cannot be launched; undefined when it can. Without a version, the function returns a
 * reason only when no version can be launched.
 */
export function faultOf(of: Named | undefined, version: number | undefined): string | undefined {
  if (version === undefined) return of?.ready === undefined ? 'no version can be launched' : undefined
  const build = of?.versions.find((one) => one.version === version)
  if (build === undefined) return `there is no v${version}`
  if (isLaunchable(build)) return undefined
  return `v${version} ${FAULTS[build.status]}`
}

/**
 * Description of the version that a new match launches. It names several versions when the queues have different pins.
 */
export interface Launched {
  /** `v3`, or `none: v2 is disabled`. */
  readonly words: string
  /** Whether at least one queue gets no server. */
  readonly isWrong: boolean
}

export function launchedNow(of: Named): Launched {
  const wanted = of.queues.length === 0 ? [undefined] : [...new Set(of.queues.map(pinOf))]
  const faults = wanted.map((version) => faultOf(of, version)).filter((fault) => fault !== undefined)
  const versions = wanted
    .filter((version) => faultOf(of, version) === undefined)
    .map((version) => version ?? of.ready?.version ?? 0)
  const launched = [...new Set(versions)].sort((a, b) => b - a).map((version) => `v${version}`)
  const words = [...launched.slice(0, 3), ...faults.slice(0, 3).map((fault) => `none: ${fault}`)]
  return { words: words.join('; '), isWrong: faults.length > 0 && of.queues.length > 0 }
}

/** Returns the names of the first three queues, and the number of the other queues. */
export function queueNames(queues: readonly Queue[]): string {
  const names = queues.slice(0, 3).map(({ name }) => name.slice(0, 40))
  return queues.length > 3 ? `${names.join(', ')} and ${queues.length - 3} more` : names.join(', ')
}
