import { liveSession, sessionEpochOf } from '../../account/decide'
import type { Session } from '../../account/session'
import { DEFAULT_PAGE_LIMIT, SESSION_PAGE } from '../../catalog/limits'
import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import { requireLimit, requirePlace } from '../../reads/cursor-page'
import { accountRow } from '../../reads/require'
import { cursorOf, type Stretch } from '../../shared/place'
import type { Instant } from '../../shared/time'

/** Part of the list of an account's sessions. */
export interface ListSessionsInput {
  /** Account whose valid sessions are listed. */
  readonly accountId: string
  /** Session that makes the call; in the list it is marked as `isCurrent`. */
  readonly sessionId?: string | undefined
  /** Cursor: `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
  /** Maximum number of sessions on a page, 1 to 200. Default: 50. */
  readonly limit?: number | undefined
}

/** Valid session of an account. */
export interface ListedSession {
  /** Id of the session: `ses_` and a ULID. */
  readonly id: string
  /** Time at which the session was opened or refreshed. */
  readonly createdAt: Instant
  /** Time at which the session expires. */
  readonly expiresAt: Instant
  /** Network address, or IPv6 network, from which the session was opened or refreshed; null when it is not known. */
  readonly address: string | null
  /** Whether this session makes the call. */
  readonly isCurrent: boolean
}

/** Page of the valid sessions of an account, newest first. */
export type SessionPage = Stretch<ListedSession>

/** Returns a page of the valid sessions of an account, newest first. Throws VALIDATION_FAILED. */
export function listSessions(ctx: Ports, input: ListSessionsInput): Promise<SessionPage> {
  const { accountId, sessionId, cursor, limit = DEFAULT_PAGE_LIMIT } = input
  return unavailableInsteadOf(async () => {
    requireLimit(limit, SESSION_PAGE)
    const before = cursor === undefined ? undefined : requirePlace(cursor)
    const account = await accountRow(ctx, accountId)
    const now = ctx.clock.now()
    // One more session than the page returns is read, to find out whether another page follows.
    const rows = await ctx.storage.sessions.list({
      ...{ accountId, sessionEpoch: sessionEpochOf(account), limit: limit + 1 },
      ...(before && { before }),
    })
    // All sessions last equally long, so the expired ones are at the end of the list.
    const valid = rows.filter((session) => liveSession(session, now, account).ok)
    const data = valid.slice(0, limit)
    const last = data.at(-1)
    const nextCursor = valid.length > limit && last !== undefined ? cursorOf(last) : null
    return { data: data.map((session) => listed(session, sessionId)), nextCursor }
  })
}

const listed = ({ id, createdAt, expiresAt, address }: Session, current: string | undefined): ListedSession => ({
  id,
  createdAt,
  expiresAt,
  address: address ?? null,
  isCurrent: id === current,
})
