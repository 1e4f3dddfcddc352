import type { Instant } from './time'

/** Where something stands in a list that goes from the newest to the oldest; it stays where it was when the thing itself is gone. */
export interface Place {
  readonly createdAt: Instant
  readonly id: string
}

/** Some of a list that is walked from the newest to the oldest. */
export interface Stretch<T> {
  readonly data: readonly T[]
  /** Where the next one begins; null at the end. */
  readonly nextCursor: string | null
}

/** A place as callers carry it: a text without meaning for them. */
export const cursorOf = ({ createdAt, id }: Place): string => `${createdAt.toString(36)}.${id}`

const SHAPE = /^([0-9a-z]{1,11})\.([A-Za-z0-9_-]{1,64})$/

/** The place that a cursor stands for; undefined for one that was not given out here. */
export function placeOf(cursor: string): Place | undefined {
  const [, at = '', id = ''] = SHAPE.exec(cursor) ?? []
  const createdAt = Number.parseInt(at, 36)
  return Number.isSafeInteger(createdAt) ? { createdAt, id } : undefined
}
