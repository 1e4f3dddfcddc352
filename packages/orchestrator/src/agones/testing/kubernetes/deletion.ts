import { copyOf, type KubeObject } from './objects'
import { ApiStatus } from './status'
import { timeOf } from './times'

export const hasNoFinalizers = ({ metadata }: KubeObject): boolean => (metadata.finalizers ?? []).length === 0

/** Of what is being deleted: nothing keeps it. */
export const isFree = (object: KubeObject): boolean =>
  hasNoFinalizers(object) && (object.metadata.deletionGracePeriodSeconds ?? 0) === 0

/** An object that somebody asks to delete; undefined where that changes nothing. */
export function askedToGo(before: KubeObject, gracePeriodSeconds: number, now: number): KubeObject | undefined {
  const isFirst = before.metadata.deletionTimestamp === undefined
  const graceBefore = before.metadata.deletionGracePeriodSeconds ?? Number.POSITIVE_INFINITY
  // Asked again it may be shortened, never lengthened.
  if (!isFirst && gracePeriodSeconds >= graceBefore) return undefined
  const after = copyOf(before)
  // Asked for again, it moves by what the grace is shortened by.
  const asked = isFirst ? now : Date.parse(before.metadata.deletionTimestamp ?? '') - graceBefore * 1_000
  after.metadata.deletionTimestamp = timeOf(asked + gracePeriodSeconds * 1_000)
  after.metadata.deletionGracePeriodSeconds = gracePeriodSeconds
  return after
}

/** One that lingered by its grace, as it is when that is over. */
export function withoutGrace(object: KubeObject): KubeObject {
  const after = copyOf(object)
  const { deletionTimestamp = '', deletionGracePeriodSeconds = 0 } = object.metadata
  after.metadata.deletionTimestamp = timeOf(Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1_000)
  after.metadata.deletionGracePeriodSeconds = 0
  return after
}

export function forbidNewFinalizers(before: KubeObject, after: KubeObject): void {
  const had = before.metadata.finalizers ?? []
  const added = (after.metadata.finalizers ?? []).find((one) => !had.includes(one))
  if (added === undefined) return
  const words = 'no new finalizers can be added if the object is being deleted'
  throw new ApiStatus('Invalid', `metadata.finalizers: Forbidden: ${words}, found new finalizers "${added}"`)
}
