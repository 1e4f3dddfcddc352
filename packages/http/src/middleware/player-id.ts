import { type Caller, type IdentifiedPlayer, type Matchyard, type Permission, ServiceError } from '@matchyard/core'
import { playerIdFault } from '@matchyard/core/domain'
import type { Exchange } from '../exchange/exchange'
import { bearerOf } from './bearer'

const HEADER = 'x-player-id'
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Resolves to the acting player. If the project reads player tokens and a client sends one, the token proves the id.
 * Otherwise the `x-player-id` header names the player; its value is trusted, and only its form is checked
 * (docs/http-api.md §1, §11).
 * Rejects with `PLAYER_ID_REQUIRED`, `INVALID_PLAYER_ID`, `PLAYER_TOKEN_REQUIRED`, `INVALID_PLAYER_TOKEN` or
 * `UNAVAILABLE`.
 */
export async function readPlayer(
  matchyard: Matchyard,
  rule: Permission['player'],
  caller: Caller | undefined,
  exchange: Exchange,
): Promise<IdentifiedPlayer> {
  if (caller === undefined) return NOBODY
  if (rule === 'none') return matchyard.access.identifyPlayer({ caller, rule })
  const isRead = exchange.method === 'GET' || exchange.method === 'HEAD'
  const named = { playerId: readPlayerId(exchange), token: bearerOf(exchange) }
  return matchyard.access.identifyPlayer({ caller, rule, isRead, ...named })
}

const NOBODY: IdentifiedPlayer = { playerId: undefined, client: undefined, until: undefined }

/** Returns the player id in the `x-player-id` header. Throws `INVALID_PLAYER_ID`. */
function readPlayerId(exchange: Exchange): string | undefined {
  const raw = exchange.header(HEADER)
  if (raw === undefined) return undefined
  if (raw.includes(', ') && sentTwice(exchange)) throw invalid('was sent twice; send it once')
  const playerId = decode(raw)
  const fault = playerIdFault(playerId)
  if (fault !== undefined) throw invalid(fault)
  return playerId
}

/** Returns the text of a header, whose bytes are UTF-8. The HTTP server has decoded them as latin1. */
function decode(raw: string): string {
  if (/^[\u0020-\u007e]*$/.test(raw)) return raw
  const bytes = Uint8Array.from(raw, (char) => char.charCodeAt(0))
  // A header of an in-process request may contain characters that an HTTP connection cannot send.
  if ([...raw].some((char) => char.charCodeAt(0) > 0xff)) throw invalid('is not valid UTF-8')
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('is not valid UTF-8')
  }
}

/**
 * Whether the `x-player-id` header was sent twice. Node joins such headers with a comma, which is allowed in a player
 * id, so only the raw headers show this.
 */
function sentTwice(exchange: Exchange): boolean {
  const raw = exchange.incoming?.rawHeaders ?? []
  let count = 0
  for (let i = 0; i < raw.length; i += 2) if (raw[i]?.toLowerCase() === HEADER) count++
  return count > 1
}

const invalid = (what: string) => new ServiceError('INVALID_PLAYER_ID', `the x-player-id header ${what}`)
