import type { Rule } from './draft'
import { fieldOf } from './rules'

interface Recorded {
  readonly players: readonly { readonly state: { readonly [field: string]: unknown } }[]
}

/**
 * Returns warnings about fields that the rules read and that the recorded players do not have. The service records only
 * the fields that the queue's rules read at that time. The simulation treats all other fields as missing.
 */
export function unrecorded(
  rules: readonly Rule[],
  arrivals: readonly Recorded[],
  period = 'the last hour',
): readonly string[] {
  const players = arrivals.flatMap((arrival) => arrival.players)
  if (players.length === 0) return []
  return [...new Set(rules.map(fieldOf))].flatMap((field) => {
    const have = players.filter(({ state }) => state[field] !== undefined).length
    const share = Math.floor((100 * have) / players.length)
    if (have === 0)
      return `${field} was not recorded in ${period}: only fields that the queue’s rules read are recorded. The simulation treats the field as missing. To try a rule on this field, use generated players, which have the field.`
    return share >= 90
      ? []
      : `${field} was recorded for only ${share} % of the players. The simulation treats the other players as players without the field.`
  })
}
