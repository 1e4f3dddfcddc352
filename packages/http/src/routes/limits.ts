import type { RateRule } from '../middleware/rate-limiter'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Cancelling matchmaking, per player (specification, "Limits"). */
export const CANCEL_MATCHMAKING: RateRule = { name: 'cancel-matchmaking', points: 5, windowMs: SECOND }

/** Failed logins (docs/http-api.md §2). */
export const LOGIN_PER_ACCOUNT: RateRule = { name: 'login-account', points: 5, windowMs: MINUTE }
export const LOGIN_PER_ADDRESS: RateRule = { name: 'login-address', points: 30, windowMs: 10 * MINUTE }

/** Invite codes that nobody has (docs/http-api.md §6). */
export const INVITE_PER_ADDRESS: RateRule = { name: 'invite-address', points: 30, windowMs: MINUTE }
export const INVITE_PER_PROJECT: RateRule = { name: 'invite-project', points: 300, windowMs: MINUTE }
