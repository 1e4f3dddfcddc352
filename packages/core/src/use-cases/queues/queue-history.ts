import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { transact, unavailableInsteadOf } from '../../commit/transact'
import { ServiceError, validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import type { InProject } from '../../project/in-project'
import { queueFaults } from '../../queue/faults'
import {
  historyOf,
  QUEUE_VERSIONS_KEPT,
  type QueueHistoryEntry,
  queueVersionId,
  withSettingsOf,
} from '../../queue/queue-version'
import type { ByActor } from '../../reads/actor'
import { versionsOf } from '../../reads/queue-versions'
import { type QueueAnswer, queueNow } from '../../reads/queue-warnings'
import { requireQueue } from '../../reads/require'
import { windowOf } from '../../reads/window'
import { type Page, withinBytes } from '../../shared/page'
import { changeQueue } from './change-queue'

export interface QueueHistoryInput extends InProject {
  /** Id of the queue. */
  readonly queueId: string
  /** Maximum number of versions on a page, 1 to 100. Default: 50. */
  readonly limit?: number | undefined
  /** Number of versions before the page. Default: 0. */
  readonly offset?: number | undefined
}

/** Returns the kept versions of a queue, newest first: at most 100. Throws QUEUE_NOT_FOUND. */
export function queueHistory(ctx: Ports, input: QueueHistoryInput): Promise<Page<QueueHistoryEntry>> {
  return unavailableInsteadOf(async () => {
    const queue = await requireQueue(ctx, input.projectId, input.queueId)
    const entries = historyOf(await versionsOf(ctx, queue))
    const { offset, limit, maxBytes } = windowOf(input)
    return { total: entries.length, data: withinBytes(entries.slice(offset, offset + limit), maxBytes) }
  })
}

export interface RestoreQueueInput extends InProject, ByActor {
  /** Id of the queue. */
  readonly queueId: string
  /** Version to restore, as the history lists it. */
  readonly version: number
}

export function restoreQueue(ctx: Service, input: RestoreQueueInput, call?: CallOptions): Promise<QueueAnswer> {
  const restore = async () => {
    const before = await requireQueue(ctx, input.projectId, input.queueId)
    const version = await ctx.storage.get('queue-version', queueVersionId(before, input.version))
    if (version === undefined) {
      const detail = `the history of queue ${before.queueId} has no version ${input.version}; it contains at most the newest ${QUEUE_VERSIONS_KEPT} versions`
      throw new ServiceError('QUEUE_VERSION_NOT_FOUND', detail)
    }
    const draft = new Draft(ctx.clock.now())
    const after = withSettingsOf(before, version)
    // Settings that were valid in an earlier release may be invalid now.
    const issues = queueFaults(after)
    if (issues.length > 0) throw validationFailed(issues)
    return { draft, about: { id: input.queueId }, answer: await changeQueue(ctx, draft, { before, after }, input) }
  }
  return transact(ctx, call, restore, ({ id }) => queueNow(ctx, input.projectId, id))
}
