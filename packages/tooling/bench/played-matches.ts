import { eventually } from '../src/eventually'
import type { Cluster } from '../src/many-nodes/cluster'

export const DUEL = { queue_id: 'duel', name: 'Duel', matchmaking: { teams: 2, players_per_team: 1 } }

let player = 0

/**
 * Plays `matches` matches of two players: each player creates a lobby, queues it, and waits until the match is played.
 * `callers` is the number of players at a time.
 */
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
