import { ServiceError } from '../errors/service-error'
import { isWellFormed } from '../shared/json'
import { PLAYER_ID_LENGTH } from './limits'

// Control characters: C0, DEL and C1.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/** Returns the fault of a player id as the end of a sentence; undefined when the id is valid (docs/http-api.md §1). */
export function playerIdFault(playerId: string): string | undefined {
  const { min, max } = PLAYER_ID_LENGTH
  const length = [...playerId].length
  if (length < min) return 'is empty'
  if (length > max) return `is ${length} characters long; at most ${max} characters are allowed`
  // An HTTP header cannot contain broken Unicode, but the JSON of a token can. Encoded as UTF-8, many such ids would become equal.
  if (!isWellFormed(playerId)) return 'is not valid Unicode'
  return CONTROL.test(playerId) ? 'contains a control character' : undefined
}

/**
 * Checks a player id of an embedding application as strictly as the HTTP API does, because players are found and erased by ids of this
 * form. Throws INVALID_PLAYER_ID.
 */
export function checkPlayerId(playerId: string): void {
  const fault = playerIdFault(playerId)
  if (fault !== undefined) throw new ServiceError('INVALID_PLAYER_ID', `the player id ${fault}`)
}
