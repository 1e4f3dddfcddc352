import { readFileSync } from 'node:fs'
import { eventually } from '../src/eventually'
import type { Cluster } from '../src/many-nodes/cluster'

/** Of the clock by which the system counts: 100 a second on Linux. */
const TICK_MS = 10

export const DUEL = { queue_id: 'duel', name: 'Duel', matchmaking: { teams: 2, players_per_team: 1 } }

/** Milliseconds of the processor that a process has used, and those of its children that have ended. */
export function used(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0)
  } catch {
    return 0
  }
}

let player = 0

/** So many pairs of players: each makes a lobby, enters the queue, and is told that it plays. `callers`: how many calls are under way. */
export async function play(cluster: Cluster, matches: number, callers: number): Promise<void> {
  let left = 2 * matches
  const caller = async () => {
    while (left-- > 0) {
      const name = `player-${player++}`
      const made = { method: 'POST', path: '/v1/lobbies', player: name, body: { queue_id: 'duel' } }
      const path = `/v1/lobbies/${(await cluster.next().call<{ lobby_id: string }>(made)).body.lobby_id}`
      await cluster.next().call({ method: 'POST', path: `${path}/queue`, player: name })
    }
  }
  const before = await matched(cluster)
  await Promise.all(Array.from({ length: callers }, caller))
  await eventually(
    () => matched(cluster),
    (count) => count >= before + matches,
    120_000,
  )
}

const matched = async (cluster: Cluster) =>
  (await cluster.door.query<{ count: string }>('select count(*) from match')).map(({ count }) => Number(count))[0] ?? 0
