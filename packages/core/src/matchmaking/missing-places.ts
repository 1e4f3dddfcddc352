import { canSeat, rolesOf } from './party'
import type { Plan, TeamPlan } from './plan'
import type { MissingPlace, Ticket } from './types'

/** What is still open when the parties are seated one after the other, each where it fits first. */
export const missingPlaces = (plan: Plan, parties: readonly Ticket[]): MissingPlace[] => {
  const teams = plan.teams.map((team) => ({ team, wishes: [] as (readonly string[] | undefined)[] }))
  for (const { players } of parties) {
    const wishes = players.map(({ state }) => rolesOf(state))
    const room = teams.find(({ team, wishes: seated }) => {
      const together = [...seated, ...wishes]
      return together.length <= team.max && (!team.roles || canSeat(team.roles, together))
    })
    room?.wishes.push(...wishes)
  }
  return teams.flatMap(({ team, wishes }) =>
    team.roles ? openRoles(team, team.roles, wishes) : openPlaces(team.name, null, team.max - wishes.length),
  )
}

const openPlaces = (team: string, role: string | null, players: number): MissingPlace[] =>
  players > 0 ? [{ team, role, players }] : []

/** A role is open as often as the team can still be seated with that many more players of it, taken role by role. */
const openRoles = (
  team: TeamPlan,
  roles: ReadonlyMap<string, number>,
  wishes: readonly (readonly string[] | undefined)[],
): MissingPlace[] => {
  const seated = [...wishes]
  return [...roles].flatMap(([role, count]) => {
    let open = 0
    while (open < count && canSeat(roles, [...seated, [role]])) {
      seated.push([role])
      open++
    }
    return openPlaces(team.name, role, open)
  })
}
