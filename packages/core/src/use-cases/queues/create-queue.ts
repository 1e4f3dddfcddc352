import { gateFeature } from '../../billing/limits'
import { Plan } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { CallOptions, Context } from '../../context/context'
import type { InProject } from '../../context/inputs'
import { accountOf, requireProject } from '../../context/require'
import { ServiceError, validationFailed } from '../../errors/service-error'
import { queueFaults } from '../../queue/faults'
import { DEFAULT_INVITE_CODE_CONFIG } from '../../queue/invite-code'
import { QUEUE_DEFAULTS, type Queue, type QueueSettings, queueKey } from '../../queue/queue'

export interface CreateQueueInput extends InProject, QueueSettings {
  readonly queueId: string
  readonly name: string
}

/** Makes a queue. Throws PLAN_LIMIT_EXCEEDED, VALIDATION_FAILED, QUEUE_EXISTS. */
export function createQueue(ctx: Context, input: CreateQueueInput, call?: CallOptions): Promise<Queue> {
  return transact(ctx, call, async () => {
    const plan = new Plan(ctx.clock.now())
    const { projectId, queueId, ...settings } = input
    const queue = newQueue(projectId, queueId, settings, plan.at)
    const issues = queueFaults(queue)
    if (issues.length > 0) throw validationFailed(issues)
    const project = await requireProject(ctx, projectId)
    const account = await accountOf(ctx, project)
    const gate = gateFeature(account, 'queues_enabled')
    if (!gate.ok) throw ServiceError.of(gate.rejected)
    const exists = new ServiceError('QUEUE_EXISTS', `queue ${JSON.stringify(queueId)} exists; change it with PATCH`)
    if ((await ctx.storage.get('queue', queue.id)) !== undefined) throw exists
    plan.check('project', project).check('account', account).create('queue', queue)
    plan.tell({ type: 'queue_changed', queueId }, projectId)
    return { plan, answer: queue, onConflict: ({ kind }) => (kind === 'queue' ? exists : undefined) }
  })
}

function newQueue(projectId: string, queueId: string, settings: QueueSettings & { name: string }, at: number): Queue {
  const base: Queue = {
    ...QUEUE_DEFAULTS,
    id: queueKey(projectId, queueId),
    version: 1,
    projectId,
    queueId,
    name: settings.name,
    inviteCodeConfig: DEFAULT_INVITE_CODE_CONFIG,
    createdAt: at,
    updatedAt: at,
  }
  return withSettings(base, settings)
}

/** The queue with the supplied fields replaced, nested objects whole: sub-fields left out go back to their defaults. */
export function withSettings(queue: Queue, settings: QueueSettings): Queue {
  const { inviteCodeConfig, ...rest } = settings
  const supplied = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const invite =
    inviteCodeConfig === undefined ? {} : { inviteCodeConfig: { ...DEFAULT_INVITE_CODE_CONFIG, ...inviteCodeConfig } }
  return { ...queue, ...supplied, ...invite }
}
