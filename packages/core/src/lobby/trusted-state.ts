import { isPlayerList, MOST_AVOIDED } from '@matchyard/matchmaking'
import { accept, type Decision, reject, rejectInvalid } from '../errors/decision'
import { type FieldRights, NO_RIGHTS } from '../queue/field-rights'
import { type JsonObject, jsonEqual, sameText } from '../shared/json'
import type { LobbyEvent } from './events'
import type { Lobby, LobbyPlayer } from './lobby'

/**
 * Proof that a call by a player's client brings with it. A client's value of a trusted field is accepted only when the token proves the
 * value.
 */
export interface ClientWord {
  /** Values of the state that the caller's player token proves; `{}` without a token. */
  readonly proven: JsonObject
}

/** Source of a state. With `client`: a player's client. Without `client`: the project's backend, whose values count as proven. */
export interface StateSource extends FieldRights {
  readonly client?: ClientWord | undefined
  /** Whether another player, or a backend, writes the state. A replace by them keeps the private fields. Default: false. */
  readonly isOther?: boolean
}

/** Source for a backend, when the settings of the queue are not known. */
export const WRITTEN_BY_BACKEND: StateSource = NO_RIGHTS

/** A state, its proven fields, whose values come from a backend or a token, and its private fields. */
type Held = Pick<LobbyPlayer, 'state' | 'proven' | 'hidden'>

const NOTHING: Held = { state: {} }

interface Wish {
  /** New state. Absent: only the fields that the token proves are written. */
  readonly state?: JsonObject | undefined
  /** Whether only the supplied fields are replaced; if not, the whole state is replaced. */
  readonly merge: boolean
}

/**
 * Returns the state of a player after a call. Rejects with PLAYER_STATE_FORBIDDEN when a client sends a value of a trusted field that
 * differs from the present value.
 */
export function writtenState(before: Held = NOTHING, wish: Wish, source: StateSource): Decision<Held> {
  const { client, trusted } = source
  if (client === undefined) return asPrivate(before, wish, source, writtenByBackend(before, wish))
  const claimed = pick(client.proven, trusted)
  const base: Held = {
    state: { ...without(before.state, unprovenOf(before, trusted)), ...claimed },
    proven: [...new Set([...(before.proven ?? []), ...Object.keys(claimed)])],
  }
  const supplied = wish.state ?? {}
  // A private value of another player is refused also when it is equal, because the answer would confirm a guess.
  const guessed = source.isOther === true ? [...source.hidden, ...(before.hidden ?? [])] : []
  const agrees = (field: string) => [before, base].some(({ state }) => agree(state, supplied, field))
  const fields = trusted.filter(
    (field) => Object.hasOwn(supplied, field) && (guessed.includes(field) || !agrees(field)),
  )
  if (fields.length > 0) return forbidden(fields)
  return asPrivate(before, wish, source, writtenByClient(base, { ...wish, state: supplied }, trusted))
}

/**
 * Returns the written state with its private fields. Rejects with VALIDATION_FAILED when a private field is neither null nor a list of
 * player ids.
 */
function asPrivate(before: Held, wish: Wish, { hidden, isOther = false }: StateSource, after: Held): Decision<Held> {
  const names = [...new Set([...hidden, ...(before.hidden ?? [])])]
  const kept = isOther && !wish.merge ? pick(before.state, names) : {}
  const state = { ...kept, ...after.state }
  const bad = hidden.filter((field) => !isPlayerList(state, field))
  if (bad.length > 0) return rejectInvalid(bad.map((field) => ({ path: `state.${field}`, message: PLAYER_LIST })))
  return accept(held(state, [...(after.proven ?? []), ...pickNames(before.proven, kept)], names))
}

const PLAYER_LIST = `must be a list of at most ${MOST_AVOIDED} player ids`

const pickNames = (names: readonly string[] = [], state: JsonObject) =>
  names.filter((name) => Object.hasOwn(state, name))

function writtenByBackend(before: Held, { state, merge }: Wish): Held {
  if (state === undefined) return before
  const names = Object.keys(state)
  if (!merge) return held(state, names)
  return held({ ...before.state, ...state }, [...(before.proven ?? []), ...names])
}

