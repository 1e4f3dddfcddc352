import type { ProjectProblem } from '@matchyard/client/admin'

/** A place where a problem is mended. */
export interface Lead {
  readonly label: string
  /** As `href` takes it. */
  readonly path: readonly string[]
  /** The part of the view that is shown there. */
  readonly show?: string
}

const to = (label: string, ...path: readonly string[]): Lead => ({ label, path })

/** Where a problem is mended, the likeliest place first. */
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

/** Links for failed servers: the log of the last one and its version; without any run, the queue's settings and the build. */
function ofServers({ subject: { kind, id }, details, code }: ProjectProblem): readonly Lead[] {
  const { version_tag: tag, build_id: build, instance_ids: [last] = [] } = details
  if (tag !== undefined && build !== undefined) {
    const log = last === undefined ? [] : [to('Open the log', 'servers', last)]
    return [...log, to(code === 'servers_crashed' ? 'Roll back' : 'Open the build', 'builds', tag, build)]
  }
  const settings: Lead[] = kind === 'queue' ? [{ ...to('Game server settings', 'queues', id), show: 'server' }] : []
  return tag === undefined ? settings : [...settings, to('Open the build', 'builds', tag)]
}
