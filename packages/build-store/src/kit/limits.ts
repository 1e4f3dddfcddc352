/** What an archive may ask of the machine that unpacks it (docs/http-api.md §4). */
export interface ArchiveLimits {
  readonly entries: number
  readonly unpackedBytes: number
  /** Unpacked over packed bytes of the whole archive: a file of zeros beside others is no bomb. */
  readonly ratio: number
  /** Bytes of a whole name and of one part between slashes: what Linux file systems take, with room for the folder. */
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
