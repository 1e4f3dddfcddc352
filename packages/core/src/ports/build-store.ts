import type { Instant } from '../shared/time'
import { StorageUnavailable } from './storage/commit'

export type BuildLog = (level: 'info' | 'warn' | 'error', message: string) => void

export type ArchiveVerdict =
  | { readonly ok: true; readonly unpackedBytes: number; readonly entries: number }
  | { readonly ok: false; readonly message: string }

/** What an upload that passes through the service is held to. */
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

/** What a URL for a direct upload says of the one archive that it takes. */
export interface UploadTerms {
  /** From when to when it is good. */
  readonly at: Instant
  readonly expiresAt: Instant
  /** What was announced; a store that can judge by it refuses others at once. */
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
  /** The same terms give the same URL; it is a secret. Nothing happens yet. */
  urlOf(buildId: string, terms: UploadTerms): Promise<string>
  /** What has arrived whole at the build's URL and was not kept yet. */
  find(buildId: string): Promise<FoundUpload | undefined>
  /**
   * Makes it the build's archive: reads it, tells `claim` its SHA-256, and once that has resolved puts into place what was read, whatever
   * comes to the URL meanwhile. `gone`: another one is in its place, or none; nothing was claimed. What `claim` throws passes, and
   * nothing was kept.
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

/** The archives are on another machine, which does not answer now; what needs them waits and is tried again. */
export class BuildStoreAway extends StorageUnavailable {}
