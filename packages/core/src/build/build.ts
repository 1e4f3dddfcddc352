import type { Actor } from '../access/actor'
import type { Instant } from '../shared/time'

/**
 * Statuses of a build. `uploading`: it waits for its archive. `processing`: the service checks it. Only `ready` builds can be launched.
 */
export const BUILD_STATUSES = ['uploading', 'processing', 'ready', 'failed', 'deleted'] as const
/** Status of a build, one of `BUILD_STATUSES`. */
export type BuildStatus = (typeof BUILD_STATUSES)[number]

/** Kinds of builds. `zip`: an archive with a server program. `docker_image`: a reference of a container image. */
export const BUILD_TYPES = ['zip', 'docker_image'] as const
/** Kind of a build, one of `BUILD_TYPES`. */
export type BuildType = (typeof BUILD_TYPES)[number]

/** Lifetime of an upload URL: 15 minutes (docs/http-api.md §4). */
export const UPLOAD_URL_LIFETIME_MS = 15 * 60 * 1_000

/** Build: a server program (ZIP) or a container image. */
export interface Build {
  /** Id of the build: `bld_` and a ULID. */
  readonly id: string
  /** Version of the row, which grows by one with each change; `buildVersion` is the number that servers name. */
  readonly version: number
  /** Project of the build. */
  readonly projectId: string
  /** Account that owns the project. */
  readonly accountId: string
  /** Name that servers use as `versionTag`: 1 to 64 characters of a-z, A-Z, 0-9, dot, underscore and hyphen. */
  readonly name: string
  /** Number of the build among the builds of the same project and name: 1, 2, 3 …, without gaps. The HTTP API calls it `version`. */
  readonly buildVersion: number
  /** Status; servers can be launched only from a `ready` build that is not disabled. */
  readonly status: BuildStatus
  /** Kind of the build: an archive (`zip`) or a container image. */
  readonly type: BuildType
  /** Path of the server executable inside the archive; `zip` only. */
  readonly executablePath: string | null
  /** Container image reference as registered; `docker_image` only. */
  readonly imageUrl: string | null
  /** Digest of the image at the time of processing. Launches use it, so moving the tag later has no effect. `docker_image` only. */
  readonly imageDigest: string | null
  /** Short reason of a failure; null unless the status is `failed`. */
  readonly errorMessage: string | null
  /** Time from which the upload URL takes no upload, 15 minutes after it was made; null unless the build waits for its archive. */
  readonly uploadExpiresAt: Instant | null
  /** Whether the archive is uploaded directly to the build store, without passing through the service. */
  readonly isDirect?: boolean
  /** Size and hash of the archive that the request for the upload URL announced, if it did. */
  readonly announced?: AnnouncedArchive
  /** SHA-256 of the accepted archive; absent before, and when the node that received the archive crashed at the end of the upload. */
  readonly sha256?: string
  /** Bytes of the archive or image; null until the size is known. */
  readonly sizeBytes: number | null
  /** Whether new launches of the build are disabled. Running servers are not affected. Absent: the build was never disabled. */
  readonly disabled?: boolean
  /**
   * Time since which the build is drained: it is disabled, its servers without a match are stopped, and its matches take no more players.
   * Null after the drain was ended; absent when the build was never drained.
   */
  readonly drainingSince?: Instant | null
  /** Time at which a drained build had no live server any more; null or absent while it has one, and without a drain. */
  readonly drainedAt?: Instant | null
  /** Time of the last request to stop all servers of the build; absent without one. */
  readonly serversStoppedAt?: Instant
  /** Author of the build: the person or the server key that uploaded or registered it. Absent in rows of earlier releases. */
  readonly createdBy?: Actor
  /** Log of the processing, oldest line first: at most 1,000 lines. */
  readonly logs: readonly BuildLogLine[]
  /** Time of creation. */
  readonly createdAt: Instant
  /** Time of the last change. */
  readonly updatedAt: Instant
}

/** Whether a server can be launched from the build: it is ready and not disabled. */
export const isLaunchable = ({ status, disabled }: Pick<Build, 'status' | 'disabled'>): boolean =>
  status === 'ready' && disabled !== true

/** Whether the build is drained: it shall have no more servers. */
export const isDrainedBuild = ({ drainingSince }: Pick<Build, 'drainingSince'>): boolean => drainingSince != null

/** Whether the build store has an accepted archive of the build. */
export const hasArchive = ({ status, type }: Pick<Build, 'status' | 'type'>): boolean =>
  status === 'ready' && type === 'zip'

/** Returns the reason why the build cannot be launched, as the end of a sentence that begins with the build. */
export const whyNotLaunched = ({ status }: Pick<Build, 'status'>): string =>
  status === 'ready' ? 'is disabled' : `is not ready: its status is ${status}`

export interface AnnouncedArchive {
  readonly sizeBytes: number | null
  /** SHA-256 as 64 hexadecimal digits in lower case; null when the request did not announce it. */
  readonly sha256: string | null
}

/** Line of the log that the processing of a build writes. */
export interface BuildLogLine {
  /** Time of the entry. */
  readonly at: Instant
  /** Severity of the line. */
  readonly level: 'info' | 'warn' | 'error'
  /** Text of the line. */
  readonly message: string
}

/** Maximum stored log lines of a build. In a longer log, the middle is left out. */
export const MAX_BUILD_LOG_LINES = 1_000

/** Counter that gives each build of one project and name its version. Its row stays until the project is deleted. */
export interface BuildName {
  /** `{projectId}/{name}` */
  readonly id: string
  /** Version, which grows by one with each new build of the name. */
  readonly version: number
  /** Project of the builds. */
  readonly projectId: string
  /** `buildVersion` of the newest build of the name. */
  readonly lastBuildVersion: number
}
