import type { AvoidRule } from '../types'
import { own, readStrings } from './read'
import type { RuleForm } from './rule-form'
import { ruleKind } from './rule-kind'
import { PLAYER_LISTS } from './value-kind'

/** Maximum number of player ids in one list. */
export const MOST_AVOIDED = 50

/** Returns the list of player ids in a field of a player's state; undefined where the value is not such a list. */
const readList = (state: Readonly<Record<string, unknown>>, field: string): readonly string[] | undefined => {
  const list = readStrings(state, field)
  return list !== undefined && list.length <= MOST_AVOIDED ? list : undefined
}

/** Whether the field of a player's state is absent, null, or a list that `avoid` rules can read. */
export const isPlayerList = (state: Readonly<Record<string, unknown>>, field: string): boolean =>
  own(state, field) === undefined || readList(state, field) !== undefined

/** Rule type `avoid`: nobody's list names another player of the match, or of the same team. */
export const avoid = ruleKind<AvoidRule, readonly string[]>({
  type: 'avoid',
  shape: 'apart',
  wants: `a list of at most ${MOST_AVOIDED} player ids`,
  bound: null,
  fieldUnlessSaid: 'avoid',
  isPrivate: true,
  scopes: ['match', 'team'],
  inParty: true,
  read: (state, { field = 'avoid' }) => readList(state, field),
  eachNamed: ({ playerId, state }, { field = 'avoid' }, tell) => {
    const list = readList(state, field)
    if (list === undefined) return
    for (let at = 0; at < list.length; at++) {
      const id = list[at] as string
      if (id !== playerId) tell(id, Number.POSITIVE_INFINITY)
    }
  },
  holds: () => true,
})

export const avoidForm: RuleForm<AvoidRule> = {
  label: 'avoid',
  asks: 'nobody meets the players in their list',
  reads: PLAYER_LISTS,
  sample: () => [],
}
