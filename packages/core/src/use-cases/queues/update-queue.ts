import { Plan } from '../../commit/draft'
import { jobs } from '../../commit/jobs'
import { transact } from '../../commit/transact'
import type { Context } from '../../context/context'
import type { InProject } from '../../context/inputs'
import { requireQueue } from '../../context/require'
import { validationFailed } from '../../errors/service-error'
import { queueFaults } from '../../queue/faults'
import type { Queue, QueueSettings } from '../../queue/queue'
import { type JsonValue, jsonEqual } from '../../shared/json'
import { withSettings } from './create-queue'

export interface UpdateQueueInput extends InProject {
  readonly queueId: string
  readonly changes: QueueSettings
}

/**
 * Changes a queue from the next tick on: omitted fields are kept, entry times and deadlines stay, tickets that can no longer match
 * return to `waiting`, and no match formed under the old settings is committed after it. Throws QUEUE_NOT_FOUND, VALIDATION_FAILED.
 */
export function updateQueue(ctx: Context, input: UpdateQueueInput): Promise<Queue> {
  return transact(ctx, undefined, async () => {
    const before = await requireQueue(ctx, input.projectId, input.queueId)
    const plan = new Plan(ctx.clock.now())
    const next = withSettings(before, input.changes)
    const issues = queueFaults(next)
    if (issues.length > 0) throw validationFailed(issues)
    if (same(before, next)) return { plan, answer: before }
    const answer = plan.update('queue', before, { ...next, updatedAt: plan.at })
    plan.tell({ type: 'queue_changed', queueId: before.queueId }, before.projectId)
    if (!same(before.matchmaking, next.matchmaking)) plan.job(jobs.requeueTickets(before, plan.at))
    if (watchedOf(before) !== watchedOf(next)) plan.job(jobs.rewatchQueue(before, plan.at))
    return { plan, answer }
  })
}

const same = (a: unknown, b: unknown) => jsonEqual(plain(a), plain(b))
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as JsonValue

/** The settings by which lobbies are watched. */
const watchedOf = (queue: Queue) => [queue.heartbeat, queue.heartbeatTimeoutSeconds, queue.lobbyTtlSeconds].join()
