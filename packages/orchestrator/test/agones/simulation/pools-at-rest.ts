import { LABEL } from '../../../src/agones/names'
import { FLEETS, GAMESERVERS, type KubeObject } from '../../../src/agones/testing/index'
import type { Violation } from './audit'
import { QUEUES } from './queues'
import type { World } from './world'

const poolIn = ({ metadata }: KubeObject): string | undefined => metadata.labels?.[LABEL.pool]

/** Whether a game server waits: it is a member of a pool, and no launch has taken it. */
export const isWaiting = (server: KubeObject): boolean =>
  poolIn(server) !== undefined && server.metadata.labels?.[LABEL.instance] === undefined

/**
 * Returns the violations of pools. As many game servers wait as the queues want, all of one build. A fleet that is not
 * wanted any more exists only while its game servers play.
 */
export function whatIsWrongWithPools({ cluster, isWarmWanted }: World): Violation[] {
  const { store } = cluster.api
  const fleets = store.list(FLEETS)
  const servers = store.list(GAMESERVERS)
  const wrong = (message: string) => ({ invariant: 'poolsAreAsTheyAreWanted', message })
  if (!isWarmWanted) {
    const left = [...fleets, ...servers.filter(isWaiting)]
    return left.map(({ kind, metadata }) => wrong(`${kind} ${metadata.name} is not wanted`))
  }
  const membersOf = (fleet: KubeObject) => servers.filter((one) => poolIn(one) === poolIn(fleet))
  const empty = fleets.filter((fleet) => membersOf(fleet).length === 0)
  const found = empty.map(({ metadata }) => wrong(`the fleet ${metadata.name} has nothing left`))
  for (const { serverSettings, warm } of QUEUES) {
    const ports = serverSettings.networkPorts.length
    const its = fleets.filter(({ spec }) => spec.template.spec.ports.length === ports)
    const waiting = its.map((fleet) => membersOf(fleet).filter(isWaiting)).filter(({ length }) => length > 0)
    const ready = waiting
      .flat()
      .filter(({ status, metadata }) => status.state === 'Ready' && !metadata.deletionTimestamp)
    const most = Math.max(warm.min, warm.buffer)
    if (waiting.length === 1 && ready.length >= warm.buffer && waiting.flat().length <= most) continue
    const words = `${ready.length} of ${waiting.flat().length} with ${ports} ports wait, in ${waiting.length} fleets`
    found.push(wrong(`${words}, not ${warm.buffer} to ${most} in one`))
  }
  return found
}
