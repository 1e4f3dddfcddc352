import type { Instant } from '../shared/time'
import type { KeptLogs } from './kept-logs'
import { StorageUnavailable } from './storage/commit'

export type BuildLog = (level: 'info' | 'warn' | 'error', message: string) => void

export type ArchiveVerdict =
  | { readonly ok: true; readonly unpackedBytes: number; readonly entries: number }
  | { readonly ok: false; readonly message: string }

/** Limits of an upload that passes through the service. */
export interface ReceiveTerms {
  readonly maxBytes: number
  /** SHA-256 that the uploader announced, in lower-case hexadecimal digits; absent without an announcement. */
  readonly sha256?: string
}

/**
 * Stores uploaded archives. An archive is stored completely or not at all, and a stored archive never changes. Every call may throw
 * StorageUnavailable, and BuildStoreAway when another machine holds the archives and does not answer.
 */
export interface BuildStore {
  readonly name: string
  /** Uploads that go directly from the client to the store; null when all uploads pass through `receive`. */
  readonly direct: DirectUploads | null
  /** Logs of ended game servers; null when the store keeps none. */
  readonly logs: KeptLogs | null
  /**
   * Reads an upload to its end, then makes it the build's archive in one step. Returns the bytes of the archive and its SHA-256 in lower-case
   * hexadecimal digits. Throws PayloadTooLarge when the body is longer than
   * `maxBytes`, and ArchiveMismatch when its SHA-256 is not the announced one. Nothing is stored when an upload breaks off.
   *
   * A build has one upload at a time, across all nodes that share the storage of partial uploads. Throws UploadUnderway, before it reads
   * the body, while another upload of the build runs. An upload whose process died blocks other uploads until two minutes after its last
   * byte.
   */
  receive(
    buildId: string,
    body: AsyncIterable<Uint8Array>,
    terms: ReceiveTerms,
  ): Promise<{ bytes: number; sha256: string }>
  /** Whether the archive of a build exists. */
  has(buildId: string): Promise<boolean>
  /**
   * Checks an archive against every rule for uploads (docs/http-api.md, §4), without reading it into memory as a whole. A refusal names the
   * entry of the archive that breaks a rule. The caller logs the verdict.
   */
  inspect(buildId: string, options: { executablePath: string }, log: BuildLog): Promise<ArchiveVerdict>
  /** Unpacks an inspected archive into an empty folder of this machine and makes the executable file executable. */
  unpack(buildId: string, options: { executablePath: string; directory: string }): Promise<void>
  /**
   * Returns the size of a build's archive, its SHA-256 when the store knows it, and a URL from which a machine without access to the store can
   * read it; undefined when the store has no archive of the build.
   */
  locate(buildId: string, terms: UrlTerms): Promise<StoredArchive | undefined>
  /**
   * Reads a part of a build's archive: the bytes from `start` to before `end`. Throws StorageUnavailable when the store has no archive of the
   * build.
   */
  read(buildId: string, part: ArchivePart): AsyncIterable<Uint8Array>
  /**
   * Removes the archive of a build, and an upload of the build that arrived but never became its archive. A missing archive is no error.
   */
  remove(buildId: string): Promise<void>
  /** Removes the partial data of uploads whose process died. The service calls this at its start and periodically. */
  sweep(): Promise<void>
}

/** Time for which a URL of the store is valid. */
export interface UrlTerms {
  /** Start of the validity of the URL; `expiresAt` is its end. */
  readonly at: Instant
  readonly expiresAt: Instant
}

/** A stored archive, for machines that fetch it. */
export interface StoredArchive {
  readonly sizeBytes: number
  /** SHA-256 in lower-case hexadecimal digits; null when the store does not know it. */
  readonly sha256: string | null
  /** URL that gives the archive to everybody who has the URL; null when archives pass through the service. */
  readonly url: string | null
}

/** Part of an archive: the bytes from `start` to before `end`. */
export interface ArchivePart {
  readonly start: number
  readonly end: number
}

/** Terms of a direct upload URL. The URL accepts only an archive that fits the terms. */
export interface UploadTerms extends UrlTerms {
  /** Announced size in bytes. A store that can check the size refuses archives of another size at once. */
  readonly sizeBytes: number | null
  readonly sha256: string | null
}

/** An upload that has arrived completely. */
export interface FoundUpload {
  readonly sizeBytes: number
  /** Value that changes when another upload replaces this upload. */
  readonly tag: string
}

/** Uploads that bypass the service: the store creates upload URLs and finds the archives that have arrived. */
export interface DirectUploads {
  /** Returns the upload URL of a build, without a side effect. The same terms give the same URL; the URL is a secret. */
  urlOf(buildId: string, terms: UploadTerms): Promise<string>
  /** Returns the complete upload at the build's URL that has not become the build's archive yet; undefined without such an upload. */
  find(buildId: string): Promise<FoundUpload | undefined>
  /**
   * Makes an upload the build's archive. Reads the upload, and calls `claim` with its SHA-256. After `claim` resolves, the method stores
   * exactly the bytes that it read, even when another upload arrives meanwhile. Returns `gone` when the upload was replaced or removed
   * before the claim. When `claim` rejects, the method rejects with the same error and stores nothing.
   */
  keep(buildId: string, found: FoundUpload, claim: (sha256: string) => Promise<void>): Promise<'kept' | 'gone'>
}

/** Thrown by `receive` while another upload of the same build is under way. */
export class UploadUnderway extends Error {
  override readonly name = 'UploadUnderway'
}

/** Thrown by `receive` when the body is longer than `maxBytes`. */
export class PayloadTooLarge extends Error {
  override readonly name = 'PayloadTooLarge'
}

/** Thrown by `receive` when the SHA-256 of the archive is not the announced one. Both hashes are in lower-case hexadecimal. */
export class ArchiveMismatch extends Error {
  override readonly name = 'ArchiveMismatch'

  constructor(
    readonly found: string,
    readonly announced: string,
  ) {
    super(`SHA-256 ${found} is not ${announced}`)
  }
}

/** Thrown when the machine that holds the archives does not answer. The service retries work that needs the archives. */
export class BuildStoreAway extends StorageUnavailable {}