/**
 * Applies the state that a client sent. Its values of trusted fields equal the present values; the caller of this function has checked
 * this.
 */
function writtenByClient(base: Held, { state: supplied = {}, merge }: Wish, trusted: readonly string[]): Held {
  const theirs = without(supplied, trusted)
  // Fields keep the order in which the client sent them. Trusted fields are kept even when the client did not send them.
  const replaced = Object.fromEntries(
    Object.entries(supplied).flatMap(([field, value]) => {
      if (!trusted.includes(field)) return [[field, value]]
      return Object.hasOwn(base.state, field) ? [[field, base.state[field] ?? null]] : []
    }),
  )
  const state = merge ? { ...base.state, ...theirs } : { ...replaced, ...pick(base.state, trusted) }
  const proven = (base.proven ?? []).filter(
    (field) => !Object.hasOwn(theirs, field) || agree(base.state, theirs, field),
  )
  return held(state, proven)
}

function held(state: JsonObject, proven: readonly string[], hidden: readonly string[] = []): Held {
  const [own, secret] = [proven, hidden].map((names) => pickNames([...new Set(names)], state))
  return { state, ...(own?.length ? { proven: own } : {}), ...(secret?.length ? { hidden: secret } : {}) }
}

const forbidden = (fields: readonly string[]) =>
  reject(
    'PLAYER_STATE_FORBIDDEN',
    `players may not write ${fields.join(', ')} in this queue: only a player token or your backend may set a trusted field`,
    { fields: [...fields] },
  )

/** Returns the trusted fields whose values are not proven. */
export const unprovenOf = ({ state, proven = [] }: Held, trusted: readonly string[]): readonly string[] =>
  trusted.filter((field) => Object.hasOwn(state, field) && !proven.includes(field))

/** Whether a player's state has unproven values of trusted fields, which have no effect and are dropped, or unmarked private fields. */
export const needsSettling = ({ players }: Pick<Lobby, 'players'>, rights: FieldRights): boolean =>
  players.some(
    (player) => unprovenOf(player, rights.trusted).length > 0 || unmarkedOf(player, rights.hidden).length > 0,
  )

const unmarkedOf = ({ state, hidden = [] }: Held, fields: readonly string[]): readonly string[] =>
  fields.filter((field) => Object.hasOwn(state, field) && !hidden.includes(field))

/**
 * Removes values of trusted fields that are not proven, and marks private fields. Called when the lobby enters a queue, or moves to a queue
 * with other fields.
 */
export function settleStates(lobby: Lobby, rights: FieldRights): LobbyEvent[] {
  if (!needsSettling(lobby, rights)) return []
  const settled = lobby.players.flatMap((player) => {
    if (!needsSettling({ players: [player] }, rights)) return []
    const state = without(player.state, unprovenOf(player, rights.trusted))
    const hidden = [...(player.hidden ?? []), ...unmarkedOf(player, rights.hidden)]
    return [stateChanged(player.playerId, held(state, player.proven ?? [], hidden))]
  })
  return lobby.ticket === null ? settled : [...settled, { type: 'ticket_changed' }]
}

/** Returns the event of a changed state or of changed proven or private fields. */
export function stateChanged(playerId: string, { state, proven, hidden }: Held): LobbyEvent {
  return {
    type: 'player_state_changed',
    ...{ playerId, state, ...(proven === undefined ? {} : { proven }), ...(hidden === undefined ? {} : { hidden }) },
  }
}

/** Whether a change has no effect: the state stays equal, and so do its trusted fields that are proven and its private fields. */
export const isSameState = (before: Held, after: Held, trusted: readonly string[]): boolean =>
  sameText(before.state, after.state) &&
  trusted.every((field) => isProven(before, field) === isProven(after, field)) &&
  sameText([...(before.hidden ?? [])], [...(after.hidden ?? [])])

const isProven = ({ proven = [] }: Held, field: string): boolean => proven.includes(field)

const agree = (a: JsonObject, b: JsonObject, field: string): boolean =>
  Object.hasOwn(a, field) && jsonEqual(a[field], b[field])

const pick = (state: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(state).filter(([field]) => fields.includes(field)))

const without = (state: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(state).filter(([field]) => !fields.includes(field)))
