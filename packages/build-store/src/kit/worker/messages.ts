import type { ArchiveVerdict, BuildLog } from '@matchyard/core/ports'
import type { ArchiveLimits } from '../limits'

/** What a worker is told when it starts. */
export interface ArchiveThreadData {
  /** As `os.setPriority` has it: 0 as all others, up to 19 the more it lets others go first. */
  readonly priority: number
}

/** What a worker is asked to do with one archive; the archive itself never crosses the line. */
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

/** An error's parts that callers look at: a copy of the object itself would lose its class and its code. */
export interface ArchiveFailure {
  readonly message: string
  readonly code: string | undefined
  /** The archive is to blame; else the machine, or a bug. */
  readonly refused: boolean
}

/** What a worker says, in order: lines of the log, then one of the two ends. */
export type ArchiveMessage =
  | { readonly kind: 'log'; readonly line: Parameters<BuildLog> }
  | { readonly kind: 'done'; readonly verdict: ArchiveVerdict | undefined }
  | { readonly kind: 'failed'; readonly failure: ArchiveFailure }
