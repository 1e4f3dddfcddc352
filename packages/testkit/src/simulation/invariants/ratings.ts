import { GUESTS } from '../guests'
import { type Invariant, textOf } from './invariant'
import { type CountedNow, changeOf, countedMatches, isNear, type Skill, standingsOf, takenInto } from './rated'
import type { RatedStanding, RatedStore, Snapshot } from './snapshot'

/** Whether invariants compare the standing. Guests are erased, and an erasure removes standings before it reaches matches. */
const stays = (playerId: string): boolean => playerId !== '' && !GUESTS.some((guest) => guest === playerId)

const nameOf = ({ playerId, season }: Pick<RatedStanding, 'playerId' | 'season'>) => `${playerId} in season ${season}`

/** Returns the player's newest standing before a season. */
const earlierOf = ({ standings }: RatedStore, { playerId, season }: Pick<RatedStanding, 'playerId' | 'season'>) =>
  standings
    .filter((one) => one.playerId === playerId && one.season < season)
    .reduce<RatedStanding | undefined>(
      (newest, one) => (newest && newest.season > one.season ? newest : one),
      undefined,
    )

/** Returns the matches that count, or counted, for a standing. */
const matchesOf = (matches: readonly CountedNow[], { playerId, season }: Pick<RatedStanding, 'playerId' | 'season'>) =>
  matches.filter(
    ({ counted }) =>
      counted.season === season &&
      counted.teams.some(({ players }) => players.some((player) => player.playerId === playerId)),
  )

function sumFaults(rated: RatedStore, standing: RatedStanding, all: readonly CountedNow[]): string[] {
  const { rating } = rated
  const own = matchesOf(all, standing)
  const counts = own.filter(({ result }) => result.completed).length
  const changes = own.flatMap((match) => changeOf(rating, match, match.result).get(standing.playerId) ?? [])
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

/** Returns the standing from which a step started: the row of the season, or what the player takes into the season. */
function startOf(before: RatedStore, { rating }: RatedStore, standing: RatedStanding): Skill & { matches: number } {
  const { playerId, season } = standing
  const own = standingsOf(before, season).find((one) => one.playerId === playerId)
  if (own !== undefined) return own
  const earlier = earlierOf(before, standing)
  const skill = earlier === undefined ? rating.initial : takenInto(rating, earlier, earlier.season, season)
  return { ...skill, matches: 0 }
}

function expectedOf(
  start: Skill & { matches: number },
  rated: RatedStore,
  match: CountedNow,
  was: CountedNow | undefined,
  playerId: string,
) {
  const is = changeOf(rated.rating, match, match.result).get(playerId)
  if (is === undefined) return undefined
  if (was === undefined) return isNear(start.mu, is.before.mu) ? { ...is.after, matches: start.matches + 1 } : undefined
  const old = changeOf(rated.rating, match, was.result).get(playerId) ?? is
  const sigma = Math.min((start.sigma * is.after.sigma) / old.after.sigma, rated.rating.initial.sigma)
  const matches = start.matches + Number(match.result.completed) - Number(was.result.completed)
  return { mu: start.mu + is.after.mu - old.after.mu, sigma, matches }
}

/** Returns the counted matches whose count or result changed in this step. */
const changedIn = (now: Snapshot, rated: RatedStore, before: Snapshot) =>
  countedMatches(now, rated).flatMap((match) => {
    const was = before.matches.get(match.id)
    const known = was?.counted === undefined ? undefined : (was as CountedNow)
    return known !== undefined && textOf(known.result) === textOf(match.result) ? [] : [{ match, was: known }]
  })

/** Invariant: a step changes a standing by the counted result of that step, or not at all; a new season begins with the earlier skill. */
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
    const expected = one === undefined ? start : expectedOf(start, rated, one.match, one.was, playerId)
    const isRight =
      expected !== undefined &&
      isNear(expected.mu, standing.mu) &&
      isNear(expected.sigma, standing.sigma) &&
      expected.matches === standing.matches
    return isRight
      ? []
      : [`${nameOf(standing)} changed otherwise than by a result: ${JSON.stringify([start, standing])}`]
  })
}

/** Invariant: a match is counted once: the way in which it was counted stays, apart from erased players. */
export const aMatchIsCountedOnce: Invariant = ({ now, before }) =>
  [...now.matches.values()].flatMap((match) => {
    const was = before?.matches.get(match.id)?.counted
    if (was === undefined || was === match.counted) return []
    const erased = new Set(match.counted?.teams.flatMap(({ players }) => players.map(({ playerId }) => playerId)))
    const teams = was.teams.map((team) => ({
      ...team,
      players: team.players.map((one) => (erased.has(one.playerId) ? one : { ...one, playerId: '' })),
    }))
    const isSame = JSON.stringify({ ...was, teams }) === JSON.stringify(match.counted)
    return isSame ? [] : [`${match.id} was counted again`]
  })
