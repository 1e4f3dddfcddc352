import { byteSize, type JsonObject, utf8Length } from '../shared/json'
import type { Lobby } from './lobby'
import type { LobbyProposal } from './proposal'

/** Bytes of an instant such as `2026-03-01T12:00:00.000Z`, with quotes. */
const INSTANT_BYTES = 26
const FREE_FORM: ReadonlySet<string> = new Set(['settings', 'state'])

/**
 * Returns the bytes of JSON of a lobby in an answer, which its bound counts (docs/http-api.md §1). The names of core and wire differ: the
 * wire adds an underscore before each upper-case letter and writes instants as text. A test of `http` proves that both counts agree.
 */
export function answeredBytes({
  projectId,
  accountId,
  ticket,
  movedAt,
  quickJoinKey,
  id,
  name,
  region,
  proposal,
  ...lobby
}: Lobby): number {
  const players = lobby.players.map((player) => ({ ...player, isHost: player.playerId === lobby.hostPlayerId }))
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

/** Maximum bytes of UTF-8 for one code unit of UTF-16. */
const BYTES_A_UNIT = 3
/** Maximum bytes that the wire adds to the JSON of a lobby (underscores, instants as text, the host), for each player and for the rest. */
const BESIDE_A_PLAYER = 64
const BESIDE = 1_024

/** Returns an upper bound of `answeredBytes` that is fast to compute: most lobbies are far below their limit. */
export const answeredBytesAtMost = (lobby: Lobby): number =>
  JSON.stringify(lobby).length * BYTES_A_UNIT + lobby.players.length * BESIDE_A_PLAYER + BESIDE

const answered = ({ ticketId, enteredAt, ticketExpiresAt, ...proposal }: LobbyProposal) => proposal

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

/** Returns the bytes of a list with its brackets and commas. */
const listed = (sizes: readonly number[]): number =>
  sizes.reduce((sum, size) => sum + size, 0) + 2 + Math.max(0, sizes.length - 1)

const humps = (key: string): number => key.replace(/[^A-Z]/g, '').length
