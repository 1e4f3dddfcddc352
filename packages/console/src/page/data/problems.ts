import type { AdminClient, ProjectProblem } from '@matchyard/client/admin'
import { type Read, useProject, useRead } from './hooks'
import { href } from './route'

const LOOK_MS = 10_000

/** What somebody should mend, the gravest first; asked for again every ten seconds. */
export function useProblems(): Read<readonly ProjectProblem[]> {
  const { admin } = useProject()
  return useRead(() => listed(admin), [admin], { every: LOOK_MS })
}

type Listing = ReturnType<AdminClient['problems']['list']>
const listings = new WeakMap<AdminClient, { readonly at: number; readonly all: Listing }>()

/** The frame, the first screen and the room of problems each look: what one of them asked for a moment ago answers the others. */
function listed(admin: AdminClient): Listing {
  const known = listings.get(admin)
  if (known !== undefined && Date.now() - known.at < LOOK_MS / 2) return known.all
  const all = admin.problems.list()
  listings.set(admin, { at: Date.now(), all })
  // What failed is asked for again by whoever wants it.
  all.catch(() => listings.delete(admin))
  return all
}

/** A link to where a problem is mended. */
export type Lead = readonly [address: string, label: string]

/** Where a problem is mended: the first place is the likeliest. */
export function leadsOf(problem: ProjectProblem): readonly Lead[] {
  const { subject, details, code } = problem
  const { kind, id } = subject
  switch (kind) {
    case 'queue':
    case 'server':
      return code === 'launches_failed' || code === 'servers_crashed' || code === 'build_not_ready'
        ? ofServers(problem)
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
function ofServers({ subject: { kind, id }, details, code }: ProjectProblem): readonly Lead[] {
  const { version_tag: tag, build_id: build, instance_ids: [last] = [] } = details
  const settings: readonly Lead[] =
    kind === 'queue' ? [[`${href('queues', id)}?show=server`, 'Game server settings']] : []
  if (tag === undefined) return settings
  // Without a version there was no program that could say anything.
  if (build === undefined) return [...settings, [href('builds', tag), 'Open the build']]
  const log: readonly Lead[] = last === undefined ? [] : [[href('servers', last), 'Open the log']]
  return [...log, [href('builds', tag, build), code === 'servers_crashed' ? 'Roll back' : 'Open the build']]
}
