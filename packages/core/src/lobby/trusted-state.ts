import { accept, type Decision, reject } from '../errors/decision'
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
export interface StateSource {
  /** Fields that clients may not write. */
  readonly trusted: readonly string[]
  readonly client?: ClientWord | undefined
}

/** Source for a backend, when the settings of the queue are not known. */
export const WRITTEN_BY_BACKEND: StateSource = { trusted: [] }

/** A state and its proven fields, whose values come from a backend or a token. */
type Held = Pick<LobbyPlayer, 'state' | 'proven'>

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
  if (client === undefined) return accept(writtenByBackend(before, wish))
  const claimed = pick(client.proven, trusted)
  const base: Held = {
    state: { ...without(before.state, unprovenOf(before, trusted)), ...claimed },
    proven: [...new Set([...(before.proven ?? []), ...Object.keys(claimed)])],
  }
  const supplied = wish.state ?? {}
  const fields = trusted.filter(
    (field) => Object.hasOwn(supplied, field) && ![before, base].some(({ state }) => agree(state, supplied, field)),
  )
  if (fields.length > 0) return forbidden(fields)
  return accept(writtenByClient(base, { ...wish, state: supplied }, trusted))
}

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

function held(state: JsonObject, proven: readonly string[]): Held {
  const names = [...new Set(proven)].filter((field) => Object.hasOwn(state, field))
  return names.length === 0 ? { state } : { state, proven: names }
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

/** Whether a player's state has a value of a trusted field that is not proven. Such a value has no effect and is dropped. */
export const holdsUnproven = ({ players }: Pick<Lobby, 'players'>, trusted: readonly string[]): boolean =>
  trusted.length > 0 && players.some((player) => unprovenOf(player, trusted).length > 0)

/**
 * Removes values of trusted fields that are not proven. Called when the lobby moves to a queue where clients may not write these fields.
 */
export function dropUnproven(lobby: Lobby, trusted: readonly string[]): LobbyEvent[] {
  if (!holdsUnproven(lobby, trusted)) return []
  const dropped = lobby.players.flatMap((player) => {
    const fields = unprovenOf(player, trusted)
    return fields.length === 0
      ? []
      : [stateChanged(player.playerId, { ...player, state: without(player.state, fields) })]
  })
  return lobby.ticket === null ? dropped : [...dropped, { type: 'ticket_changed' }]
}

/** Returns the event of a changed state or of changed proven fields. */
export function stateChanged(playerId: string, { state, proven }: Held): LobbyEvent {
  return { type: 'player_state_changed', playerId, state, ...(proven === undefined ? {} : { proven }) }
}

/** Whether a change has no effect: the state stays equal, and so does the list of trusted fields that are proven. */
export const isSameState = (before: Held, after: Held, trusted: readonly string[]): boolean =>
  sameText(before.state, after.state) && trusted.every((field) => isProven(before, field) === isProven(after, field))

const isProven = ({ proven = [] }: Held, field: string): boolean => proven.includes(field)

const agree = (a: JsonObject, b: JsonObject, field: string): boolean =>
  Object.hasOwn(a, field) && jsonEqual(a[field], b[field])

const pick = (state: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(state).filter(([field]) => fields.includes(field)))

const without = (state: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(state).filter(([field]) => !fields.includes(field)))
