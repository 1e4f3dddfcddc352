import type { TicketColumns } from '../columns/ticket-columns'

/** By party: the numbers of the parties that may not be in one team with it. */
export type Clashes = readonly (readonly number[])[]

/** Whether an `apart` rule on teams keeps two slots out of one team at a level. */
export const clash = (columns: TicketColumns, a: number, b: number, level: number): boolean =>
  columns.teamApart.some((column) => column.parts(a, b, level))

/** Returns the clashes of the parties in these slots at a level; undefined where no two parties clash. */
export const clashesOf = (columns: TicketColumns, slots: readonly number[], level: number): Clashes | undefined => {
  if (columns.teamApart.every(({ levels }) => levels.off[level])) return undefined
  const clashes = slots.map((a, index) =>
    [...slots.keys()].filter((other) => other !== index && clash(columns, a, slots[other] as number, level)),
  )
  return clashes.some((others) => others.length > 0) ? clashes : undefined
}

/**
 * Whether a party may join a team, beside the parties that have a team. Only the parties before `placed` have one;
 * parties without a team may also have the team −1.
 */
export const mayJoin = (
  clashes: Clashes | undefined,
  party: number,
  team: number,
  teamOf: ArrayLike<number>,
  placed = Number.POSITIVE_INFINITY,
): boolean => !clashes?.[party]?.some((other) => other < placed && teamOf[other] === team)
