import type { KubeItem } from './kube/shapes'

/** Whether it is this game server's, and not that of another one of its name. */
export const belongs = ({ metadata }: KubeItem, { uid }: { readonly uid: string }): boolean =>
  metadata.ownerReferences?.some((owner) => owner.uid === uid) === true
