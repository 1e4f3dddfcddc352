import type { Rule } from './draft'
import { fieldOf } from './rules'

interface Recorded {
  readonly players: readonly { readonly state: { readonly [field: string]: unknown } }[]
}

/**
 * What rules read that was not recorded, in sentences. Of a player's state only what the queue's rules read at the time is recorded: a rule
 * on another field is played as if nobody had it, and a figure that says so without a word would be a lie.
 */
export function unrecorded(rules: readonly Rule[], arrivals: readonly Recorded[]): readonly string[] {
  const players = arrivals.flatMap((arrival) => arrival.players)
  if (players.length === 0) return []
  return [...new Set(rules.map(fieldOf))].flatMap((field) => {
    const have = players.filter(({ state }) => state[field] !== undefined).length
    const share = Math.floor((100 * have) / players.length)
    if (have === 0)
      return `${field} was not recorded in the last hour: only fields that the queue’s rules read are recorded. The simulation treats the field as missing; generated players have it.`
    return share >= 90
      ? []
      : `${field} was recorded for only ${share} % of the players. The simulation treats the others as players without the field.`
  })
}
