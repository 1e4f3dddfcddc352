import { receiveUpload } from '../runtime/receive-upload'
import { locateArchive, readArchive } from '../runtime/stored-archive'
import { createUpload } from '../use-cases/builds/create-upload'
import { deleteBuild } from '../use-cases/builds/delete-build'
import { buildLogs, getBuild, listBuilds } from '../use-cases/builds/read-builds'
import { registerImage } from '../use-cases/builds/register-image'
import { stopServersOf } from '../use-cases/builds/stop-servers'
import { updateBuild } from '../use-cases/builds/update-build'
import { EVERYBODY, PROJECT } from './callers'
import { type CallsOf, embedded, operation } from './operation'

/** Builds of game servers: archives and container images. */
export const builds = {
  /**
   * Creates a build that waits for its archive, and returns the URL for the upload (docs/http-api.md §4). Rejects with `VALIDATION_FAILED`,
   * `PAYLOAD_TOO_LARGE`, `PROJECT_NOT_FOUND`, `PLAN_LIMIT_EXCEEDED`.
   */
  createUpload: operation({
    callers: PROJECT,
    role: 'developer',
    fields: ['name', 'executablePath', 'sizeBytes?', 'sha256?', 'projectId', 'by?'],
    refusals: ['PROJECT_NOT_FOUND', 'PLAN_LIMIT_EXCEEDED', 'PAYLOAD_TOO_LARGE'],
    audit: 'always',
    run: createUpload,
  }),

  /**
   * Receives the archive of a build and starts its processing (docs/http-api.md §4). After a refused or interrupted upload, the upload URL
   * can be used again. Rejects with `UPLOAD_REJECTED`, `PAYLOAD_TOO_LARGE`, `UNAVAILABLE`. Rejects with `CONFLICT` when another upload of
   * the build is running.
   */
  receiveUpload: operation({
    name: 'builds.upload',
    callers: EVERYBODY,
    fields: ['buildId', 'expires', 'signature', 'body'],
    refusals: ['UPLOAD_REJECTED', 'PAYLOAD_TOO_LARGE', 'CONFLICT'],
    run: receiveUpload,
  }),

  /**
   * Creates a build of a container image. The service then validates the image and fixes its digest. In an installation that cannot run
   * images, the validation fails. Rejects with `VALIDATION_FAILED`, `PROJECT_NOT_FOUND`, `PLAN_LIMIT_EXCEEDED`.
   */
  registerImage: operation({
    callers: PROJECT,
    role: 'developer',
    fields: ['name', 'imageUrl', 'projectId', 'by?'],
    refusals: ['PROJECT_NOT_FOUND', 'PLAN_LIMIT_EXCEEDED'],
    audit: 'always',
    run: registerImage,
  }),

  /** Returns a page of the project's builds, newest first. Rejects with `PROJECT_NOT_FOUND`. */
  list: operation({
    callers: PROJECT,
    role: 'viewer',
    fields: ['name?', 'status?', 'type?', 'limit?', 'offset?', 'projectId'],
    refusals: ['PROJECT_NOT_FOUND'],
    run: listBuilds,
  }),

  /** Returns a build, even when it is deleted. Rejects with `BUILD_NOT_FOUND`. */
  get: operation({
    callers: PROJECT,
    role: 'viewer',
    fields: ['projectId', 'accountId', 'grants?', 'buildId'],
    refusals: ['BUILD_NOT_FOUND'],
    run: getBuild,
  }),

  /**
   * Disables or drains a build, or enables it again. A disabled build cannot be launched; servers that run it continue. A drained build is
   * disabled, its servers without a match are stopped, and its matches take no more players and play to their end. Rejects with
   * `VALIDATION_FAILED`, `BUILD_NOT_FOUND`.
   */
  update: operation({
    callers: PROJECT,
    role: 'developer',
    fields: ['projectId', 'accountId', 'grants?', 'buildId', 'changes'],
    refusals: ['BUILD_NOT_FOUND'],
    audit: 'always',
    run: updateBuild,
  }),

  /**
   * Stops all live servers that run a build now, and ends their matches. A job stops them, some at a time. Servers that are launched later
   * are not stopped; disable the build first to prevent them. The call can be repeated. Rejects with `BUILD_NOT_FOUND`.
   */
  stop: operation({
    callers: PROJECT,
    role: 'developer',
    fields: ['projectId', 'accountId', 'grants?', 'buildId'],
    refusals: ['BUILD_NOT_FOUND'],
    audit: 'always',
    run: stopServersOf,
  }),

  /**
   * Deletes a build. Its record can still be read by its id. Rejects with `BUILD_NOT_FOUND`, also when the build is already deleted, and
   * with `BUILD_IN_USE`.
   */
  delete: operation({
    callers: PROJECT,
    role: 'developer',
    fields: ['projectId', 'accountId', 'grants?', 'buildId'],
    refusals: ['BUILD_NOT_FOUND', 'BUILD_IN_USE'],
    audit: 'always',
    run: deleteBuild,
  }),

  /** Returns the full output of a build's processing, oldest line first. Rejects with `BUILD_NOT_FOUND`. */
  logs: operation({
    callers: PROJECT,
    role: 'viewer',
    fields: ['projectId', 'accountId', 'grants?', 'buildId'],
    refusals: ['BUILD_NOT_FOUND'],
    run: buildLogs,
  }),

  /**
   * Returns the size of a ready build's archive, its SHA-256 when it is known, and a URL of the build store that is valid for 5 minutes; the
   * URL is null when archives are read through the service. The caller must check that the reader may have the archive. Rejects with
   * `BUILD_NOT_FOUND`, `UNAVAILABLE`.
   */
  locateArchive: embedded({
    fields: ['buildId'],
    run: locateArchive,
  }),

  /** Returns the bytes of a part of a build's archive. The caller must check that the reader may have the archive. */
  readArchive: embedded({
    fields: ['buildId', 'start', 'end'],
    run: readArchive,
  }),
}

/**
 * Builds of game servers: archives and container images.
 *
 * @interface
 */
export type Builds = CallsOf<typeof builds>
