import type { Instant } from '../shared/time'
import type { BuildLogLine } from './build'

/** Events of a build after its creation. */
export type BuildEvent =
  /** An upload came to its end and is the one that counts: the URL is spent. The archive is about to be in its place. */
  | { readonly type: 'upload_claimed'; readonly sizeBytes: number; readonly sha256?: string }
  /** The archive could not be kept after all: the URL is good again. */
  | { readonly type: 'upload_released'; readonly expiresAt: Instant }
  | { readonly type: 'upload_completed' }
  | { readonly type: 'upload_expired' }
  /** The archive in the store was refused, and no other will come. */
  | { readonly type: 'upload_refused'; readonly errorMessage: string }
  | {
      readonly type: 'processing_succeeded'
      readonly sizeBytes: number | null
      readonly imageDigest: string | null
      readonly logs: readonly BuildLogLine[]
    }
  | { readonly type: 'processing_failed'; readonly errorMessage: string; readonly logs: readonly BuildLogLine[] }
  /** Nothing new is launched from it from now on. */
  | { readonly type: 'build_disabled' }
  | { readonly type: 'build_enabled' }
  | { readonly type: 'build_deleted' }
