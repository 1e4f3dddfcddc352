import type { KubeApi } from './api'
import { copyOf, type Fields, type KubeObject, PODS } from './objects'

/** Changes a pod, unless the pod was deleted or another pod has the same name now. */
export function writePod(
  api: KubeApi,
  { metadata: { namespace, name, uid } }: KubeObject,
  change: (object: KubeObject) => void,
): void {
  const now = api.store.find(PODS, namespace, name)
  if (now?.metadata.uid !== uid) return
  api.store.update(PODS, namespace, name, (object) => {
    change(object)
    return object
  })
}

/** Returns the status of the pod's container. */
export const statusOf = (pod: KubeObject, state: Fields): Fields => ({
  name: pod.spec.containers[0].name,
  state,
  ready: state.running !== undefined,
  restartCount: 0,
  containerID: `containerd://${copyOf(pod.metadata.uid)}`,
})
