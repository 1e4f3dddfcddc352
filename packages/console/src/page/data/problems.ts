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
