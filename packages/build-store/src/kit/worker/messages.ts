import type { ArchiveVerdict, BuildLog } from '@matchyard/core/ports'
import type { ArchiveLimits } from '../limits'

/** Data that a worker thread gets when it starts. */
export interface ArchiveThreadData {
  /** Priority for `os.setPriority`: 0 is normal; with higher values, up to 19, other threads run first. */
  readonly priority: number
}

/** A task for a worker thread with one archive. The task contains only the path of the archive, not its data. */
export type ArchiveTask =
  | {
      readonly kind: 'inspect'
      readonly file: string
      readonly executablePath: string
      readonly limits: ArchiveLimits
    }
  | {
      readonly kind: 'unpack'
      readonly file: string
      readonly executablePath: string
      readonly limits: ArchiveLimits
      readonly directory: string
    }

/**
 * The fields of an error that callers use. They are sent one by one, because a copy of the error object would lose its
 * class and its code.
 */
export interface ArchiveFailure {
  readonly message: string
  readonly code: string | undefined
  /** Whether the error is a refusal of the archive; otherwise the machine or a bug caused the error. */
  readonly refused: boolean
}

/** Messages from a worker thread, in this order: lines of the log, then `done` or `failed`. */
export type ArchiveMessage =
  | { readonly kind: 'log'; readonly line: Parameters<BuildLog> }
  | { readonly kind: 'done'; readonly verdict: ArchiveVerdict | undefined }
  | { readonly kind: 'failed'; readonly failure: ArchiveFailure }
