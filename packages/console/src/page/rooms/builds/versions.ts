import type { Build, Queue } from '@matchyard/client/admin'
import type { Named } from './named'

/** The version that a queue pins of its build; undefined where it launches the newest. */
export const pinOf = ({ server_settings }: Queue): number | undefined => server_settings?.version ?? undefined

/** The queues of a build's name that pin one of its versions. */
export const pinned = ({ queues }: Named): readonly Queue[] => queues.filter((queue) => pinOf(queue) !== undefined)

/** The queues whose matches launch this version now. */
export const launchedBy = ({ queues, ready }: Named, { version }: Build): readonly Queue[] =>
  queues.filter((queue) => (pinOf(queue) ?? ready?.version) === version)

/** Returns, as words, the version that a new match gets: one, or one for each pin of its queues. */
export function launchedNow({ queues, ready }: Named): string | undefined {
  const wanted = queues.length === 0 ? [ready?.version] : queues.map((queue) => pinOf(queue) ?? ready?.version)
  const versions = [...new Set(wanted)].filter((one) => one !== undefined).sort((a, b) => b - a)
  return versions.length === 0
    ? undefined
    : versions
        .slice(0, 3)
        .map((one) => `v${one}`)
        .join(', ')
}

/** Names of queues in a sentence: the first three, and how many more. */
export function queueNames(queues: readonly Queue[]): string {
  const names = queues.slice(0, 3).map(({ name }) => name.slice(0, 40))
  return queues.length > 3 ? `${names.join(', ')} and ${queues.length - 3} more` : names.join(', ')
}
