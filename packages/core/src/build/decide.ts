import { accept, type Decision, reject } from '../errors/decision'
import type { Instant } from '../shared/time'
import type { Build, BuildLogLine } from './build'
import { summaryOfFailure } from './build-logs'
import type { BuildEvent } from './events'
import { canMoveBuild } from './evolve'

type BuildDecision = Decision<BuildEvent>

const rejectUpload = (why: string) => reject('UPLOAD_REJECTED', `${why}; ask for a new upload URL`)

/** Result of a finished processing. */
export type ProcessingResult =
  | { readonly ok: true; readonly sizeBytes: number | null; readonly imageDigest: string | null }
  | { readonly ok: false; readonly message: string }

/** An upload URL takes an archive until it expires; one that is still on its way by then comes too late. */
export const uploadInTime = ({ expiresAt, at }: { expiresAt: Instant; at: Instant }): Decision<never> =>
  expiresAt <= at ? rejectUpload('the upload URL has expired') : accept()

/** Whether an upload may begin: the URL is unspent and its time is not over. Nothing happens yet. */
export function beginUpload(build: Build | undefined, command: { expiresAt: Instant; at: Instant }): BuildDecision {
  const inTime = uploadInTime(command)
  if (!inTime.ok) return inTime
  if (build === undefined || build.uploadExpiresAt !== command.expiresAt || build.isDirect === true) {
    return rejectUpload('the upload URL was used, or its build is gone')
  }
  return accept()
}

/** Checks that an archive matches its announced size and hash, as far as known, and the largest allowed size. */
export function judgeUpload(
  { announced }: Pick<Build, 'announced'>,
  archive: { readonly sizeBytes: number; readonly sha256?: string; readonly maxBytes: number },
): Decision<never> {
  const { sizeBytes, sha256, maxBytes } = archive
  if (sizeBytes > maxBytes)
    return reject('PAYLOAD_TOO_LARGE', `an archive is at most ${maxBytes} bytes`, { limit: maxBytes })
  const wanted = { sizeBytes: announced?.sizeBytes ?? sizeBytes, sha256: announced?.sha256 ?? sha256 }
  if (wanted.sizeBytes !== sizeBytes) {
    return reject('UPLOAD_REJECTED', `the archive has ${sizeBytes} bytes, and ${wanted.sizeBytes} were announced`)
  }
  if (sha256 !== undefined && wanted.sha256 !== sha256) {
    return reject('UPLOAD_REJECTED', `the SHA-256 of the archive is ${sha256}, and ${wanted.sha256} was announced`)
  }
  return accept()
}

/**
 * Claims the build for an upload at the end of its body. Of several uploads one wins, because a claim expects the build's version. An upload
 * with the same hash can claim again, to continue where a process ended.
 */
export function claimUpload(
  build: Build | undefined,
  command: { readonly sizeBytes: number; readonly sha256?: string },
): BuildDecision {
  const { sha256 } = command
  if (build !== undefined && isClaimed(build) && sha256 !== undefined && build.sha256 === sha256) return accept()
  if (build === undefined || build.uploadExpiresAt === null || !canMoveBuild(build, 'complete_upload')) {
    return rejectUpload('another upload finished first, or the URL expired during the upload')
  }
  return accept({ type: 'upload_claimed', ...command })
}

/** A claimed upload that could not be kept: a broken attempt does not spend the URL (docs/http-api.md §4). */
export function releaseUpload(build: Build, command: { expiresAt: Instant }): BuildDecision {
  if (!isClaimed(build)) return accept()
  return accept({ type: 'upload_released', expiresAt: command.expiresAt })
}

/** The archive is in its place; that may have been noticed before, where the way from the claim to here was long. */
export function completeUpload(build: Build | undefined): BuildDecision {
  if (build?.status === 'processing' || build?.status === 'ready') return accept()
  if (build === undefined || !isClaimed(build))
    return rejectUpload('the build was deleted or expired during the upload')
  return accept({ type: 'upload_completed' })
}

/** Whether the archive is still to come, or to be noticed. */
export const awaitsUpload = (build: Build): boolean => canMoveBuild(build, 'expire_upload')

/**
 * The time of an upload URL is over, or that of a claimed upload which its process left behind: with the archive in its
 * place the work goes on, else nothing will come any more.
 */
export function decideExpireUpload(build: Build, command: { hasArchive: boolean; at: Instant }): BuildEvent[] {
  if (!awaitsUpload(build)) return []
  if (isClaimed(build)) return [command.hasArchive ? { type: 'upload_completed' } : { type: 'upload_expired' }]
  return (build.uploadExpiresAt ?? 0) <= command.at ? [{ type: 'upload_expired' }] : []
}

/** Refuses an archive that arrived directly at the store and does not match. Its URL is not the service's, so the URL is spent. */
export const refuseUpload = (build: Build, command: { readonly why: string }): BuildEvent[] =>
  awaitsUpload(build) ? [{ type: 'upload_refused', errorMessage: summaryOfFailure(command.why) }] : []

/** Whether its archive or image is yet to be looked at. */
export const isProcessing = (build: Build): boolean => build.status === 'processing'

/** Only a build that still waits for it takes a result; one deleted meanwhile does not come back. */
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

/** Live servers that run it are the commit's to find. */
export function decideDeleteBuild(build: Build): BuildDecision {
  if (!canMoveBuild(build, 'delete')) return reject('BUILD_NOT_FOUND', `build ${build.id} was deleted before`)
  return accept({ type: 'build_deleted' })
}

/** Deletes the build of a deleted project, once. */
export const clearBuild = (build: Build): BuildEvent[] =>
  canMoveBuild(build, 'delete') ? [{ type: 'build_deleted' }] : []

export const isClaimed = (build: Build) => build.status === 'uploading' && build.uploadExpiresAt === null
