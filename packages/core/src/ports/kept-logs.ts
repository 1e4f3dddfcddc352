/** Entry in the list of kept logs. */
export interface KeptLogEntry {
  readonly name: string
  readonly bytes: number
}

/** Maximum number of entries in one page of the list of kept logs. */
export const KEPT_LOGS_PAGE = 1_000

/**
 * Logs of ended game servers in the build store, each a text under a name. A name consists of two parts, separated by `/`; each part has
 * letters, digits, `_` and `-`, at most 128 of them. Every call may throw StorageUnavailable, and BuildStoreAway when another machine holds
 * the logs and does not answer.
 */
export interface KeptLogs {
  /** Stores a text as a whole or not at all, in place of an earlier text of the same name. */
  put(name: string, text: string): Promise<void>
  /** Returns a text; undefined when the name has no text. */
  get(name: string): Promise<string | undefined>
  /**
   * Returns the entries with names after `after`, in the order of the characters' codes, at most `KEPT_LOGS_PAGE` entries. An empty page
   * is the end of the list.
   */
  list(after?: string): Promise<readonly KeptLogEntry[]>
  /** Removes a text. A name without a text is no error. */
  remove(name: string): Promise<void>
}
