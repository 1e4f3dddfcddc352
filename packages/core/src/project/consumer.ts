import { QUEUE_ID_PATTERN } from '../catalog/limits'
import { MESSAGE_TYPES, type MessageType } from '../catalog/message-types'
import type { ValidationIssue } from '../errors/decision'

/** Type of the messages that a consumer can get: an event of a match. */
export type ConsumedType = Extract<MessageType, `match.${string}`>
export const CONSUMED_TYPES = MESSAGE_TYPES.filter((type): type is ConsumedType => type.startsWith('match.'))

/** Maximum number of consumers of one project. */
export const MAX_CONSUMERS = 16

/** Consumer of a project: code of the embedding application that handles the events of matches. It is stored in the project's row. */
export interface Consumer {
  /** Name of the consumer, unique in the project. */
  readonly name: string
  /** Types of the messages that the consumer gets. */
  readonly types: readonly ConsumedType[]
  /**
   * Version of the project's row with which the consumer was added. A consumer that was removed and added again has another one, so messages
   * of the removed consumer are recognized.
   */
  readonly sinceVersion: number
}

/** Returns the key of a consumer, by which its backlogs and jobs are found. */
export const consumerKey = (projectId: string, name: string): string => `${projectId}/${name}`

/** Returns the faults of a consumer that is to be added to `others`. */
export function consumerFaults(
  wish: { readonly name: string; readonly types: unknown },
  others: number,
): ValidationIssue[] {
  const { name, types } = wish
  if (typeof name !== 'string' || !QUEUE_ID_PATTERN.test(name))
    return [{ path: 'name', message: `must match ${QUEUE_ID_PATTERN.source}` }]
  if (!Array.isArray(types) || types.length === 0)
    return [{ path: 'types', message: 'must be a list of at least one type' }]
  const known: readonly unknown[] = CONSUMED_TYPES
  const unknown = types.findIndex((type) => !known.includes(type))
  if (unknown >= 0) return [{ path: `types.${unknown}`, message: `must be one of ${CONSUMED_TYPES.join(', ')}` }]
  if (others < MAX_CONSUMERS) return []
  return [{ path: 'name', message: `is one consumer too many; a project can have at most ${MAX_CONSUMERS}` }]
}
