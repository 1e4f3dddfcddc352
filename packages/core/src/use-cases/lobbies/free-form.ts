import { freeFormFault } from '../../catalog/free-form'
import { MAX_LOBBY_BYTES } from '../../catalog/limits'
import { ServiceError, type ValidationIssue, validationFailed } from '../../errors/service-error'
import type { Lobby } from '../../lobby/lobby'
import { byteSize, type JsonObject, type JsonValue } from '../../shared/json'

/** Throws VALIDATION_FAILED naming each free-form object that breaks its limits (contract §1). */
export function checkFreeForm(objects: Readonly<Record<string, JsonObject | undefined>>): void {
  const issues: ValidationIssue[] = []
  for (const [path, value] of Object.entries(objects)) {
    const fault = value === undefined ? undefined : freeFormFault(value)
    if (fault !== undefined) issues.push({ path, message: fault })
  }
  if (issues.length > 0) throw validationFailed(issues)
}

/** Throws PAYLOAD_TOO_LARGE when a player's change would make the lobby larger than a lobby may be (contract §6). */
export function checkLobbySize(lobby: Lobby): Lobby {
  const bytes = byteSize(lobby as unknown as JsonValue)
  if (bytes <= MAX_LOBBY_BYTES) return lobby
  throw new ServiceError(
    'PAYLOAD_TOO_LARGE',
    `the lobby would be ${bytes} bytes; at most ${MAX_LOBBY_BYTES} are allowed: shorten settings or player states`,
  )
}
