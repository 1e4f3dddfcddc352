import type { KubeItem } from './shapes'

/**
 * Whether version `a` is later than version `b`. The versions of one cluster's objects are growing numbers. Versions
 * that are not numbers cannot be compared; then the result is false, and the next event of the watch decides.
 */
export const isLater = (a: string, b: string): boolean =>
  isNumber(a) && isNumber(b) && (a.length > b.length || (a.length === b.length && a > b))

const isNumber = (version: string): boolean => /^\d+$/.test(version)

export const isNewer = (a: KubeItem, b: KubeItem): boolean =>
  isLater(a.metadata.resourceVersion, b.metadata.resourceVersion)

/** Whether a watch that has sent all changes up to `version` has already sent this state of the object. */
export const isUpTo = ({ metadata }: KubeItem, version: string): boolean =>
  isNumber(version) && isNumber(metadata.resourceVersion) && !isLater(metadata.resourceVersion, version)
