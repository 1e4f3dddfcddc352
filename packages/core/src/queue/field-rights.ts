import { privateFields } from '@matchyard/matchmaking'
import { type Queue, type RatedFields, trustedFieldsOf } from './queue'

/** Fields of player states with which a queue does not do as with others. */
export interface FieldRights {
  /** Fields that clients may not write. */
  readonly trusted: readonly string[]
  /** Fields with lists of player ids, which only their player and backends see. */
  readonly hidden: readonly string[]
}

/** Rights of a queue that is not known. */
export const NO_RIGHTS: FieldRights = { trusted: [], hidden: [] }

export const fieldRightsOf = (queue: RatedFields & Pick<Queue, 'matchmaking'>): FieldRights => ({
  trusted: trustedFieldsOf(queue),
  hidden: queue.matchmaking === null ? [] : privateFields(queue.matchmaking),
})

/** Whether the fields include a trusted or private field that the other fields lack. */
export const addsRights = (before: FieldRights, after: FieldRights): boolean =>
  after.trusted.some((field) => !before.trusted.includes(field)) ||
  after.hidden.some((field) => !before.hidden.includes(field))
