import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import { validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { InProject } from '../../project/in-project'
import { queueFaults, unknownSettings } from '../../queue/faults'
import type { QueueSettings } from '../../queue/queue'
import { withSettings } from '../../queue/settings'
import type { ByActor } from '../../reads/actor'
import { type QueueAnswer, queueNow } from '../../reads/queue-warnings'
import { requireQueue } from '../../reads/require'
import { changeQueue } from './change-queue'

export interface UpdateQueueInput extends InProject, ByActor {
  /** Id of the queue. */
  readonly queueId: string
  /** Changed settings; an absent setting keeps its value. */
  readonly changes: QueueSettings
}

export function updateQueue(ctx: Service, input: UpdateQueueInput, call?: CallOptions): Promise<QueueAnswer> {
  const update = async () => {
    const before = await requireQueue(ctx, input.projectId, input.queueId)
    const draft = new Draft(ctx.clock.now())
    const next = withSettings(before, input.changes)
    const issues = [...unknownSettings(input.changes), ...queueFaults(next)]
    if (issues.length > 0) throw validationFailed(issues)
    return {
      draft,
      about: { id: input.queueId },
      answer: await changeQueue(ctx, draft, { before, after: next }, input),
    }
  }
  return transact(ctx, call, update, ({ id }) => queueNow(ctx, input.projectId, id))
}
