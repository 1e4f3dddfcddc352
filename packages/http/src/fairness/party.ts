/**
 * Names of the caller of a request, by which capacity is shared fairly: its account, project, key and address, each
 * within the name before. They are known before the credential is checked, so they give no access.
 */
export interface Party {
  /**
   * Id of the account that owns the key or the session. If the account is not known, `of <project id>`. For a caller
   * without a known credential, `STRANGERS`.
   */
  readonly account: string
  /** Id of the project; empty for sessions and strangers. */
  readonly project: string
  /** Id of the key or the session; `server <id>` for a game server; empty for strangers. */
  readonly key: string
  /** Address in the form in which rate limits count it: an IPv4 address, or an IPv6 network of 64 bits. */
  readonly address: string
}

/**
 * Account name of all callers without a credential, or with a credential that was not valid before. No account has an
 * empty id.
 */
export const STRANGERS = ''

/** Share of all strangers together, as a fraction of the share of one account. */
export const STRANGERS_PART = 0.25

/** Returns the names of a caller, from the account to the address. */
export const levelsOf = ({ account, project, key, address }: Party): readonly string[] => [
  account,
  project,
  key,
  address,
]

/** Returns the name that is used as the account of a project whose owner is not known. */
export const ownerOf = (projectId: string): string => `of ${projectId}`

/** Returns the name that is used as the account of a machine's agent. */
export const machineAccount = (machineId: string): string => `machine ${machineId}`

/** Returns the name that is used as the key of a game server's calls. */
export const serverKey = (instanceId: string): string => `server ${instanceId}`
