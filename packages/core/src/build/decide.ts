import { accept, type Decision, reject } from '../errors/decision'
import type { Instant } from '../shared/time'
import type { Build, BuildLogLine } from './build'
import { summaryOfFailure } from './build-logs'
import type { BuildEvent } from './events'
import { canMoveBuild } from './evolve'

type BuildDecision = Decision<BuildEvent>

const rejectUpload = (why: string) => reject('UPLOAD_REJECTED', `${why}; request a new upload URL`)

/** Result of processing a build. */
export type ProcessingResult =
  | { readonly ok: true; readonly sizeBytes: number | null; readonly imageDigest: string | null }
  | { readonly ok: false; readonly message: string }

/** Accepts until the upload URL expires. An archive whose upload is still running at that time is refused. Rejects with UPLOAD_REJECTED. */
export const uploadInTime = ({ expiresAt, at }: { expiresAt: Instant; at: Instant }): Decision<never> =>
  expiresAt <= at ? rejectUpload('the upload URL has expired') : accept()

/** Accepts when an upload may begin: its URL is unused and has not expired. It changes nothing. Rejects with UPLOAD_REJECTED. */
export function beginUpload(build: Build | undefined, command: { expiresAt: Instant; at: Instant }): BuildDecision {
  const inTime = uploadInTime(command)
  if (!inTime.ok) return inTime
  if (build === undefined || build.uploadExpiresAt !== command.expiresAt || build.isDirect === true) {
    return rejectUpload('the upload URL was already used, or its build was deleted')
  }
  return accept()
}

/**
 * Compares an archive with the announced size and hash, as far as they are known, and with the maximum size. Rejects with
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
 * Claims the build for an upload whose body has arrived completely. Of several uploads one wins, because the claim expects the build's
 * version. An upload with the same hash may claim again, to continue after a crash. Rejects with UPLOAD_REJECTED.
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

/** Releases the claim of an upload that could not be stored: a failed upload leaves the URL usable (docs/http-api.md §4). */
export function releaseUpload(build: Build, command: { expiresAt: Instant }): BuildDecision {
  if (!isClaimed(build)) return accept()
  return accept({ type: 'upload_released', expiresAt: command.expiresAt })
}

/**
 * Records that the archive is stored. Accepts also when this was recorded before, by a watcher of the upload. Rejects with UPLOAD_REJECTED.
 */
export function completeUpload(build: Build | undefined): BuildDecision {
  if (build?.status === 'processing' || build?.status === 'ready') return accept()
  if (build === undefined || !isClaimed(build))
    return rejectUpload('the build was deleted or expired during the upload')
  return accept({ type: 'upload_completed' })
}

/** Whether the build still waits for its archive. */
export const awaitsUpload = (build: Build): boolean => canMoveBuild(build, 'expire_upload')

/**
 * Ends an upload after its URL expired, or after its process died with the claim. A claimed upload whose archive is stored is completed; any
 * other one fails the build.
 */
export function decideExpireUpload(build: Build, command: { hasArchive: boolean; at: Instant }): BuildEvent[] {
  if (!awaitsUpload(build)) return []
  if (isClaimed(build)) return [command.hasArchive ? { type: 'upload_completed' } : { type: 'upload_expired' }]
  return (build.uploadExpiresAt ?? 0) <= command.at ? [{ type: 'upload_expired' }] : []
}

/**
 * Refuses an archive that was uploaded directly to the store, because its size or hash is not the announced one. The build fails: the store
 * issued the upload URL, so the service cannot make this URL usable again.
 */
export const refuseUpload = (build: Build, command: { readonly why: string }): BuildEvent[] =>
  awaitsUpload(build) ? [{ type: 'upload_refused', errorMessage: summaryOfFailure(command.why) }] : []

/** Whether the archive or image is being processed. */
export const isProcessing = (build: Build): boolean => build.status === 'processing'

/** Records the result of processing. A build that is not in processing, such as a deleted one, ignores it. */
export function finishProcessing(
  build: Build,
  command: { result: ProcessingResult; logs: readonly BuildLogLine[] },
): BuildEvent[] {
  if (!isProcessing(build)) return []
  const { result, logs } = command
  if (!result.ok) return [{ type: 'processing_failed', errorMessage: summaryOfFailure(result.message), logs }]
  return [{ type: 'processing_succeeded', sizeBytes: result.sizeBytes, imageDigest: result.imageDigest, logs }]
}

/** Enables or disables new launches of a build. Running servers continue. Rejects with BUILD_NOT_FOUND. */
export function setDisabled(build: Build, disabled: boolean): BuildDecision {
  if (!canMoveBuild(build, 'delete')) return reject('BUILD_NOT_FOUND', `build ${build.id} was deleted`)
  if (disabled === (build.disabled === true)) return accept()
  return accept({ type: disabled ? 'build_disabled' : 'build_enabled' })
}

/** Deletes a build. The commit, not this decision, checks that no live server runs it. Rejects with BUILD_NOT_FOUND. */
export function decideDeleteBuild(build: Build): BuildDecision {
  if (!canMoveBuild(build, 'delete')) return reject('BUILD_NOT_FOUND', `build ${build.id} was already deleted`)
  return accept({ type: 'build_deleted' })
}

/** Returns the deletion of a build whose project was deleted; no event when the build is deleted already. */
export const clearBuild = (build: Build): BuildEvent[] =>
  canMoveBuild(build, 'delete') ? [{ type: 'build_deleted' }] : []

export const isClaimed = (build: Build) => build.status === 'uploading' && build.uploadExpiresAt === null
