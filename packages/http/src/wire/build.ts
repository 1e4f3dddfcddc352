import { z } from '@hono/zod-openapi'
import { BUILD_STATUSES, BUILD_TYPES, type Build, type Instant } from '@matchyard/core'
import { BUILD_NAME_PATTERN, EXECUTABLE_PATH_LENGTH, IMAGE_URL_LENGTH } from '@matchyard/core/domain'
import { actor } from './actor'
import {
  answerOf,
  bodyOf,
  given,
  instant,
  longListOf,
  NAMES_OF,
  nullable,
  optional,
  orNull,
  plain,
  queryOf,
  required,
  told,
} from './codec/index'
import type { BuildLogs, StoppedServers } from './core-types'
import { paging, projectId } from './query'
import { flag, oneOf, string, text, whole } from './shared'

/** Name of a build, used as `version_tag`. */
export const buildName = plain(
  z.string().regex(BUILD_NAME_PATTERN, `must match ${BUILD_NAME_PATTERN.source}`),
  z.string(),
)

const newName = required(
  buildName,
  'Name that servers use as `version_tag`: 1 to 64 characters of a-z, A-Z, 0-9, dot, underscore and hyphen.',
)

export const buildUpload = bodyOf({
  name: newName,
  executablePath: required(text(EXECUTABLE_PATH_LENGTH), 'Path of the program in the archive: relative, without `..`.'),
  sizeBytes: optional(plain(z.int().min(1)), 'Size of the archive in bytes; an archive of another size is refused.'),
  sha256: optional(
    plain(z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits'), z.string()),
    'SHA-256 of the archive in hexadecimal digits; another archive is refused.',
  ),
})
export const imageBuild = bodyOf({
  name: newName,
  imageUrl: required(
    text(IMAGE_URL_LENGTH),
    'OCI reference without scheme or user. Servers run the image that it points at now.',
  ),
})

export const buildChanges = bodyOf({
  disabled: optional(
    flag,
    'true: no new server is launched from it, and running servers continue. false: servers are launched again, and a drain ends.',
  ),
  drain: optional(
    flag,
    'true: the build is disabled, its servers without a match are stopped, and its matches take no more players and play to their end. false: a drain ends; the build stays disabled.',
  ),
})

export const buildsQuery = queryOf(
  {
    projectId,
    name: optional(buildName, 'Only builds of this name.'),
    status: optional(oneOf(BUILD_STATUSES), 'Only builds in this status; `deleted` builds only when requested.'),
    type: optional(oneOf(BUILD_TYPES), 'Only builds of this kind: archives or container images.'),
    ...paging,
  },
  NAMES_OF.build,
)

/** Codec of a build. Fields of the other build type are absent. */
export const build = answerOf<Build>(NAMES_OF.build)(
  {
    id: required(string, 'Id.'),
    name: required(string, 'Name of the build, which servers reference as `version_tag`.'),
    buildVersion: required(
      plain(z.int().min(1)),
      'Version among the builds of one name: 1 for the first, one more for each upload.',
    ),
    status: required(oneOf(BUILD_STATUSES), 'Status; `ready` when servers can run the build.'),
    type: required(oneOf(BUILD_TYPES), 'Kind of the build: an archive (`zip`) or a container image.'),
    disabled: told(
      flag,
      ({ disabled }: Build) => disabled === true,
      'Whether the build is disabled: no new server is launched from it; running servers continue.',
    ),
    drainingSince: required(orNull(instant), 'Time since which the build is drained; null when it is not drained.'),
    drainedAt: required(
      orNull(instant),
      'Time at which a drained build had no live server any more; null while it has one, and without a drain.',
    ),
    createdBy: required(
      orNull(actor),
      'Account or server key that uploaded or registered the build; null for a build of an earlier release.',
    ),
    createdAt: required(instant, 'Time of creation.'),
    updatedAt: required(instant, 'Time of the last change.'),
    executablePath: given(string, 'Path of the program in the archive; only for `zip`.'),
    imageUrl: given(string, 'Reference of the container image; only for `docker_image`.'),
    errorMessage: required(nullable(string), 'Reason of the failure; null unless the status is `failed`.'),
  },
  'Build',
  'A version of the program that game servers run.',
)

export const stoppedServers = answerOf<StoppedServers>()(
  {
    buildId: required(string, 'The build.'),
    servers: required(whole, 'Number of live servers that run the build now; a job stops them, some at a time.'),
  },
  'StoppedServers',
  'Servers of a build that were asked to stop.',
)

interface OpenUpload {
  readonly build: Build
  readonly buildId: string
  readonly uploadUrl: string
  readonly expiresAt: Instant
}

export const uploadUrl = answerOf<OpenUpload>()(
  {
    buildId: required(string, 'Id.'),
    uploadUrl: required(string, 'URL that takes the ZIP by PUT, once, within 15 minutes, without another credential.'),
    expiresAt: required(instant, 'Time from which the URL takes no upload.'),
    build: required(build, 'The build that waits for its archive.'),
  },
  'UploadUrl',
  'A build that waits for its archive.',
)

const logLine = answerOf<BuildLogs['logs'][number]>(NAMES_OF.logLine)({
  at: required(instant, 'Time of the entry.'),
  level: required(oneOf(['info', 'warn', 'error']), 'Severity.'),
  message: required(string, 'Text of the line.'),
})

export const buildLogs = answerOf<BuildLogs>()(
  {
    buildId: required(string, 'The build.'),
    logs: required(longListOf(logLine), 'Lines in order, the oldest first.'),
  },
  'BuildLogs',
  'Log of the processing of a build.',
)
