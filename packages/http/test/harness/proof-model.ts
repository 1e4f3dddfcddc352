/** Model of proven identities, by docs/http-api.md §11 and without any code of the service. */

export const PLAYERS = ['ann', 'bob', 'cat'] as const
export const ISSUERS = ['https://backend.example', 'https://login.example'] as const

/** How the players of a project prove their identity now: the secret of each issuer, by the issuer's name. */
export interface Auth {
  readonly mode: 'trusted' | 'signed'
  readonly secrets: ReadonlyMap<string, string>
}

/** A minted token; instants in milliseconds. */
export interface Token {
  readonly text: string
  readonly issuer: string
  readonly secret: string
  readonly playerId: string
  readonly expiresAt: number
  /** Value of the trusted field in the token. */
  readonly mmr: number | undefined
  /** Whether the token's audience is the project that receives it, or absent. */
  readonly isForUs: boolean
}

export type Believed =
  | { readonly playerId: string; readonly client: boolean; readonly mmr: number | undefined }
  | { readonly code: 'PLAYER_TOKEN_REQUIRED' | 'INVALID_PLAYER_TOKEN' | 'PLAYER_ID_REQUIRED' }

const LEEWAY_MS = 60_000
const LONGEST_MS = 24 * 3_600_000 + LEEWAY_MS

const isGood = ({ secrets }: Auth, token: Token, at: number): boolean =>
  secrets.get(token.issuer) === token.secret &&
  token.isForUs &&
  token.expiresAt + LEEWAY_MS > at &&
  token.expiresAt <= at + LONGEST_MS

/** Returns the acting player of a call that must name a player, or the code of the refusal. */
export function believed(
  auth: Auth,
  sent: { readonly backend: boolean; readonly header: string | undefined; readonly token: Token | undefined },
  at: number,
): Believed {
  const { backend, header, token } = sent
  const asHeaderSays: Believed =
    header === undefined ? { code: 'PLAYER_ID_REQUIRED' } : { playerId: header, client: !backend, mmr: undefined }
  if (backend) return asHeaderSays
  const reads = auth.mode === 'signed' || auth.secrets.size > 0
  if (token === undefined || !reads) return auth.mode === 'signed' ? { code: 'PLAYER_TOKEN_REQUIRED' } : asHeaderSays
  if (!isGood(auth, token, at)) return { code: 'INVALID_PLAYER_TOKEN' }
  if (header !== undefined && header !== token.playerId) return { code: 'INVALID_PLAYER_TOKEN' }
  return { playerId: token.playerId, client: true, mmr: token.mmr }
}

/** Model of a lobby: its host, and the trusted field of each member. */
export interface ModelLobby {
  host: string
  readonly members: Map<string, number | undefined>
}

/** Returns the rating after a write of a state; undefined for a forbidden write. */
export function written(
  present: number | undefined,
  sent: number | undefined,
  { client, mmr }: { readonly client: boolean; readonly mmr: number | undefined },
): { readonly mmr: number | undefined } | undefined {
  if (!client) return { mmr: sent ?? present }
  const now = mmr ?? present
  return sent === undefined || sent === now || sent === present ? { mmr: now } : undefined
}
