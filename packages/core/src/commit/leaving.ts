import { MESSAGE_OF } from '../catalog/message-types'
import type { DomainEvent } from '../node/domain-events'

/** Domain event for which webhooks and consumers can get a message. */
export type Leaving = Extract<DomainEvent, { readonly type: keyof typeof MESSAGE_OF }>

export const isLeaving = (event: DomainEvent): event is Leaving => Object.hasOwn(MESSAGE_OF, event.type)

/** Returns the object with this id as a commit writes it. Throws when the commit tells of the object and does not write it. */
export function toldObject<T>(value: T | undefined, id: string): T {
  if (value === undefined) throw new Error(`${id} is told of in a commit that does not write it`)
  return value
}
