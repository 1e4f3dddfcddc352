/** Limits of an archive, which protect the machine that unpacks it (docs/http-api.md §4). */
export interface ArchiveLimits {
  readonly entries: number
  readonly unpackedBytes: number
  /**
   * Largest ratio of unpacked bytes to packed bytes. The limit applies to the whole archive, so a file of zeros beside
   * other files is allowed.
   */
  readonly ratio: number
  /**
   * Largest length of a whole name in bytes. It is below the limit of Linux file systems, because the path of the
   * folder also counts towards that limit. `namePartBytes` limits each part between slashes.
   */
  readonly nameBytes: number
  readonly namePartBytes: number
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  entries: 20_000,
  unpackedBytes: 4 * 1024 ** 3,
  ratio: 200,
  nameBytes: 1024,
  namePartBytes: 255,
}
