import type { KubeMeta } from './kube/shapes'
import { FINALIZER } from './names'

/**
 * Whether the object has this service's finalizer. The cluster does not delete the object before the finalizer is
 * removed.
 */
export const isKept = ({ finalizers = [] }: KubeMeta): boolean => finalizers.includes(FINALIZER)

export const withOurs = (metadata: KubeMeta): readonly string[] =>
  isKept(metadata) ? (metadata.finalizers ?? []) : [...(metadata.finalizers ?? []), FINALIZER]

export const withoutOurs = ({ finalizers = [] }: KubeMeta): readonly string[] =>
  finalizers.filter((one) => one !== FINALIZER)
