import { Draft } from '../../commit/draft'
import { followUps } from '../../commit/follow-ups'
import { transact } from '../../commit/transact'
import { validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import { CONSUMED_TYPES, type ConsumedType, type Consumer, consumerFaults } from '../../project/consumer'
import type { InProject } from '../../project/in-project'
import { consumerOf, consumersOf } from '../../project/project'
import { requireProject } from '../../reads/require'

export interface OfConsumer extends InProject {
  /** Name of the consumer: 1 to 64 of `a-z`, `0-9` and `_`. */
  readonly name: string
}

export interface ConsumeInput extends OfConsumer {
  /** Types of the messages. Default: all events of a match. */
  readonly types?: readonly ConsumedType[] | undefined
}

/** Adds a consumer to its project, or changes the types of its messages. Each later commit with such an event keeps a message for it. */
export function registerConsumer(
  ctx: Service,
  { projectId, name, types = CONSUMED_TYPES }: ConsumeInput,
): Promise<void> {
  return transact(ctx, undefined, async () => {
    const project = await requireProject(ctx, projectId)
    const draft = new Draft(ctx.clock.now())
    const present = consumersOf(project)
    const others = present.filter((one) => one.name !== name)
    const issues = consumerFaults({ name, types }, others.length)
    if (issues.length > 0) throw validationFailed(issues)
    const before = consumerOf(project, name)
    const sinceVersion = before?.sinceVersion ?? project.version + 1
    const wanted: Consumer = { name, types: CONSUMED_TYPES.filter((type) => types.includes(type)), sinceVersion }
    if (JSON.stringify(before) !== JSON.stringify(wanted)) {
      draft.update('project', project, { ...project, consumers: [...others, wanted] })
    }
    return { draft, answer: undefined }
  })
}

/** Removes a consumer and the messages that it has not handled. Without such a consumer the call changes nothing. */
export function removeConsumer(ctx: Service, { projectId, name }: OfConsumer): Promise<void> {
  return transact(ctx, undefined, async () => {
    const project = await requireProject(ctx, projectId)
    const draft = new Draft(ctx.clock.now())
    if (consumerOf(project, name) !== undefined) {
      const consumers = consumersOf(project).filter((one) => one.name !== name)
      draft.update('project', project, { ...project, consumers })
      draft.job(...followUps.consumerRemoved(projectId, name, draft.at))
    }
    return { draft, answer: undefined }
  })
}
