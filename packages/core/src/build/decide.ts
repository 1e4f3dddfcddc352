import { accept, type Decision, reject, rejectInvalid } from '../errors/decision'
import type { Instant } from '../shared/time'
import { type Build, type BuildLogLine, isDrainedBuild } from './build'
import { summaryOfFailure } from './build-logs'
import type { BuildEvent } from './events'
import { canMoveBuild } from './evolve'

type BuildDecision = Decision<BuildEvent>

const rejectUpload = (why: string) => reject('UPLOAD_REJECTED', `${why}; request a new upload URL`)

/** Result of processing a build. */
export type ProcessingResult =
  | { readonly ok: true; readonly sizeBytes: number | null; readonly imageDigest: string | null }
  | { readonly ok: false; readonly message: string }

/**
 * Decides whether an upload arrived before its URL expired; an archive that is still arriving then is refused. Rejects with
 * UPLOAD_REJECTED.
 */
export const uploadInTime = ({ expiresAt, at }: { expiresAt: Instant; at: Instant }): Decision<never> =>
  expiresAt <= at ? rejectUpload('the upload URL has expired') : accept()

/**
 * Decides whether an upload may begin: its URL is unused and has not expired. The decision changes nothing. Rejects with UPLOAD_REJECTED.
 */
export function beginUpload(build: Build | undefined, command: { expiresAt: Instant; at: Instant }): BuildDecision {
  const inTime = uploadInTime(command)
  if (!inTime.ok) return inTime
  if (build === undefined || build.uploadExpiresAt !== command.expiresAt || build.isDirect === true) {
    return rejectUpload('the upload URL was already used, or its build was deleted')
  }
  return accept()
}

/**
 * Compares an archive with the maximum size, and with the size and hash that were announced, as far as they are known. Rejects with
 * PAYLOAD_TOO_LARGE, UPLOAD_REJECTED.
 */
export function judgeUpload(
  { announced }: Pick<Build, 'announced'>,
  archive: { readonly sizeBytes: number; readonly sha256?: string; readonly maxBytes: number },
): Decision<never> {
  const { sizeBytes, sha256, maxBytes } = archive
  if (sizeBytes > maxBytes)
    return reject('PAYLOAD_TOO_LARGE', `an archive may have at most ${maxBytes} bytes`, { limit: maxBytes })
  const wanted = { sizeBytes: announced?.sizeBytes ?? sizeBytes, sha256: announced?.sha256 ?? sha256 }
  if (wanted.sizeBytes !== sizeBytes) {
    return reject(
      'UPLOAD_REJECTED',
      `the archive has ${sizeBytes} bytes, but the request for its upload URL gave a size of ${wanted.sizeBytes} bytes`,
    )
  }
  if (sha256 !== undefined && wanted.sha256 !== sha256) {
    return reject('UPLOAD_REJECTED', hashMismatch(sha256, wanted.sha256))
  }
  return accept()
}

/** Returns the sentence for an archive whose SHA-256 is not the announced one. */
export const hashMismatch = (found: string, announced: string | undefined): string =>
  `the archive has the SHA-256 ${found}, but the request for its upload URL gave ${announced}`

/**
 * Claims the build for an upload whose body has arrived completely. Of several uploads, one wins, because the claim expects the build's
 * version. An upload with the same hash may claim the build again, to continue after a crash. Rejects with UPLOAD_REJECTED.
 */
export function claimUpload(
  build: Build | undefined,
  command: { readonly sizeBytes: number; readonly sha256?: string },
): BuildDecision {
  const { sha256 } = command
  if (build !== undefined && isClaimed(build) && sha256 !== undefined && build.sha256 === sha256) return accept()
  if (build === undefined || build.uploadExpiresAt === null || !canMoveBuild(build, 'complete_upload')) {
    return rejectUpload('another upload finished first, or the upload URL expired during the upload')
  }
  return accept({ type: 'upload_claimed', ...command })
}

/** Releases the claim of an upload whose archive could not be stored, so that the upload URL can be used again (docs/http-api.md §4). */
export function releaseUpload(build: Build, command: { expiresAt: Instant }): BuildDecision {
  if (!isClaimed(build)) return accept()
  return accept({ type: 'upload_released', expiresAt: command.expiresAt })
}

/**
 * Records that the archive is stored. Accepts also when this was recorded before, for instance by the job that checks the upload. Rejects
 * with UPLOAD_REJECTED.
 */
export function completeUpload(build: Build | undefined, command: { readonly sha256?: string } = {}): BuildDecision {
  if (build?.status === 'processing' || build?.status === 'ready') return accept()
  if (build === undefined || !isClaimed(build))
    return rejectUpload('the build was deleted or expired during the upload')
  return accept({ type: 'upload_completed', ...command })
}

