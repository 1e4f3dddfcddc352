import type { KubeItem } from './shapes'

/** Versions of one cluster's objects are numbers that grow; one that is none is not compared, and the watch decides. */
export const isLater = (a: string, b: string): boolean =>
  isNumber(a) && isNumber(b) && (a.length > b.length || (a.length === b.length && a > b))

const isNumber = (version: string): boolean => /^\d+$/.test(version)

export const isNewer = (a: KubeItem, b: KubeItem): boolean =>
  isLater(a.metadata.resourceVersion, b.metadata.resourceVersion)

/** Whoever has heard all up to this version has heard of it as it is. */
export const isUpTo = ({ metadata }: KubeItem, version: string): boolean =>
  isNumber(version) && isNumber(metadata.resourceVersion) && !isLater(metadata.resourceVersion, version)
