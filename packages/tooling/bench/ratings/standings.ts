import type { Rating, Standing } from '@matchyard/core'
import { boardCell, standingCounters, standingText } from '@matchyard/core/domain'
import type { Commit } from '@matchyard/core/ports'
import type { Arena } from './arena'

/** Standings of one commit, and commits in progress at the same time. */
const IN_COMMIT = 500
const AT_ONCE = 8

export const playerOf = (n: number): string => `player_${String(n).padStart(7, '0')}`

/** Share of the players in placement. They have the highest numbers. */
const IN_PLACEMENT = 0.05

/** Writes the standings of many players with commits of the storage itself, as many results would have left them. */
export async function writeStandings(arena: Arena, rating: Rating, players: number): Promise<void> {
  let next = 0
  const writer = async () => {
    while (next < players) {
      const from = next
      next = Math.min(players, from + IN_COMMIT)
      const standings = Array.from({ length: next - from }, (_, n) => standingOf(arena, rating, from + n, players))
      const outcome = await arena.storage.commit(commitOf(`${rating.ratingId}_${from}`, standings))
      if (!outcome.ok) throw new Error(`the standings from ${from} were refused`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, writer))
}

function commitOf(id: string, standings: readonly Standing[]): Commit {
  const totals = new Map<string, number>()
  for (const standing of standings) {
    for (const counter of standingCounters(standing)) totals.set(counter, (totals.get(counter) ?? 0) + 1)
  }
  return {
    ...{ id, at: Date.now(), checks: [], events: [], jobs: [] },
    writes: standings.map((put) => ({ kind: 'standing' as const, id: put.id, expected: 'absent' as const, put })),
    counters: [...totals].map(([id, add]) => ({ id, add })),
  }
}

/** Returns the standing of a player; skills are spread without an order that follows the numbers of the players. */
function standingOf({ tokens, projectId }: Arena, rating: Rating, n: number, players: number): Standing {
  const playerId = playerOf(n)
  const placed = n < players * (1 - IN_PLACEMENT)
  const spread = ((n * 7_919) % 1_000_003) / 1_000_003
  const skill = { mu: 10 + 30 * spread, sigma: 1 + (3 * ((n * 104_729) % 1_009)) / 1_009 }
  return {
    id: tokens.hash(standingText(rating.key, playerId)),
    version: 1,
    projectId,
    ratingId: rating.ratingId,
    ratingKey: rating.key,
    playerId,
    season: 0,
    ...skill,
    ...{ matches: placed ? 5 + ((n * 104_723) % 146) : 2 },
    ...{ cell: boardCell(rating, skill), updatedAt: rating.createdAt },
  }
}
