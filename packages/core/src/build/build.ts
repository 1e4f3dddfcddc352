import type { Instant } from '../shared/time'

export const BUILD_STATUSES = ['uploading', 'processing', 'ready', 'failed', 'deleted'] as const
export type BuildStatus = (typeof BUILD_STATUSES)[number]

export const BUILD_TYPES = ['zip', 'docker_image'] as const
export type BuildType = (typeof BUILD_TYPES)[number]

/** An upload URL lives 15 minutes (docs/http-api.md §4). */
export const UPLOAD_URL_LIFETIME_MS = 15 * 60 * 1_000

/** A server program or a container image. */
export interface Build {
  readonly id: string
  readonly version: number
  readonly projectId: string
  readonly accountId: string
  readonly name: string
  /** 1, 2, 3 … per (project, name), without a gap; on the wire this is `version`. */
  readonly buildVersion: number
  readonly status: BuildStatus
  readonly type: BuildType
  /** Path of the server executable inside the archive; `zip` only. */
  readonly executablePath: string | null
  /** Container image reference as registered; `docker_image` only. */
  readonly imageUrl: string | null
  /** Digest to which processing pinned the image, so that a moved tag changes nothing; `docker_image` only. */
  readonly imageDigest: string | null
  /** Short reason when `failed`, null otherwise. */
  readonly errorMessage: string | null
  readonly uploadExpiresAt: Instant | null
  /** Whether its archive goes to the store itself, past the service. */
  readonly isDirect?: boolean
  /** Archive that the request for the upload URL announced. */
  readonly announced?: AnnouncedArchive
  /** SHA-256 of the archive that was taken, where it went to the store itself. */
  readonly sha256?: string
  /** Bytes of the archive or image once known. */
  readonly sizeBytes: number | null
  /** Whether nothing new is launched from it; absent where it never was. */
  readonly disabled?: boolean
  readonly logs: readonly BuildLogLine[]
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** Whether a launch may take it: a build that is ready, and was not disabled. */
export const isLaunchable = ({ status, disabled }: Pick<Build, 'status' | 'disabled'>): boolean =>
  status === 'ready' && disabled !== true

/** Returns why it is not launched, as the end of a sentence about it. */
export const whyNotLaunched = ({ status }: Pick<Build, 'status'>): string =>
  status === 'ready' ? 'is disabled' : `is not ready: its status is ${status}`

export interface AnnouncedArchive {
  readonly sizeBytes: number | null
  /** In hexadecimal digits, lower case. */
  readonly sha256: string | null
}

export interface BuildLogLine {
  readonly at: Instant
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
}

/** Lines kept per build; processing output past it is cut in the middle. */
export const MAX_BUILD_LOG_LINES = 1_000

/** Hands out build versions: one row per (project, name), never removed while the project lives. */
export interface BuildName {
  /** `{projectId}/{name}` */
  readonly id: string
  readonly version: number
  readonly projectId: string
  readonly lastBuildVersion: number
}
