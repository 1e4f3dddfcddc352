import type { Account } from '../../account/account'
import { buildQuota } from '../../billing/limits'
import type { Build } from '../../build/build'
import type { BuildEvent } from '../../build/events'
import { evolveBuildAll, isCounted } from '../../build/evolve'
import { buildCounter } from '../counters'
import type { Draft } from '../draft'
import { followUps } from '../follow-ups'

const FAILURES: ReadonlySet<BuildEvent['type']> = new Set(['processing_failed', 'upload_expired', 'upload_refused'])

/** Adds a new build. The commit fails when the account's plan allows no more builds. */
export function putBuild(draft: Draft, build: Build, account: Account): Build {
  draft.create('build', build)
  draft.counter(buildCounter(account.id), 1, buildQuota(account))
  draft.job(...followUps.buildCreated(build, draft.at))
  return build
}

/**
 * Applies events to a build: adds the row, the account's counter, the follow-up jobs and the domain events to the draft. Returns the next
 * state.
 */
export function writeBuild(draft: Draft, before: Build, events: readonly BuildEvent[]): Build {
  const after = evolveBuildAll(before, events, draft.at)
  if (after === before) return before
  draft.replace('build', before, after)
  if (isCounted(before) && !isCounted(after)) draft.counter(buildCounter(after.accountId), -1)
  const { id: buildId, name, projectId, errorMessage } = after
  for (const event of events) {
    if (event.type === 'processing_succeeded') draft.tell({ type: 'build_ready', buildId, name, projectId })
    if (FAILURES.has(event.type)) {
      draft.tell({ type: 'build_failed', buildId, name, errorMessage: errorMessage ?? '', projectId })
    }
    draft.job(...followUps.build(after, event, draft.at))
  }
  return after
}
