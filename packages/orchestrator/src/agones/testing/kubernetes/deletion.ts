import { copyOf, type KubeObject } from './objects'
import { ApiStatus } from './status'
import { timeOf } from './times'

export const hasNoFinalizers = ({ metadata }: KubeObject): boolean => (metadata.finalizers ?? []).length === 0

/** Whether the API can remove an object that is being deleted: it has no finalizer, and its grace period is over. */
export const isFree = (object: KubeObject): boolean =>
  hasNoFinalizers(object) && (object.metadata.deletionGracePeriodSeconds ?? 0) === 0

/** Returns the object after a delete request; undefined when the request changes nothing. */
export function askedToGo(before: KubeObject, gracePeriodSeconds: number, now: number): KubeObject | undefined {
  const isFirst = before.metadata.deletionTimestamp === undefined
  const graceBefore = before.metadata.deletionGracePeriodSeconds ?? Number.POSITIVE_INFINITY
  // A repeated request can shorten the grace period, but not lengthen it.
  if (!isFirst && gracePeriodSeconds >= graceBefore) return undefined
  const after = copyOf(before)
  // A shorter grace period moves the deletion time earlier by the difference, because both grace periods count from the
  // first request.
  const asked = isFirst ? now : Date.parse(before.metadata.deletionTimestamp ?? '') - graceBefore * 1_000
  after.metadata.deletionTimestamp = timeOf(asked + gracePeriodSeconds * 1_000)
  after.metadata.deletionGracePeriodSeconds = gracePeriodSeconds
  return after
}

/** Returns an object that is being deleted, in the form that it has after its grace period. */
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
