import { useSignal } from '@preact/signals'
import { Button, Card, Input } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'
import type { Composition } from './draft'

type Roles = readonly (readonly [role: string, count: number | undefined])[]
type Teams = readonly (readonly [team: string, roles: Roles])[]

/** Composition that the form proposes when a queue changes from teams without roles to roles. */
export const FIRST_ROLES: Composition = {
  team_1: { tank: 1, healer: 1, damage: 3 },
  team_2: { tank: 1, healer: 1, damage: 3 },
}

const rowsOf = (composition: Composition): Teams =>
  Object.entries(composition).map(([team, roles]) => [team, Object.entries(roles)] as const)

const compositionOf = (teams: Teams): Composition =>
  Object.fromEntries(
    teams.map(([team, roles]) => [team, Object.fromEntries(roles.filter(([, count]) => count !== undefined))]),
  ) as Composition

const isTwice = (names: readonly string[]) => new Set(names).size < names.length

/** Form for the composition: teams, and the number of players in each role. */
export function RoleTeams({
  of,
  fault,
  onChange,
  onLeave,
}: {
  readonly of: Composition
  readonly fault: string | undefined
  readonly onChange: (composition: Composition) => void
  /** Called when the user changes to teams without roles. */
  readonly onLeave: () => void
}) {
  // While a name is typed, it can be empty or equal to another name. The rows are kept as they were typed, and
  // `onChange` is called only while the names differ.
  const kept = useSignal<{ readonly told: string; readonly teams: Teams }>({
    told: JSON.stringify(of),
    teams: rowsOf(of),
  })
  const teams = kept.value.told === JSON.stringify(of) ? kept.value.teams : rowsOf(of)
  const twice = isTwice(teams.map(([team]) => team)) || teams.some(([, roles]) => isTwice(roles.map(([role]) => role)))
  const set = (next: Teams) => {
    const isTold =
      !isTwice(next.map(([team]) => team)) && next.every(([, roles]) => !isTwice(roles.map(([role]) => role)))
    const composition = isTold ? compositionOf(next) : of
    kept.value = { told: JSON.stringify(composition), teams: next }
    if (isTold) onChange(composition)
  }
  const setTeam = (place: number, team: Teams[number] | undefined) =>
    set(teams.flatMap((one, at) => (at === place ? (team === undefined ? [] : [team]) : [one])))
  return (
    <Card
      title="Match size"
      help={<HelpLink on={HELP.matchSize} />}
      note="teams with roles"
      actions={
        <Button small kind="quiet" onClick={onLeave}>
          Use no roles
        </Button>
      }
    >
      <div class="stack">
        {teams.map(([team, roles], place) => (
          // The index is the key, because the name changes while it is edited.
          <fieldset key={place} class="role-team">
            <legend class="unseen">Team {place + 1}</legend>
            <div class="line nowrap">
              <Input
                value={team}
                aria-label={`Name of team ${place + 1}`}
                onInput={(name) => setTeam(place, [name, roles])}
              />
              <Button
                kind="quiet"
                small
                icon="cross"
                label={`Remove team ${place + 1}`}
                onClick={() => setTeam(place, undefined)}
              />
            </div>
            <RoleRows team={place + 1} roles={roles} onChange={(next) => setTeam(place, [team, next])} />
          </fieldset>
        ))}
        <div class="line">
          <Button
            small
            icon="plus"
            onClick={() => set([...teams, [freeName('team_', teams.length), teams.at(-1)?.[1] ?? [['player', 1]]]])}
          >
            Add a team
          </Button>
        </div>
        {(twice || fault !== undefined) && (
          <p class="hint wrong" role="alert">
            {twice ? 'Two teams, or two roles of a team, have the same name. Use different names.' : fault}
          </p>
        )}
      </div>
    </Card>
  )
}

const freeName = (stem: string, count: number) => `${stem}${count + 1}`

function RoleRows({
  team,
  roles,
  onChange,
}: {
  readonly team: number
  readonly roles: Roles
  readonly onChange: (roles: Roles) => void
}) {
  const setRole = (place: number, role: Roles[number] | undefined) =>
    onChange(roles.flatMap((one, at) => (at === place ? (role === undefined ? [] : [role]) : [one])))
  return (
    <div class="role-rows">
      {roles.map(([role, count], place) => (
        <div key={place} class="role-row">
          <Input
            value={role}
            aria-label={`Name of role ${place + 1} of team ${team}`}
            onInput={(name) => setRole(place, [name, count])}
          />
          <Input
            type="number"
            min={1}
            value={count ?? ''}
            aria-label={`Players in role ${place + 1} of team ${team}`}
            onInput={(text) => setRole(place, [role, text.trim() === '' ? undefined : Number(text)])}
          />
          <Button
            kind="quiet"
            small
            icon="cross"
            label={`Remove role ${place + 1} of team ${team}`}
            onClick={() => setRole(place, undefined)}
          />
        </div>
      ))}
      <Button
        small
        kind="quiet"
        icon="plus"
        label={`Add a role to team ${team}`}
        onClick={() => onChange([...roles, [freeName('role_', roles.length), 1]])}
      >
        Add a role
      </Button>
    </div>
  )
}
