import type { ProjectProblem } from '@matchyard/client/admin'

/** A link to where a problem is mended. */
export type Lead = readonly [address: string, label: string]

/** Returns the address of a view, by the parts of its path. */
type Address = (...path: readonly string[]) => string

/** Returns the views where a problem is mended, the likeliest first. */
export function leadsOf(problem: ProjectProblem, href: Address): readonly Lead[] {
  const { subject, details, code } = problem
  const { kind, id } = subject
  switch (kind) {
    case 'queue':
    case 'server':
      return code === 'launches_failed' || code === 'servers_crashed' || code === 'build_not_ready'
        ? ofServers(problem, href)
        : [[href('queues', id), 'Open the queue']]
    case 'build':
      return [
        [
          details.version_tag === undefined ? href('builds') : href('builds', details.version_tag, id),
          'Open the build',
        ],
      ]
    case 'webhook':
      return [[href('settings', 'webhooks', id), 'Open the webhook']]
    case 'node':
      return [[href('servers'), 'Open the servers']]
    case 'account':
      return [[href('usage'), 'Open the plan']]
  }
}

/** Servers that failed, or that no build was there for: the log of the last, the version that ran, and the queue that says which runs. */
function ofServers({ subject: { kind, id }, details, code }: ProjectProblem, href: Address): readonly Lead[] {
  const { version_tag: tag, build_id: build, instance_ids: [last] = [] } = details
  const settings: readonly Lead[] =
    kind === 'queue' ? [[`${href('queues', id)}?show=server`, 'Game server settings']] : []
  if (tag === undefined) return settings
  // Without a version there was no program that could say anything.
  if (build === undefined) return [...settings, [href('builds', tag), 'Open the build']]
  const log: readonly Lead[] = last === undefined ? [] : [[href('servers', last), 'Open the log']]
  return [...log, [href('builds', tag, build), code === 'servers_crashed' ? 'Roll back' : 'Open the build']]
}
