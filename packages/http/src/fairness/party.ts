/**
 * The caller of a request, as far as fairness needs to know: names of four levels, each within the one before. They are known before the
 * credential is judged, so they say nothing about what the caller may do.
 */
export interface Party {
  /** The id of the account that owns the key or the session; `of <project id>` where it is not known, `STRANGERS` for strangers. */
  readonly account: string
  /** A project's id; empty for sessions and for strangers. */
  readonly project: string
  /** The id of a key or a session, or `server <id>` of a game server; of strangers the empty text. */
  readonly key: string
  /** As limits per address count it: one IPv4 address, or an IPv6 network of 64 bits. */
  readonly address: string
}

/** The account of all calls without a credential that was good before. No account has an empty id. */
export const STRANGERS = ''

/** Strangers together have the part of a share that one account has. */
export const STRANGERS_PART = 0.25

/** The names of a party, the widest first. */
export const levelsOf = ({ account, project, key, address }: Party): readonly string[] => [
  account,
  project,
  key,
  address,
]

/** The account of a project whose owner is not known. */
export const ownerOf = (projectId: string): string => `of ${projectId}`

/** Stands for a key where a game server calls. */
export const serverKey = (instanceId: string): string => `server ${instanceId}`
