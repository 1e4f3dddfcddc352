import type { KubeItem } from './shapes'

/**
 * Whether version `a` is later than `b`. The versions of one cluster's objects are growing numbers. A version that is
 * not a number is not compared: the watch decides.
 */
export const isLater = (a: string, b: string): boolean =>
  isNumber(a) && isNumber(b) && (a.length > b.length || (a.length === b.length && a > b))

const isNumber = (version: string): boolean => /^\d+$/.test(version)

export const isNewer = (a: KubeItem, b: KubeItem): boolean =>
  isLater(a.metadata.resourceVersion, b.metadata.resourceVersion)

/** Whether a watch that has sent all changes up to `version` has already sent this state of the object. */
export const isUpTo = ({ metadata }: KubeItem, version: string): boolean =>
  isNumber(version) && isNumber(metadata.resourceVersion) && !isLater(metadata.resourceVersion, version)
