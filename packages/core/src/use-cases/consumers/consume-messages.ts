import type { ConsumeHandler } from '../../consumer/message'
import { refuseUnknown } from '../../errors/service-error'
import type { Service } from '../../node/service'
import { type ConsumeInput, registerConsumer } from './register-consumer'

/** Handler of a consumer that runs on this node. */
export interface Consumption {
  /** Starts no more calls of the handler on this node. The consumer stays, and its messages wait for a handler on any node. */
  stop(): void
}

/** Adds the consumer to its project, and its handler to this node. */
export async function consumeMessages(
  ctx: Service,
  input: ConsumeInput,
  handler: ConsumeHandler,
): Promise<Consumption> {
  if (typeof handler !== 'function') throw new TypeError('consume: the handler must be a function')
  refuseUnknown(input, ['projectId', 'name', 'types'])
  ctx.node.consumers.requireFree(input.projectId, input.name)
  await registerConsumer(ctx, input)
  return { stop: ctx.node.consumers.add(input.projectId, input.name, handler) }
}
