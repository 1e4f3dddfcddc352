import { GUESTS } from '../guests'
import { type Invariant, textOf } from './invariant'
import { type CountedNow, changeOf, countedMatches, isNear, type Skill, standingsOf, takenInto } from './rated'
import { isSameResult } from './results'
import type { RatedStanding, RatedStore, Snapshot } from './snapshot'

type OfSeason = Pick<RatedStanding, 'playerId' | 'season'>

/** Whether invariants compare the standing. Guests are erased, and an erasure removes standings before it reaches matches. */
const stays = (playerId: string): boolean => playerId !== '' && !GUESTS.some((guest) => guest === playerId)

const nameOf = ({ playerId, season }: OfSeason) => `${playerId} in season ${season}`

/** Returns the player's newest standing before a season. */
const earlierOf = ({ standings }: RatedStore, { playerId, season }: OfSeason) =>
  standings
    .filter((one) => one.playerId === playerId && one.season < season)
    .reduce<RatedStanding | undefined>(
      (newest, one) => (newest && newest.season > one.season ? newest : one),
      undefined,
    )

/** Returns the matches that count, or counted, for a standing. */
const matchesOf = (matches: readonly CountedNow[], { playerId, season }: OfSeason) =>
  matches.filter(
    ({ counted }) =>
      counted.season === season &&
      counted.teams.some(({ players }) => players.some((player) => player.playerId === playerId)),
  )

function sumFaults(rated: RatedStore, standing: RatedStanding, all: readonly CountedNow[]): string[] {
  const { rating } = rated
  const own = matchesOf(all, standing)
  const counts = own.filter(({ result }) => result.completed).length
  const changes = own.flatMap(({ counted, result }) => changeOf(rating, counted, result).get(standing.playerId) ?? [])
  const moved = changes.reduce((sum, { before, after }) => sum + after.mu - before.mu, 0)
  const ratio = changes.reduce((product, { before, after }) => (product * after.sigma) / before.sigma, 1)
  // The earlier standing may have been amended since the season began, so only the matches have the skill of that time.
  const bases = earlierOf(rated, standing) === undefined ? [rating.initial] : changes.map(({ before }) => before)
  const isAmended = own.some(({ result }) => result.amendedAt !== null)
  const fits = (base: Skill) =>
    isNear(base.mu + moved, standing.mu) &&
    // An amendment limits the uncertainty, so that it can be below the product, never above.
    (isNear(base.sigma * ratio, standing.sigma) || (isAmended && standing.sigma < base.sigma * ratio))
  const wrong =
    counts === standing.matches ? [] : [`${nameOf(standing)} has ${standing.matches} matches, not ${counts}`]
  if (changes.length > 0 && !bases.some(fits)) wrong.push(`${nameOf(standing)} is not what the matches say`)
  return wrong
}

/**
 * Invariant: the standing of each player and season is the first skill, changed by each counted match once: `mu` by the sum, `sigma` by the
 * product, and `matches` is the number of counted matches.
 */
export const aStandingIsTheSumOfItsMatches: Invariant = ({ now }) => {
  const { rated } = now
  if (rated === undefined) return []
  const all = countedMatches(now, rated)
  const stored = new Set(rated.standings.map(nameOf))
  return [
    ...rated.standings.flatMap((standing) => (stays(standing.playerId) ? sumFaults(rated, standing, all) : [])),
    ...all.flatMap(({ id, counted: { season, teams } }) =>
      teams
        .flatMap(({ players }) => players)
        .filter(({ playerId }) => stays(playerId) && !stored.has(nameOf({ playerId, season })))
        .map(({ playerId }) => `${id} was counted for ${playerId}, who has no standing`),
    ),
  ]
}

type Values = Skill & Pick<RatedStanding, 'matches'>

/** Returns the standing from which a step started: the row of the season, or what the player takes into the season. */
function startOf(before: RatedStore, { rating }: RatedStore, standing: RatedStanding): Values {
  const { playerId, season } = standing
  const own = standingsOf(before, season).find((one) => one.playerId === playerId)
  if (own !== undefined) return own
  const earlier = earlierOf(before, standing)
  const skill = earlier === undefined ? rating.initial : takenInto(rating, earlier, earlier.season, season)
  return { ...skill, matches: 0 }
}

interface CountedStep {
  readonly match: CountedNow
  /** The match before the step, if it was counted then. */
  readonly was: CountedNow | undefined
}

/** Returns what a result makes of a standing; undefined when the match was not counted with the standing from which the step started. */
function expectedOf(start: Values, { rating }: RatedStore, { match, was }: CountedStep, playerId: string) {
  const { counted, result } = match
  const is = changeOf(rating, counted, result).get(playerId)
  if (is === undefined) return undefined
  if (was === undefined) {
    const isStart = start.mu === is.before.mu && start.sigma === is.before.sigma
    return isStart ? { ...start, ...is.after, matches: start.matches + 1 } : undefined
  }
  const old = changeOf(rating, counted, was.result).get(playerId) ?? is
  const mu = start.mu + (is.after.mu - is.before.mu - (old.after.mu - old.before.mu))
  const sigma = Math.min(start.sigma * (is.after.sigma / old.after.sigma), rating.initial.sigma)
  const matches = start.matches + Number(result.completed) - Number(was.result.completed)
  return { ...start, mu, sigma, matches }
}

/** Returns the counted matches whose count or result changed in this step. */
const changedIn = (now: Snapshot, rated: RatedStore, before: Snapshot): CountedStep[] =>
  countedMatches(now, rated).flatMap((match) => {
    const was = before.matches.get(match.id)
    const known = was?.counted === undefined ? undefined : (was as CountedNow)
    return known !== undefined && isSameResult(known.result, match.result) ? [] : [{ match, was: known }]
  })

const valuesOf = ({ mu, sigma, matches }: Values) => textOf({ mu, sigma, matches })

/**
 * Invariant: a step changes a standing by the counted result of that step, to the last digit, or not at all. A new season begins with the
 * skill that the player takes into it.
 */
export const aStandingChangesByAResult: Invariant = ({ now, before }) => {
  const [rated, old] = [now.rated, before?.rated]
  if (rated === undefined || before === undefined || old === undefined || old.rating.key !== rated.rating.key) return []
  const changed = changedIn(now, rated, before)
  return rated.standings.flatMap((standing) => {
    const { playerId } = standing
    const own = changed.filter(({ match }) => matchesOf([match], standing).length > 0)
    // Several results in one step are left to the sums.
    if (!stays(playerId) || own.length > 1) return []
    const start = startOf(old, rated, standing)
    const [one] = own
    const expected = one === undefined ? start : expectedOf(start, rated, one, playerId)
    if (expected !== undefined && valuesOf(expected) === valuesOf(standing)) return []
    const values = [start, standing].map(valuesOf).join(' to ')
    return [`${nameOf(standing)} changed otherwise than by a result: from ${values}`]
  })
}
