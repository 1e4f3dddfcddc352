import type { ProjectProblem } from '@matchyard/client/admin'
import { type Read, useProject, useRead } from './hooks'
import { href } from './route'

const LOOK_MS = 10_000

/** What somebody should mend, the gravest first; asked for again every ten seconds. */
export function useProblems(): Read<readonly ProjectProblem[]> {
  const { admin } = useProject()
  return useRead(() => admin.problems.list(), [admin], { every: LOOK_MS })
}

/** Where a problem is mended. */
export function placeOf({ subject: { kind, id }, details }: ProjectProblem): readonly [address: string, label: string] {
  switch (kind) {
    case 'queue':
      return [href('queues', id), 'Open the queue']
    case 'server':
      return [href('servers', id), 'Open the server']
    case 'build':
      return [
        details.version_tag === undefined ? href('builds') : href('builds', details.version_tag),
        'Open the build',
      ]
    case 'webhook':
      return [href('settings', 'webhooks', id), 'Open the webhook']
    case 'node':
      return [href('servers'), 'Open the servers']
    case 'account':
      return [href('usage'), 'Open the plan']
  }
}
