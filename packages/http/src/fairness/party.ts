/**
 * Whose call it is, as far as fairness needs to know: names of three levels, each within the one before. They are known before the
 * credential is judged, so they say nothing about what the caller may do.
 */
export interface Party {
  /** A project's id, `account <id>` of a session's account, or `STRANGERS`. */
  readonly group: string
  /** The id of a key or a session, or `server <id>` of a game server; of strangers the empty text. */
  readonly key: string
  /** As limits per address count it: one IPv4 address, or an IPv6 network of 64 bits. */
  readonly address: string
}

/** The group of all calls without a credential that was good before. No project or account has an empty id. */
export const STRANGERS = ''

/** Strangers together have the part of a share that one project has. */
export const STRANGERS_PART = 0.25

/** The group of an account's sessions. */
export const accountGroup = (accountId: string): string => `account ${accountId}`

/** What stands for a key where a game server calls. */
export const serverKey = (instanceId: string): string => `server ${instanceId}`
