import type { Rule } from './draft'
import { fieldOf } from './rules'

interface Recorded {
  readonly players: readonly { readonly state: { readonly [field: string]: unknown } }[]
}

/** Maximum number of numeric fields that are offered. */
const MOST_NUMBERS = 12

/** Returns the numeric fields of recorded players, those of the most players first. */
export function numbersIn(arrivals: readonly Recorded[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { players } of arrivals) {
    for (const { state } of players) {
      for (const [field, value] of Object.entries(state)) {
        if (typeof value === 'number') counts.set(field, (counts.get(field) ?? 0) + 1)
      }
    }
  }
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || a.localeCompare(b))
    .slice(0, MOST_NUMBERS)
    .map(([field]) => field)
}

/**
 * Returns warnings about fields that the rules read and that the recorded players do not have. The service records only
 * the fields that the queue's rules read at that time, and eight numeric fields of each player. The simulation treats
 * all other fields as missing.
 */
export function unrecorded(
  rules: readonly Rule[],
  arrivals: readonly Recorded[],
  period = 'the last hour',
): readonly string[] {
  const players = arrivals.flatMap((arrival) => arrival.players)
  if (players.length === 0) return []
  // A rule that reads no field has an empty name here.
  const read = new Set(rules.map(fieldOf).filter((field) => field !== ''))
  return [...read].flatMap((field) => {
    const have = players.filter(({ state }) => state[field] !== undefined).length
    const share = Math.floor((100 * have) / players.length)
    if (have === 0)
      return `${field} was not recorded in ${period}: only fields that the queue’s rules read, and eight numeric fields of each player, are recorded. The simulation treats the field as missing. To try a rule on this field, use generated players, which have the field.`
    return share >= 90
      ? []
      : `${field} was recorded for only ${share} % of the players. The simulation treats the other players as players without the field.`
  })
}
