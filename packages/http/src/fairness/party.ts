/**
 * Caller of a request, as far as fairness needs it: names on four levels, each inside the one before. They are known
 * before the credential is judged, so they do not show what the caller may do.
 */
export interface Party {
  /**
   * Id of the account that owns the key or the session; `of <project id>` for an unknown account, `STRANGERS` for
   * strangers.
   */
  readonly account: string
  /** Id of the project; empty for sessions and for strangers. */
  readonly project: string
  /** Id of the key or the session, or `server <id>` of a game server; empty for strangers. */
  readonly key: string
  /** Address as limits per address count it: one IPv4 address, or an IPv6 network of 64 bits. */
  readonly address: string
}

/** Account of all calls without a credential that was valid before. No account has an empty id. */
export const STRANGERS = ''

/** Share of all strangers together, as a fraction of the share of one account. */
export const STRANGERS_PART = 0.25

/** Returns the names of a party, the widest level first. */
export const levelsOf = ({ account, project, key, address }: Party): readonly string[] => [
  account,
  project,
  key,
  address,
]

/** Returns the name that stands for the account of a project whose owner is not known. */
export const ownerOf = (projectId: string): string => `of ${projectId}`

/** Returns the name that stands for the key of a game server's calls. */
export const serverKey = (instanceId: string): string => `server ${instanceId}`
