import { byteSize, type JsonObject, utf8Length } from '../shared/json'
import type { Lobby } from './lobby'
import type { LobbyProposal } from './proposal'

/** Bytes of an instant such as `2026-03-01T12:00:00.000Z`, with quotes. */
const INSTANT_BYTES = 26
const FREE_FORM: ReadonlySet<string> = new Set(['settings', 'state'])

/**
 * Returns the bytes of a lobby as JSON in an answer of the HTTP API, where the size of the lobby is bounded (docs/http-api.md §1). The HTTP
 * API writes an underscore before each upper-case letter of a name, and writes instants as text, so the count differs from the stored JSON.
 * A test of `http` proves that both counts agree.
 */
export function answeredBytes({
  projectId,
  accountId,
  ticket,
  movedAt,
  quickJoinKey,
  keptStay,
  id,
  name,
  region,
  proposal,
  ...lobby
}: Lobby): number {
  const players = lobby.players.map(({ byClient: _, hidden: __, ...player }) => ({
    ...player,
    isHost: player.playerId === lobby.hostPlayerId,
  }))
  return bytesOf({
    lastExit: null,
    ...lobby,
    lobbyId: id,
    name: name ?? undefined,
    region: region ?? undefined,
    proposal: proposal && answered(proposal),
    players,
    currentPlayers: players.length,
  })
}

/** Maximum UTF-8 bytes for one UTF-16 code unit. */
const BYTES_A_UNIT = 3
/**
 * Maximum bytes that the HTTP API adds to the JSON of a lobby (underscores, instants as text, the host): once for each player, and once for
 * all other fields.
 */
const BESIDE_A_PLAYER = 64
const BESIDE = 1_024

/** Returns an upper bound of `answeredBytes` that is fast to compute. For most lobbies the upper bound is already below the limit. */
export const answeredBytesAtMost = (lobby: Lobby): number =>
  JSON.stringify(lobby).length * BYTES_A_UNIT + lobby.players.length * BESIDE_A_PLAYER + BESIDE

const answered = ({ ticketId, enteredAt, ticketExpiresAt, requeues, ...proposal }: LobbyProposal) => proposal

function bytesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return byteSize(value as never)
  if (Array.isArray(value)) return listed(value.map(bytesOf))
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return listed(fields.map(([key, field]) => utf8Length(key) + humps(key) + 3 + bytesOfField(key, field)))
}

function bytesOfField(key: string, field: unknown): number {
  if (typeof field === 'number' && /^at$|At$/.test(key)) return INSTANT_BYTES
  return FREE_FORM.has(key) ? byteSize(field as JsonObject) : bytesOf(field)
}

/** Returns the bytes of a JSON list, with its brackets and commas, from the bytes of its items. */
const listed = (sizes: readonly number[]): number =>
  sizes.reduce((sum, size) => sum + size, 0) + 2 + Math.max(0, sizes.length - 1)

const humps = (key: string): number => key.replace(/[^A-Z]/g, '').length
