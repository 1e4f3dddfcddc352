import type { Instant } from '../shared/time'
import type { BuildLogLine } from './build'

/** Events of a build after its creation. */
export type BuildEvent =
  /** The first complete upload claimed the build, so its URL cannot be used again. The archive is stored next. */
  | { readonly type: 'upload_claimed'; readonly sizeBytes: number; readonly sha256?: string }
  /** The archive could not be stored, so the upload URL can be used again. */
  | { readonly type: 'upload_released'; readonly expiresAt: Instant }
  /** The archive is stored. The SHA-256 is absent when the claim has it, and when the node crashed before it could record it. */
  | { readonly type: 'upload_completed'; readonly sha256?: string }
  | { readonly type: 'upload_expired' }
  /** An archive that was uploaded directly to the store was refused. The build accepts no other archive. */
  | { readonly type: 'upload_refused'; readonly errorMessage: string }
  | {
      readonly type: 'processing_succeeded'
      readonly sizeBytes: number | null
      readonly imageDigest: string | null
      readonly logs: readonly BuildLogLine[]
    }
  | { readonly type: 'processing_failed'; readonly errorMessage: string; readonly logs: readonly BuildLogLine[] }
  /** New launches of the build are disabled. */
  | { readonly type: 'build_disabled' }
  | { readonly type: 'build_enabled' }
  /** The servers of the build that have no match are stopped, and its matches take no more players. */
  | { readonly type: 'build_drain_begun'; readonly since: Instant }
  | { readonly type: 'build_drain_ended' }
  /** No live server runs the drained build any more. */
  | { readonly type: 'build_drained'; readonly at: Instant }
  /** All live servers of the build that were created by then are stopped. */
  | { readonly type: 'build_servers_stopped'; readonly at: Instant }
  | { readonly type: 'build_deleted' }
