import type { Season } from '@matchyard/client/admin'

/** Part of a leaderboard that the address of the page names. */
export interface BoardQuery {
  /** Number of the season: 0 before the first one. Undefined: the present season. */
  readonly season: number | undefined
  /** Player around whom the leaderboard is read; empty: none. */
  readonly player: string
  /** Whether the players in placement are listed. */
  readonly placement: boolean
}

/** Returns the part of a leaderboard that an address names. Unknown seasons are ignored. */
export function boardQueryOf(query: URLSearchParams, seasons: readonly Season[]): BoardQuery {
  const text = query.get('season') ?? ''
  const season = /^\d+$/.test(text) && Number(text) < seasons.length ? Number(text) : undefined
  const player = query.get('player') ?? ''
  return { season, player, placement: player === '' && query.get('list') === 'placement' }
}

/**
 * Returns the parameters of the service for a part of a leaderboard. The service names seasons; an empty name is the
 * time before the first season.
 */
export const parametersOf = ({ season, player, placement }: BoardQuery, seasons: readonly Season[]) => ({
  season: season === undefined ? undefined : season === 0 ? '' : seasons[season - 1]?.name,
  around: player === '' ? undefined : player,
  placement: placement || undefined,
})

/** Returns the seasons as options of a select, the present one first. `''` is the present season. */
export const optionsOf = (seasons: readonly Season[]): readonly (readonly [value: string, label: string])[] => {
  const earlier = seasons.slice(0, -1).map(({ name }, at) => [`${at + 1}`, name] as const)
  return [['', `${seasons.at(-1)?.name} (present)`], ...earlier.reverse(), ['0', 'Before the first season']]
}
