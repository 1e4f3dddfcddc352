import type { ProjectProblem } from '@matchyard/client/admin'

/** Link to a view in which the user can solve a problem. */
export interface Lead {
  readonly label: string
  /** Arguments for `href`. */
  readonly path: readonly string[]
  /** Part of the view that opens at that address. */
  readonly show?: string
}

const to = (label: string, ...path: readonly string[]): Lead => ({ label, path })

/** Returns the links for a problem, the most useful first. */
export function leadsOf(problem: ProjectProblem): readonly Lead[] {
  const { subject, details, code } = problem
  const { kind, id } = subject
  switch (kind) {
    case 'queue':
    case 'server':
      return code === 'launches_failed' || code === 'servers_crashed' || code === 'build_not_ready'
        ? ofServers(problem)
        : [to('Open the queue', 'queues', id)]
    case 'build':
      return [to('Open the build', 'builds', ...(details.version_tag === undefined ? [] : [details.version_tag, id]))]
    case 'webhook':
      return [to('Open the webhook', 'settings', 'webhooks', id)]
    case 'node':
      return [to('Open the servers', 'servers')]
    case 'account':
      return [to('Open the plan', 'usage')]
  }
}

/**
 * Returns the links for failed servers: the log of the last failed server, and the build version of that server. If the
 * version is unknown, the links lead to the queue's server settings and to the build.
 */
function ofServers({ subject: { kind, id }, details, code }: ProjectProblem): readonly Lead[] {
  const { version_tag: tag, build_id: build, instance_ids: [last] = [] } = details
  if (tag !== undefined && build !== undefined) {
    const log = last === undefined ? [] : [to('Open the log', 'servers', last)]
    return [...log, to(code === 'servers_crashed' ? 'Roll back' : 'Open the build', 'builds', tag, build)]
  }
  const settings: Lead[] = kind === 'queue' ? [{ ...to('Game server settings', 'queues', id), show: 'server' }] : []
  return tag === undefined ? settings : [...settings, to('Open the build', 'builds', tag)]
}
