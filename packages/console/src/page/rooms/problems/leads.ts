import type { ProjectProblem } from '@matchyard/client/admin'

/** Link to a view in which the user can solve a problem. */
export interface Lead {
  readonly label: string
  /** Arguments for `href`. */
  readonly path: readonly string[]
  /** Query of that address: the part of the view that opens (`show`), the text of its search (`find`), or filters. */
  readonly query?: Readonly<Record<string, string>>
}

const to = (label: string, ...path: readonly string[]): Lead => ({ label, path })

/** Returns the links for a problem, the most useful first. Only operators can open the machines. */
export function leadsOf(problem: ProjectProblem, isOperator: boolean): readonly Lead[] {
  const { subject, details, code } = problem
  const { kind, id } = subject
  switch (kind) {
    case 'queue':
    case 'server':
      return code === 'launches_failed' || code === 'servers_crashed' || code === 'build_not_ready'
        ? [...ofServers(problem), ...(kind === 'queue' ? [pause(id)] : [])]
        : [...(isOperator ? ofMachines(problem) : []), to('Open the queue', 'queues', id), pause(id)]
    case 'build':
      return [to('Open the build', 'builds', ...(details.version_tag === undefined ? [] : [details.version_tag, id]))]
    case 'webhook':
      return [to('Open the webhook', 'settings', 'webhooks', id)]
    case 'node':
      return isOperator ? [to('Open the machine', 'machines', id)] : [to('Open the servers', 'servers')]
    case 'account':
      return [to('Open the plan', 'usage')]
    case 'project':
      return [to('Open the budget', 'usage')]
  }
}

/** Returns the link to the switch that disables a queue, so that no new search begins in it. */
const pause = (queueId: string): Lead => ({ ...to('Pause the queue', 'queues', queueId), query: { show: 'lobbies' } })

/** Returns the link to the machines for a problem of servers or players that wait for a machine. */
function ofMachines({ code, details: { region } }: ProjectProblem): readonly Lead[] {
  const machines = to('Open the machines', 'machines')
  if (region !== undefined) return [{ ...machines, query: { find: region } }]
  return code === 'waiting_for_room' ? [machines] : []
}

/**
 * Returns the links for failed servers: the log of the last failed server, and the build version of that server. If the
 * version is unknown, the links lead to the queue's server settings and to the build.
 */
function ofServers({ subject: { kind, id }, details, code }: ProjectProblem): readonly Lead[] {
  const { version_tag: tag, build_id: build, build_version: version, instance_ids: [last] = [] } = details
  if (tag !== undefined && build !== undefined) {
    const log = last === undefined ? [] : [to('Open the log', 'servers', last)]
    const alike: Lead = {
      ...to('Crashed matches', 'matches'),
      query: { show: 'past', build: `${tag}@${version}`, reason: 'server_failed' },
    }
    const matches = code === 'servers_crashed' && version !== undefined ? [alike] : []
    return [...log, ...matches, to(code === 'servers_crashed' ? 'Roll back' : 'Open the build', 'builds', tag, build)]
  }
  const settings: Lead[] =
    kind === 'queue' ? [{ ...to('Game server settings', 'queues', id), query: { show: 'server' } }] : []
  return tag === undefined ? settings : [...settings, to('Open the build', 'builds', tag)]
}
