import { lifeOf } from '../shared/transitions'
import type { Build, BuildStatus } from './build'
import { keptLogs } from './build-logs'
import type { BuildEvent } from './events'
import { BUILD_TRANSITIONS, type BuildTrigger } from './transitions'

const { canMove: canMoveBuild, moved } = lifeOf<BuildStatus, BuildTrigger>('build', BUILD_TRANSITIONS)

export { canMoveBuild }

/** Returns the build after an event. Accepts every event, because deciders have checked it before. */
export function evolveBuild(build: Build, event: BuildEvent): Build {
  switch (event.type) {
    case 'upload_claimed':
      return {
        ...build,
        uploadExpiresAt: null,
        sizeBytes: event.sizeBytes,
        ...(event.sha256 === undefined ? {} : { sha256: event.sha256 }),
      }
    case 'upload_released':
      return { ...build, uploadExpiresAt: event.expiresAt, sizeBytes: null }
    case 'upload_completed':
      return {
        ...moved(build, 'complete_upload'),
        ...(event.sha256 === undefined ? {} : { sha256: event.sha256 }),
      }
    case 'upload_expired':
      return { ...moved(build, 'expire_upload'), uploadExpiresAt: null, errorMessage: 'upload expired' }
    case 'upload_refused':
      return { ...moved(build, 'refuse_upload'), uploadExpiresAt: null, errorMessage: event.errorMessage }
    case 'processing_succeeded':
      return {
        ...moved(build, 'succeed'),
        sizeBytes: event.sizeBytes ?? build.sizeBytes,
        imageDigest: event.imageDigest,
        logs: keptLogs([...build.logs, ...event.logs]),
      }
    case 'processing_failed':
      return {
        ...moved(build, 'fail'),
        errorMessage: event.errorMessage,
        logs: keptLogs([...build.logs, ...event.logs]),
      }
    case 'build_disabled':
      return { ...build, disabled: true }
    case 'build_enabled':
      return { ...build, disabled: false }
    case 'build_drain_begun':
      return { ...build, drainingSince: event.since, drainedAt: null }
    case 'build_drain_ended':
      return { ...build, drainingSince: null, drainedAt: null }
    case 'build_drained':
      return { ...build, drainedAt: event.at }
    case 'build_servers_stopped':
      return { ...build, serversStoppedAt: event.at }
    case 'build_deleted':
      return { ...moved(build, 'delete'), uploadExpiresAt: null, errorMessage: null }
  }
}

/** Returns the build after all events of one commit, with one new version. */
export function evolveBuildAll(build: Build, events: readonly BuildEvent[], at: number): Build {
  if (events.length === 0) return build
  return { ...events.reduce(evolveBuild, build), version: build.version + 1, updatedAt: at }
}

/** Whether a build counts towards `max_builds`: it is neither failed nor deleted (docs/http-api.md §3). */
export const isCounted = ({ status }: { readonly status: BuildStatus }): boolean =>
  status !== 'failed' && status !== 'deleted'
