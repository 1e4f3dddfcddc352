import type { Instant } from '../shared/time'
import { StorageUnavailable } from './storage/commit'

export type BuildLog = (level: 'info' | 'warn' | 'error', message: string) => void

export type ArchiveVerdict =
  | { readonly ok: true; readonly unpackedBytes: number; readonly entries: number }
  | { readonly ok: false; readonly message: string }

/** Limits of an upload that passes through the service. */
export interface ReceiveTerms {
  readonly maxBytes: number
  /** In hexadecimal digits, lower case, where it was announced. */
  readonly sha256?: string
}

/**
 * Keeps uploaded archives. An archive is there whole or not at all, and once it is there it does not change. Every call throws
 * StorageUnavailable, BuildStoreAway where the archives are on another machine that does not answer.
 */
export interface BuildStore {
  readonly name: string
  /** Where uploads go to the store itself, past the service; null where `receive` takes them. */
  readonly direct: DirectUploads | null
  /**
   * Takes an upload to its end, then makes it the build's archive in one step.
   * Throws PayloadTooLarge past `maxBytes`, ArchiveMismatch where it is not what was announced; a broken stream leaves nothing. One at a
   * time for each build, on whichever node that sees the same drafts: of several at once the others throw UploadUnderway and read nothing
   * of their bodies. An upload that was left behind by its process stands in nobody's way two minutes after its last byte.
   */
  receive(buildId: string, body: AsyncIterable<Uint8Array>, terms: ReceiveTerms): Promise<{ bytes: number }>
  has(buildId: string): Promise<boolean>
  /** Checks the archive against every refusal of docs/http-api.md (§4), streaming; the message names the entry. It is not logged: the caller does. */
  inspect(buildId: string, options: { executablePath: string }, log: BuildLog): Promise<ArchiveVerdict>
  /** Unpacks an inspected archive into an empty folder of this machine, the executable made executable. */
  unpack(buildId: string, options: { executablePath: string; directory: string }): Promise<void>
  /** Removing what is gone is fine. An upload that has arrived and was not kept goes, too. */
  remove(buildId: string): Promise<void>
  /** Drops what uploads left that were cut off with their process. Called at the start and again and again. */
  sweep(): Promise<void>
}

/** Terms of a URL for a direct upload: the one archive that the URL accepts. */
export interface UploadTerms {
  /** From when to when it is good. */
  readonly at: Instant
  readonly expiresAt: Instant
  /** Announced size in bytes; a store that can check it refuses other archives at once. */
  readonly sizeBytes: number | null
  readonly sha256: string | null
}

/** An upload that has arrived whole. */
export interface FoundUpload {
  readonly sizeBytes: number
  /** Tells it from another one that takes its place. */
  readonly tag: string
}

/** Uploads that go past the service: it hands out where to, and looks what has come. */
export interface DirectUploads {
  /** Returns the upload URL of a build, without a side effect. The same terms give the same URL; the URL is a secret. */
  urlOf(buildId: string, terms: UploadTerms): Promise<string>
  /** Returns the archive that has arrived completely at the build's URL and is not kept yet. */
  find(buildId: string): Promise<FoundUpload | undefined>
  /**
   * Makes an upload the build's archive. It reads the upload, calls `claim` with the SHA-256, and after `claim` resolves stores exactly the
   * bytes that it read, even when another upload arrives meanwhile. Returns `gone` when the upload was replaced or removed before the claim. An
   * error of `claim` is passed on, and nothing is stored.
   */
  keep(buildId: string, found: FoundUpload, claim: (sha256: string) => Promise<void>): Promise<'kept' | 'gone'>
}

/** Thrown by `receive`. */
export class UploadUnderway extends Error {
  override readonly name = 'UploadUnderway'
}

/** Thrown by `receive`. */
export class PayloadTooLarge extends Error {
  override readonly name = 'PayloadTooLarge'
}

/** Thrown by `receive`. */
export class ArchiveMismatch extends Error {
  override readonly name = 'ArchiveMismatch'
}

/** The machine that holds the archives does not answer. Work that needs them is retried later. */
export class BuildStoreAway extends StorageUnavailable {}
