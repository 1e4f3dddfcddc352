import { Cluster } from '../../../src/agones/cluster'
import type { Condition } from '../../../src/agones/condition'
import type { Placed } from '../../../src/agones/heard'
import { KubeClient } from '../../../src/agones/kube/client'
import { isRefused } from '../../../src/agones/kube/errors'
import { Reflector } from '../../../src/agones/kube/reflector'
import { FLEETS, SECRETS } from '../../../src/agones/kube/resources'
import type { KubeItem, WatchEvent } from '../../../src/agones/kube/shapes'
import { EarlierLaunches } from '../../../src/agones/launch/earlier-launches'
import { Launcher } from '../../../src/agones/launch/launcher'
import { poolOf } from '../../../src/agones/names'
import { Observer } from '../../../src/agones/observe/observer'
import { PoolFleets } from '../../../src/agones/pools/pool-fleets'
import { PoolMembers } from '../../../src/agones/pools/pool-members'

/** Breaks the adapter, and returns a function that repairs it. */
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

/** Applies several breaks together, where each alone would be corrected by the part that the other breaks. */
function together(...breaks: readonly Break[]): Break {
  return () => {
    const mends = breaks.map((breakIt) => breakIt())
    return () => {
      for (const mend of mends) mend()
    }
  }
}

const nothing: Method = async () => {}

/** Mistakes that an adapter could contain. The simulation must find each of them. */
export const BROKEN_ADAPTERS: Readonly<Record<string, Break>> = {
  'a name that is taken is not looked for': replaced(Cluster, 'byName', () => nothing),
  'an error in a watch is taken for a sign of life': replaced(
    Reflector,
    'hear',
    (was) =>
      function (event: WatchEvent<KubeItem>) {
        if (event.type === 'ERROR') this.heardAt = this.pauses.now()
        else was.call(this, event)
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
        return (this as Cluster).heard.known().filter((one) => one.instanceId === instanceId)
      },
  ),
  'what has ended is not let go of': replaced(Cluster, 'disown', () => nothing),
  'earlier attempts are not put away': replaced(EarlierLaunches, 'putAway', () => nothing),
  'a stop ends nothing': replaced(Cluster, 'end', () => nothing),
  'a launch takes one that waits without a claim': replaced(
    KubeClient,
    'create',
    (was) =>
      async function (resource: unknown, body: { data?: object }, query: unknown) {
        const isClaim = resource === SECRETS && body.data !== undefined && 'warm' in body.data
        return isClaim ? body : was.call(this, resource, body, query)
      },
  ),
  'of two claims for one launch the later one counts': replaced(
    KubeClient,
    'create',
    (was) =>
      async function (resource: unknown, body: { data?: object }, query: unknown) {
        try {
          return await was.call(this, resource, body, query)
        } catch (error) {
          if (resource === SECRETS && body.data !== undefined && isRefused(error, 409)) return body
          throw error
        }
      },
  ),
  'one that waited is told before it is claimed': replaced(
    Launcher,
    'finish',
    (was) =>
      async function (cluster: Cluster, spec: { config: object }, server: KubeItem, found: unknown) {
        const text = JSON.stringify(spec.config, undefined, 2)
        if (poolOf(server.metadata) !== undefined) await this.tell(cluster, spec, server, text)
        return was.call(this, cluster, spec, server, found)
      },
  ),
  'what was made beside the one that is claimed stays': together(
    replaced(Launcher, 'withdrawOthers', () => async () => true),
    replaced(Observer, 'withdrawLeft', () => nothing),
  ),
  'a fleet that nobody wants goes with those that play': replaced(
    PoolFleets,
    'retire',
    () =>
      async (cluster: Cluster, { metadata }: KubeItem) => {
        await cluster.client.delete(FLEETS, metadata)
      },
  ),
  'what is half put away is told as one that is about to begin': replaced(
    Observer,
    'surely',
    (was) =>
      async function ({ server, pod, ...rest }: Placed) {
        const condition = (await was.call(this, { server, pod, ...rest })) as Condition
        const isUntold = pod === undefined && poolOf(server.metadata) !== undefined
        return condition.is === 'ended' && isUntold ? { is: 'coming', why: undefined } : condition
      },
  ),
  'those that play count for nothing': replaced(PoolMembers, 'playing', () => () => []),
  'a launch that was cut off is taken for whole': replaced(
    Launcher,
    'finish',
    (was) =>
      function (cluster: Cluster, spec: unknown, server: KubeItem, found: unknown) {
        const isThere = cluster.heard.knownByName(server.metadata.name)?.pod !== undefined
        return isThere ? Promise.resolve({ ok: true }) : was.call(this, cluster, spec, server, found)
      },
  ),
}