/** Whether the build still waits for its archive. */
export const awaitsUpload = (build: Build): boolean => canMoveBuild(build, 'expire_upload')

/**
 * Ends an upload after its URL expired, or after its process died while it held the claim. A claimed upload whose archive is stored is
 * completed. Any other upload fails the build.
 */
export function decideExpireUpload(build: Build, command: { hasArchive: boolean; at: Instant }): BuildEvent[] {
  if (!awaitsUpload(build)) return []
  if (isClaimed(build)) return [command.hasArchive ? { type: 'upload_completed' } : { type: 'upload_expired' }]
  return (build.uploadExpiresAt ?? 0) <= command.at ? [{ type: 'upload_expired' }] : []
}

/**
 * Refuses an archive that was uploaded directly to the store, because its size or hash is not the announced one. The build fails, because
 * the service cannot make an upload URL of the store usable again.
 */
export const refuseUpload = (build: Build, command: { readonly why: string }): BuildEvent[] =>
  awaitsUpload(build) ? [{ type: 'upload_refused', errorMessage: summaryOfFailure(command.why) }] : []

/** Whether the archive or image is being processed. */
export const isProcessing = (build: Build): boolean => build.status === 'processing'

/** Records the result of processing. The decision changes nothing for a build that is not being processed, such as a deleted build. */
export function finishProcessing(
  build: Build,
  command: { result: ProcessingResult; logs: readonly BuildLogLine[] },
): BuildEvent[] {
  if (!isProcessing(build)) return []
  const { result, logs } = command
  if (!result.ok) return [{ type: 'processing_failed', errorMessage: summaryOfFailure(result.message), logs }]
  return [{ type: 'processing_succeeded', sizeBytes: result.sizeBytes, imageDigest: result.imageDigest, logs }]
}

/** Switches of a build that a caller changes; an absent switch keeps its value, except that a drain disables and enabling ends a drain. */
export interface BuildSwitches {
  readonly disabled?: boolean | undefined
  readonly drain?: boolean | undefined
}

/**
 * Enables, disables or drains a build. A drained build is disabled, so a drain disables it, and enabling it ends the drain. Rejects with
 * BUILD_NOT_FOUND. Rejects with VALIDATION_FAILED when the caller asks to drain and to enable the build at once.
 */
export function switchBuild(build: Build, { disabled, drain }: BuildSwitches, at: Instant): BuildDecision {
  if (!canMoveBuild(build, 'delete')) return reject('BUILD_NOT_FOUND', `build ${build.id} was deleted`)
  if (drain === true && disabled === false) {
    return rejectInvalid([{ path: 'drain', message: 'cannot be true when `disabled` is false' }])
  }
  const [was, is] = [build.disabled === true, disabled ?? (drain === true || build.disabled === true)]
  const [drained, drains] = [isDrainedBuild(build), is && (drain ?? isDrainedBuild(build))]
  const events: BuildEvent[] = []
  if (is !== was) events.push({ type: is ? 'build_disabled' : 'build_enabled' })
  if (drains && !drained) events.push({ type: 'build_drain_begun', since: at })
  if (!drains && drained) events.push({ type: 'build_drain_ended' })
  return accept(...events)
}

/** Whether a drained build may still have servers. */
export const isBuildDraining = (build: Build): boolean =>
  isDrainedBuild(build) && build.drainedAt == null && canMoveBuild(build, 'delete')

/** Records that no live server runs a drained build. A drained build gets no new servers, so it stays without servers. */
export const decideBuildDrained = (build: Build, at: Instant): BuildEvent[] =>
  isBuildDraining(build) ? [{ type: 'build_drained', at }] : []

/** Decides to stop all live servers of a build. Rejects with BUILD_NOT_FOUND. */
export const decideStopServersOf = (build: Build, at: Instant): BuildDecision =>
  canMoveBuild(build, 'delete')
    ? accept({ type: 'build_servers_stopped', at })
    : reject('BUILD_NOT_FOUND', `build ${build.id} was deleted`)

/** Deletes a build. The commit checks that no live server runs the build; this decision does not. Rejects with BUILD_NOT_FOUND. */
export function decideDeleteBuild(build: Build): BuildDecision {
  if (!canMoveBuild(build, 'delete')) return reject('BUILD_NOT_FOUND', `build ${build.id} was already deleted`)
  return accept({ type: 'build_deleted' })
}

/** Returns the deletion of a build whose project was deleted; no event when the build is deleted already. */
export const clearBuild = (build: Build): BuildEvent[] =>
  canMoveBuild(build, 'delete') ? [{ type: 'build_deleted' }] : []

export const isClaimed = (build: Build) => build.status === 'uploading' && build.uploadExpiresAt === null
