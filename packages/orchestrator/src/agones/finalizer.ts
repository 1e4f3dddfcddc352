import type { KubeMeta } from './kube/shapes'
import { FINALIZER } from './names'

/** Whether it is kept for its end: the platform does not forget it before it was let go of. */
export const isKept = ({ finalizers = [] }: KubeMeta): boolean => finalizers.includes(FINALIZER)

export const withOurs = (metadata: KubeMeta): readonly string[] =>
  isKept(metadata) ? (metadata.finalizers ?? []) : [...(metadata.finalizers ?? []), FINALIZER]

export const withoutOurs = ({ finalizers = [] }: KubeMeta): readonly string[] =>
  finalizers.filter((one) => one !== FINALIZER)
