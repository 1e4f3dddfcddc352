import { Cluster } from '../../src/cluster'
import { KubeClient, SECRETS } from '../../src/kube/client'
import { Reflector } from '../../src/kube/reflector'
import type { KubeItem, WatchEvent } from '../../src/kube/shapes'
import { Launcher } from '../../src/launcher'

/** A way to break the adapter; what it returns mends it. */
type Break = () => () => void

// biome-ignore lint/suspicious/noExplicitAny: methods of any shape, private ones too, are replaced.
type Method = (this: any, ...args: any[]) => unknown

function replaced(of: { readonly prototype: object }, name: string, make: (was: Method) => Method): Break {
  const methods = of.prototype as Record<string, Method>
  return () => {
    const was = methods[name]
    if (was === undefined) throw new Error(`there is no ${name} to break any more`)
    methods[name] = make(was)
    return () => {
      methods[name] = was
    }
  }
}

const nothing: Method = async () => {}

/** Mistakes that an adapter could make: the simulation is worth what it finds of them. */
export const BROKEN_ADAPTERS: Readonly<Record<string, Break>> = {
  'a name that is taken is not looked for': replaced(Cluster, 'byName', () => nothing),
  'an error in a watch is not heard': replaced(
    Reflector,
    'hear',
    (was) =>
      function (event: WatchEvent<KubeItem>) {
        if (event.type !== 'ERROR') was.call(this, event)
      },
  ),
  'a configuration belongs to no game server': replaced(
    KubeClient,
    'create',
    (was) =>
      function (resource: unknown, body: { immutable?: boolean; metadata: object }, query: unknown) {
        const { ownerReferences: _, ...metadata } = body.metadata as { ownerReferences?: unknown }
        const isConfig = resource === SECRETS && body.immutable === true
        return was.call(this, resource, isConfig ? { ...body, metadata } : body, query)
      },
  ),
  'a look trusts what the watch told': replaced(
    Cluster,
    'look',
    () =>
      async function (instanceId: string) {
        return (this as Cluster).known().filter((one) => one.instanceId === instanceId)
      },
  ),
  'what has ended is not let go of': replaced(Cluster, 'dropFinalizer', () => nothing),
  'earlier attempts are not put away': replaced(Launcher, 'putAway', () => nothing),
  'a stop ends nothing': replaced(Cluster, 'end', () => nothing),
  'a launch that was cut off is taken for whole': replaced(
    Launcher,
    'giveConfig',
    (was) =>
      function (cluster: Cluster, spec: unknown, server: KubeItem) {
        const isThere = cluster.knownByName(server.metadata.name)?.pod !== undefined
        return isThere ? Promise.resolve() : was.call(this, cluster, spec, server)
      },
  ),
}
