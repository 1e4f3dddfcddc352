import { queueOwner } from '../commit/history-cells'
import type { Ports } from '../ports/ports'
import type { HistoryValue } from '../ports/storage/index'
import { versionOf } from '../server/build-version'
import { isRunning } from '../server/game-server'
import { KEYS_A_DAY, OTHER } from './rolled-up'

/** Sample of the history. Its name gives its place in the order in which samples are written. */
export interface Sample {
  readonly name: string
  readonly value: HistoryValue
}

/**
 * Character at which the names of samples of servers begin. It comes after the characters of ids, so these samples come after the samples of
 * queues, whose names are queue keys.
 */
const SERVERS = '~'

/** Returns the samples of the players who search and of the servers that run, in the order of their names. */
export async function samplesNow(ctx: Ports): Promise<Sample[]> {
  const waiting = await ctx.storage.tickets.waiting()
  const searching = waiting
    .filter(({ players }) => players > 0)
    .map(({ queueKey, players }) => ({ name: queueKey, value: { ...queueOwner(queueKey), ...searchingOf(players) } }))
  return [...searching, ...(await runningServers(ctx))].sort((a, b) => (a.name < b.name ? -1 : 1))
}

const searchingOf = (players: number) => ({
  ...({ series: 'searching', key: '' } as const),
  ...{ count: 1, sum: players, most: players },
})

/**
 * Returns a sample for each queue and build version with running servers. Of the versions of a project, the first KEYS_A_DAY in the order of
 * the servers have samples of their own.
 */
async function runningServers({ storage }: Ports): Promise<Sample[]> {
  const versions = new Map<string, Set<string>>()
  const running = new Map<string, { projectId: string; queueId: string; key: string; servers: number }>()
  for (const server of await storage.servers.listLive()) {
    if (!isRunning(server)) continue
    const { projectId } = server
    const known = versions.get(projectId) ?? new Set()
    versions.set(projectId, known)
    const version = versionOf(server)
    if (known.size < KEYS_A_DAY) known.add(version)
    const key = known.has(version) ? version : OTHER
    const queueId = server.queueId ?? ''
    const name = `${SERVERS}${JSON.stringify([projectId, queueId, key])}`
    running.set(name, { projectId, queueId, key, servers: (running.get(name)?.servers ?? 0) + 1 })
  }
  return [...running].map(([name, { servers, ...of }]) => ({
    name,
    value: { ...of, series: 'servers', count: 1, sum: servers, most: servers },
  }))
}
