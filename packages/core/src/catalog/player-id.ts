import { ServiceError } from '../errors/service-error'
import { isWellFormed } from '../shared/json'
import { PLAYER_ID_LENGTH } from './limits'

// C0, DEL and C1.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/** What is wrong with the form of a player id, as the end of a sentence, or undefined when nothing is (docs/http-api.md §1). */
export function playerIdFault(playerId: string): string | undefined {
  const { min, max } = PLAYER_ID_LENGTH
  const length = [...playerId].length
  if (length < min) return 'is empty'
  if (length > max) return `is ${length} characters long; at most ${max} are allowed`
  // No header can carry it, a token's JSON can: whatever writes it down as UTF-8 would make many players one.
  if (!isWellFormed(playerId)) return 'is not valid Unicode'
  return CONTROL.test(playerId) ? 'holds a control character' : undefined
}

/** Whoever comes in by code is held to what the wire takes: a player is found, and erased, by an id of this form. Throws INVALID_PLAYER_ID. */
export function checkPlayerId(playerId: string): void {
  const fault = playerIdFault(playerId)
  if (fault !== undefined) throw new ServiceError('INVALID_PLAYER_ID', `the player id ${fault}`)
}
