import { gateFeature } from '../../billing/limits'
import { MAX_QUEUES } from '../../catalog/limits'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { putQueue } from '../../commit/rows/queue'
import { transact } from '../../commit/transact'
import { ServiceError, validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { CommitConflict } from '../../ports/storage/index'
import type { InProject } from '../../project/in-project'
import { queueFaults, unknownSettings } from '../../queue/faults'
import type { QueueSettings } from '../../queue/queue'
import { newQueue } from '../../queue/settings'
import { actorOf, type ByActor } from '../../reads/actor'
import { type QueueAnswer, queueNow, withWarnings } from '../../reads/queue-warnings'
import { accountOf, requireProject } from '../../reads/require'
import { requireFewer } from '../../reads/require-fewer'
import { checkRating } from './change-queue'

const QUEUES = { limit: 'max_queues', allowed: MAX_QUEUES, what: 'queue' }

export interface CreateQueueInput extends InProject, QueueSettings, ByActor {
  /** Id by which games name the queue: 1 to 64 characters of a-z, 0-9 and underscore. */
  readonly queueId: string
  /** Display name, 1 to 128 characters. */
  readonly name: string
}

/**
 * Creates a queue. The `warnings` of the answer name settings that make its matches fail or have no effect, for instance a build that is
 * not ready yet. Throws PLAN_LIMIT_EXCEEDED, VALIDATION_FAILED, QUEUE_EXISTS.
 */
export function createQueue(ctx: Service, input: CreateQueueInput, call?: CallOptions): Promise<QueueAnswer> {
  const create = async () => {
    const draft = new Draft(ctx.clock.now())
    const { projectId, queueId, by, ...settings } = input
    const queue = newQueue(projectId, queueId, settings, draft.at)
    const issues = [...unknownSettings(settings), ...queueFaults(queue)]
    if (issues.length > 0) throw validationFailed(issues)
    const project = await requireProject(ctx, projectId)
    const account = await accountOf(ctx, project)
    const gate = gateFeature(account, 'queues_enabled')
    if (!gate.ok) throw ServiceError.of(gate.rejected)
    const exists = new ServiceError(
      'QUEUE_EXISTS',
      `queue ${JSON.stringify(queueId)} already exists; change it with PATCH`,
    )
    if ((await ctx.storage.get('queue', queue.id)) !== undefined) throw exists
    await checkRating(ctx, draft, queue)
    await requireFewer(account, QUEUES, (page) => ctx.storage.queues.list(projectId, page))
    draft.check('project', project).check('account', account)
    const answer = await withWarnings(ctx, putQueue(draft, queue, await actorOf(ctx, by)))
    return {
      draft,
      answer,
      about: { id: queue.queueId },
      onConflict: ({ kind }: CommitConflict) => (kind === 'queue' ? exists : undefined),
    }
  }
  return transact(ctx, call, create, ({ id }) => queueNow(ctx, input.projectId, id))
}
