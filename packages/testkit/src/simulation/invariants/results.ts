import type { Match, MatchResult } from '@matchyard/core'
import { type Invariant, textOf } from './invariant'

/** Returns the result with the erasures that the later result shows, because an erasure is no new result. */
const erasedAs = (was: MatchResult, is: MatchResult): MatchResult => ({
  ...was,
  players: was.players.map(({ stats, ...player }, index) => {
    if (is.players[index]?.playerId === '') return { ...player, playerId: '' }
    return stats === undefined ? player : { ...player, stats }
  }),
})

/** Whether the later result is the earlier one, apart from erased players. */
export const isSameResult = (was: MatchResult, is: MatchResult): boolean => {
  const erased = erasedAs(was, is)
  return (
    textOf({ ...erased, players: erased.players.map(inOrder) }) === textOf({ ...is, players: is.players.map(inOrder) })
  )
}

const inOrder = ({ playerId, score, left, stats = {} }: MatchResult['players'][number]) => ({
  ...{ playerId, score, left, stats },
})

function faultsOf(match: Match, was: MatchResult | undefined): string[] {
  const { id, teams, result } = match
  if (result === undefined) return was === undefined ? [] : [`${id} has lost its result`]
  const named = (names: readonly { readonly name: string }[]) =>
    names
      .map(({ name }) => name)
      .sort()
      .join()
  const wrong = named(result.teams) === named(teams) ? [] : [`${id} has a result of other teams`]
  if (match.startedAt === undefined) wrong.push(`${id} has a result and never began`)
  if (was === undefined || isSameResult(was, result)) return wrong
  const isAmended = result.recordedAt === was.recordedAt && result.amendedAt !== null && result.recordedBy === 'backend'
  return isAmended ? wrong : [...wrong, `${id} has another result, which is no amendment`]
}

/** Invariant: a match has one result, of its own teams. A later result is an amendment by a backend; the time of the first one stays. */
export const aMatchHasOneResult: Invariant = ({ now, before }) =>
  [...now.matches.values()].flatMap((match) => faultsOf(match, before?.matches.get(match.id)?.result))
