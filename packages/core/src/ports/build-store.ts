import type { Instant } from '../shared/time'
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
 * Stores uploaded archives. An archive exists whole or not at all, and a stored archive does not change. Every call may throw
 * StorageUnavailable, or BuildStoreAway when the archives are on another machine that does not answer.
 */
export interface BuildStore {
  readonly name: string
  /** Uploads that go directly to the store and bypass the service; null when `receive` takes them. */
  readonly direct: DirectUploads | null
  /**
   * Reads an upload to its end, then makes it the build's archive in one step. Throws PayloadTooLarge when the body is longer than
   * `maxBytes`, and ArchiveMismatch when its SHA-256 is not the announced one. An upload that breaks off stores nothing. A build has one
   * upload at a time, across all nodes that share the drafts: further ones throw UploadUnderway and read nothing of their bodies. An upload
   * whose process died blocks others until two minutes after its last byte.
   */
  receive(buildId: string, body: AsyncIterable<Uint8Array>, terms: ReceiveTerms): Promise<{ bytes: number }>
  /** Whether the archive of a build exists. */
  has(buildId: string): Promise<boolean>
  /**
   * Checks the archive for every reason to refuse it (docs/http-api.md, §4), as a stream. The message of the verdict names the entry. The
   * verdict is not logged: the caller does that.
   */
  inspect(buildId: string, options: { executablePath: string }, log: BuildLog): Promise<ArchiveVerdict>
  /** Unpacks an inspected archive into an empty folder of this machine and makes the executable file executable. */
  unpack(buildId: string, options: { executablePath: string; directory: string }): Promise<void>
  /** Removes an archive, and an upload of the build that arrived and was not kept. An archive that does not exist is no error. */
  remove(buildId: string): Promise<void>
  /** Removes the partial data of uploads whose process died. Called at the start and periodically. */
  sweep(): Promise<void>
}

/** Terms of a URL for a direct upload: the one archive that the URL accepts. */
export interface UploadTerms {
  /** Start of the validity of the URL; `expiresAt` is its end. */
  readonly at: Instant
  readonly expiresAt: Instant
  /** Announced size in bytes. A store that can check the size refuses other archives at once. */
  readonly sizeBytes: number | null
  readonly sha256: string | null
}

/** An upload that has arrived completely. */
export interface FoundUpload {
  readonly sizeBytes: number
  /** Value that differs when another upload replaces this one. */
  readonly tag: string
}

/** Uploads that bypass the service: the store creates upload URLs and finds the archives that have arrived. */
export interface DirectUploads {
  /** Returns the upload URL of a build, without a side effect. The same terms give the same URL; the URL is a secret. */
  urlOf(buildId: string, terms: UploadTerms): Promise<string>
  /** Returns the archive that has arrived completely at the build's URL and was not made the build's archive yet. */
  find(buildId: string): Promise<FoundUpload | undefined>
  /**
   * Makes an upload the build's archive. It reads the upload and calls `claim` with the SHA-256. After `claim` resolves it stores exactly
   * the bytes that it read, even when another upload arrives meanwhile. Returns `gone` when the upload was replaced or removed before the
   * claim. An error of `claim` is passed on, and nothing is stored.
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

/** Thrown when the machine that holds the archives does not answer. Work that needs them is retried later. */
export class BuildStoreAway extends StorageUnavailable {}
