import type { PartyFault } from '@matchyard/matchmaking'
import { spokenField } from '../errors/spoken-names'
import { counted } from '../shared/counted'
import type { JsonObject, JsonValue } from '../shared/json'
import { quoted } from '../shared/plain-text'
import type { Queue } from './queue'

/** Maximum number of values that the sentence and the details list. */
const MAX_VALUES = 8
/** Maximum characters of all values in the details together. The sentence shortens each value separately. */
const MAX_DETAIL_CHARACTERS = 512
/** Kinds of faults that are not rules of the queue. */
const PROPERTIES: ReadonlySet<string> = new Set(['version', 'roles'])

/** Returns a sentence that says why a party can never be in a match. */
export function whyNever({ rule, field, playerId, wants, values = [], bound }: PartyFault): string {
  if (field === undefined) return 'no team has enough places for these players'
  // Faults of rules with private values hold no values.
  if (values.length === 0) {
    return playerId === undefined
      ? `its own players break the rule ${rule} on state.${field}`
      : `the rule ${rule} requires ${wants} in state.${field}, which player ${quoted(playerId)} does not have`
  }
  const more = values.length > MAX_VALUES ? ` and ${values.length - MAX_VALUES} more` : ''
  const shown = values.slice(0, MAX_VALUES).map(shownValue).join(', ') + more
  if (playerId !== undefined) {
    return `the rule ${rule} requires ${wants} in state.${field}, but player ${quoted(playerId)} has ${shown}`
  }
  const what = PROPERTIES.has(rule)
    ? `no match of this queue is possible with the ${rule} of its players`
    : `its own players break the rule ${rule}`
  const limit = bound === undefined ? '' : `, and the limit is ${bound} after all relaxation steps`
  return `${what}: state.${field} is ${shown}${limit}`
}

/** Returns the fault as data; long values are left out. */
export function faultDetails({ rule, field, playerId, values = [], bound }: PartyFault): JsonObject {
  const kept = values.slice(0, MAX_VALUES).map((value) => (value ?? null) as JsonValue)
  const isShort = JSON.stringify(kept).length <= MAX_DETAIL_CHARACTERS
  return {
    rule,
    ...(field === undefined ? {} : { field }),
    ...(field !== undefined && values.length > 0 && isShort ? { values: kept } : {}),
    ...(playerId === undefined ? {} : { player: playerId }),
    ...(bound === undefined ? {} : { bound }),
  }
}

/** Returns a sentence that says by how many players a party is too large, and how to solve this in its lobby or its queue. */
export function whyTooLarge(
  { queueId, maxPlayers }: Pick<Queue, 'queueId' | 'maxPlayers'>,
  { lobbyId, count, most }: { readonly lobbyId: string; readonly count: number; readonly most: number },
): string {
  const party = `lobby ${lobbyId} has ${count} players, but matchmaking in queue ${queueId} allows at most ${counted(most, 'player')} in a lobby`
  const mend = `${counted(count - most, 'player')} must leave before the lobby can enter the queue`
  if (maxPlayers <= most) return `${party}: ${mend}`
  return `${party}: ${mend}; lobbies of this queue have ${maxPlayers} places by default: create them with ${spokenField('maxPlayers')} ${most}`
}

function shownValue(value: unknown): string {
  if (value === undefined) return 'no value'
  const text = JSON.stringify(value)
  return typeof value === 'string' ? quoted(value) : text.length > 128 ? `${text.slice(0, 128)}…` : text
}
