import type { RateRule } from '../middleware/rate-limiter'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Limit on cancelling matchmaking, per player (specification, "Limits"). */
export const CANCEL_MATCHMAKING: RateRule = { name: 'cancel-matchmaking', points: 5, windowMs: SECOND }

/**
 * Limits on failed logins: of one account from one address, and of all accounts from one address (docs/http-api.md §2).
 */
export const LOGIN_PER_ACCOUNT: RateRule = { name: 'login-account', points: 5, windowMs: MINUTE }
export const LOGIN_PER_ADDRESS: RateRule = { name: 'login-address', points: 30, windowMs: 10 * MINUTE }
/** Limit on failed logins from an IPv6 site (a /48 network), which has many addresses. */
export const LOGIN_PER_SITE: RateRule = { name: 'login-site', points: 120, windowMs: 10 * MINUTE }
/**
 * Limit on failed logins of an account from all addresses together. Beyond the limit, each further failure is answered
 * 250 ms later than the failure before, up to 2 seconds late.
 */
export const LOGIN_FROM_ALL: RateRule = { name: 'login-from-all', points: 5, windowMs: MINUTE }
const LATER_BY_MS = 250
const LATEST_MS = 2 * SECOND
export const loginLateMs = (over: number): number => Math.min(LATEST_MS, over * LATER_BY_MS)

/**
 * Limits on the sessions that an account gets by signing in, and by refreshing a session. The row of each session is
 * kept for 7 days.
 */
export const SIGN_INS_PER_ACCOUNT: RateRule = { name: 'sign-ins', points: 300, windowMs: HOUR }
export const REFRESHES_PER_ACCOUNT: RateRule = { name: 'refreshes', points: 300, windowMs: HOUR }

/** Limit on wrong one-time codes from one address. */
export const CODE_PER_ADDRESS: RateRule = { name: 'code-address', points: 30, windowMs: 10 * MINUTE }

/** Limit on wrong tokens of invitations to projects from one address. */
export const JOIN_PER_ADDRESS: RateRule = { name: 'join-address', points: 30, windowMs: 10 * MINUTE }

/** Limit on wrong invite codes from one address (docs/http-api.md §6). */
export const INVITE_PER_ADDRESS: RateRule = { name: 'invite-address', points: 30, windowMs: MINUTE }
/** Limit on wrong invite codes in one project. Beyond the limit, a wrong code is answered 1 second late. */
export const INVITE_PER_PROJECT: RateRule = { name: 'invite-project', points: 300, windowMs: MINUTE }
export const INVITE_LATE_MS = SECOND

/** Limit on the accounts that one address registers. */
export const registrationsPerAddress = (points: number): RateRule => ({
  name: 'registrations-address',
  points,
  windowMs: HOUR,
})
/**
 * Limit of an IPv6 site, or of an IPv4 address, as a multiple of the limit of an address. Once the limit of all
 * addresses together is reached (`isCrowded`), each site may still register once, so that other callers cannot prevent
 * its first registration.
 */
const ADDRESSES_OF_SITE = 2
export const registrationsPerSite = (perAddress: number, isCrowded: boolean): RateRule => ({
  name: 'registrations-site',
  points: isCrowded ? 1 : ADDRESSES_OF_SITE * perAddress,
  windowMs: HOUR,
})
/** Limit of all addresses together, as a multiple of the limit of one address. */
const ADDRESSES = 20
export const registrationsInAll = (perAddress: number): RateRule => ({
  name: 'registrations',
  points: ADDRESSES * perAddress,
  windowMs: HOUR,
})
