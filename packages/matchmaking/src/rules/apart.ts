import type { MatchRule, Ticket } from '../types'
import type { RuleKind } from './rule-kind'

type Players = Ticket['players']

/** Whether a meeting at `at` (epoch milliseconds) still keeps two players apart at `now`, for a bound in seconds. */
export const isInForce = (at: number, seconds: number, now: number): boolean => at + seconds * 1000 > now

/** Whether one of the players names one of the others under an `apart` rule that is in force at `now`. */
export const namesAny = (
  kind: RuleKind,
  rule: MatchRule,
  players: Players,
  others: Players,
  seconds: number,
  now: number,
): boolean => {
  let found = false
  for (const player of players) {
    kind.eachNamed?.(player, rule, (id, at) => {
      found ||= isInForce(at, seconds, now) && others.some(({ playerId }) => playerId === id)
    })
  }
  return found
}
