import type { KubeItem } from './kube/shapes'

/**
 * Whether a game server owns the Kubernetes object. The function compares uids, because an earlier game server may have
 * had the same name.
 */
export const belongs = ({ metadata }: KubeItem, { uid }: { readonly uid: string }): boolean =>
  metadata.ownerReferences?.some((owner) => owner.uid === uid) === true
