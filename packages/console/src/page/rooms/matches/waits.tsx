import type { LobbySnapshot, MatchSnapshot } from '@matchyard/client'
import type { AdminClient } from '@matchyard/client/admin'
import { useProject, useRead } from '../../data/hooks'
import { Card, Facts, View } from '../../ui'
import { wait } from '../queues/list'
import { playersOf } from './parts'

/**
 * Shows how long the parties of a match waited, and the lowest and highest value of each numeric field of the players'
 * state. Data that the service no longer has is left out.
 */
export function Waits({ match }: { readonly match: MatchSnapshot }) {
  const { admin } = useProject()
  const ids = [...new Set(playersOf(match).map(({ lobby_id }) => lobby_id))].slice(0, 20)
  const read = useRead(async () => {
    const all = await Promise.all(ids.map((id) => admin.lobbies.get(id).catch(() => undefined)))
    const waits = await waitsOf(admin, match)
    return { lobbies: all.filter((lobby): lobby is LobbySnapshot => lobby !== undefined), waits }
  }, [admin, match.match_id, ids.join()])
  return (
    <Card title="Waits and player differences">
      <View of={read.now} again={read.again}>
        {({ lobbies, waits }) => {
          const spreads = spreadsOf(match, lobbies)
          // If both ends of a range have the same text, one value is shown.
          const ends = [...new Set([wait(Math.min(...waits)), wait(Math.max(...waits))])]
          return (
            <>
              <Facts
                of={[
                  [
                    'Wait',
                    <span key="waited" class="figures">
                      {waits.length === 0 ? '–' : ends.join(' to ')}
                    </span>,
                  ],
                  ...spreads.map(
                    ({ field, low, high }) =>
                      [
                        field.slice(0, 40),
                        <span key={field} class="figures">{`${low} to ${high}, difference ${high - low}`}</span>,
                      ] as const,
                  ),
                ]}
              />
              {spreads.length === 0 && (
                <p class="quiet small">
                  Nothing to compare: the players have left, or their states contain no numbers.
                </p>
              )}
            </>
          )
        }}
      </View>
    </Card>
  )
}

/** Milliseconds before the match in which the arrivals of its parties are searched. Most waits are shorter. */
const LOOK_BACK_MS = 300_000
/**
 * Maximum number of arrivals that are read. In a busy queue there may be more, and reading all of them would take too
 * long.
 */
const LOOKED_AT = 1_000

/** Returns the waits of the parties of a match in seconds, as far as they are recorded. */
async function waitsOf(
  admin: AdminClient,
  { match_id, queue_id, created_at }: MatchSnapshot,
): Promise<readonly number[]> {
  const since = new Date(Date.parse(created_at) - LOOK_BACK_MS).toISOString()
  const waits: number[] = []
  let count = 0
  for await (const arrival of admin.queues.arrivals(queue_id, { since })) {
    if (arrival.match_id === match_id && arrival.wait_seconds !== null) waits.push(arrival.wait_seconds)
    if (++count === LOOKED_AT) break
  }
  return waits
}

interface Spread {
  readonly field: string
  readonly low: number
  readonly high: number
}

/** Returns the lowest and the highest value of each numeric state field that at least two players have. */
function spreadsOf(match: MatchSnapshot, lobbies: readonly LobbySnapshot[]): readonly Spread[] {
  const inside = new Set(playersOf(match).map(({ player_id }) => player_id))
  const values = new Map<string, number[]>()
  for (const { player_id, state } of lobbies.flatMap(({ players }) => players)) {
    if (!inside.has(player_id)) continue
    for (const [field, value] of Object.entries(state).slice(0, 16)) {
      if (typeof value === 'number') values.set(field, [...(values.get(field) ?? []), value])
    }
  }
  return [...values]
    .filter(([, all]) => all.length > 1)
    .map(([field, all]) => ({ field, low: Math.min(...all), high: Math.max(...all) }))
}
