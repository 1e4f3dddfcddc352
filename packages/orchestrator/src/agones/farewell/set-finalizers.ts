import type { KubeClient } from '../kube/client'
import { isRefused } from '../kube/errors'
import type { ResourcePath } from '../kube/resources'
import type { KubeItem } from '../kube/shapes'

const TRIES = 5

/**
 * Sets the finalizers of an object to those that `wanted` returns. Returns the changed object. Returns undefined when
 * the object no longer exists, or when `wanted` returns undefined because another object has the same name.
 */
export async function setFinalizers<T extends KubeItem>(
  client: KubeClient,
  resource: ResourcePath,
  name: string,
  wanted: (item: T) => readonly string[] | undefined,
): Promise<T | undefined> {
  for (let tries = 1; ; tries++) {
    const now = await client.get<T>(resource, name)
    const finalizers = now && wanted(now)
    if (now === undefined || finalizers === undefined) return undefined
    const { resourceVersion, finalizers: before = [] } = now.metadata
    if (finalizers.length === before.length) return now
    try {
      // The patch contains the version of the object, so that it never overwrites a finalizer that another program
      // added meanwhile.
      return await client.patch<T>(resource, name, { metadata: { resourceVersion, finalizers } })
    } catch (error) {
      if (!isRefused(error, 409) || tries === TRIES) throw error
    }
  }
}
