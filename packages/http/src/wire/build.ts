import { z } from '@hono/zod-openapi'
import { BUILD_STATUSES, BUILD_TYPES, type Build, type Instant } from '@matchyard/core'
import { BUILD_NAME_PATTERN, EXECUTABLE_PATH_LENGTH, IMAGE_URL_LENGTH } from '@matchyard/core/domain'
import {
  answerOf,
  bodyOf,
  given,
  instant,
  longListOf,
  NAMES_OF,
  nullable,
  optional,
  plain,
  queryOf,
  required,
  told,
} from './codec/index'
import type { BuildLogs } from './core-types'
import { paging, projectId } from './query'
import { flag, oneOf, string, text } from './shared'

/** Name of a build, used as `version_tag`. */
export const buildName = plain(
  z.string().regex(BUILD_NAME_PATTERN, `must match ${BUILD_NAME_PATTERN.source}`),
  z.string(),
)

const newName = required(
  buildName,
  'What servers name as `version_tag`: 1 to 64 of a-z, A-Z, 0-9, dot, underscore and hyphen.',
)

export const buildUpload = bodyOf({
  name: newName,
  executablePath: required(
    text(EXECUTABLE_PATH_LENGTH),
    'The program in the archive that servers start: relative, without `..`.',
  ),
  sizeBytes: optional(plain(z.int().min(1)), 'Bytes of the archive: one of another size is refused.'),
  sha256: optional(
    plain(z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits, in lower case'), z.string()),
    'SHA-256 of the archive, in hexadecimal digits: another archive is refused.',
  ),
})
export const imageBuild = bodyOf({
  name: newName,
  imageUrl: required(
    text(IMAGE_URL_LENGTH),
    'An OCI reference without scheme or user; what it points at now is what servers run.',
  ),
})

export const buildChanges = bodyOf({
  disabled: optional(flag, 'True: it launches nothing new, and ends nothing that runs it. False: it launches again.'),
})

export const buildsQuery = queryOf(
  {
    projectId,
    name: optional(buildName, 'Only builds of this name.'),
    status: optional(oneOf(BUILD_STATUSES), 'Only builds in this status; `deleted` ones only when asked for.'),
    type: optional(oneOf(BUILD_TYPES), 'Only archives, or only container images.'),
    ...paging,
  },
  NAMES_OF.build,
)

/** Fields of the other build type are absent. */
export const build = answerOf<Build>(NAMES_OF.build)(
  {
    id: required(string, 'Its id.'),
    name: required(string, 'What servers reference as `version_tag`.'),
    buildVersion: required(plain(z.int().min(1)), 'The first of a name is 1, and each upload the next.'),
    status: required(oneOf(BUILD_STATUSES), '`ready` once servers can run it.'),
    type: required(oneOf(BUILD_TYPES), 'An archive, or a container image.'),
    disabled: told(
      flag,
      ({ disabled }: Build) => disabled === true,
      'Whether it launches nothing new. The servers that run it go on.',
    ),
    createdAt: required(instant, 'When it was made.'),
    updatedAt: required(instant, 'When it changed last.'),
    executablePath: given(string, '`zip` only.'),
    imageUrl: given(string, '`docker_image` only.'),
    errorMessage: required(nullable(string), 'Why it is `failed`; null where it is not.'),
  },
  'Build',
  'A program that game servers run.',
)

interface OpenUpload {
  readonly build: Build
  readonly buildId: string
  readonly uploadUrl: string
  readonly expiresAt: Instant
}

export const uploadUrl = answerOf<OpenUpload>()(
  {
    buildId: required(string, 'Its id.'),
    uploadUrl: required(string, 'Takes the ZIP by PUT, once, within 15 minutes; it needs no credential besides.'),
    expiresAt: required(instant, 'The address takes nothing from then on.'),
    build: required(build, 'The build that waits for its archive.'),
  },
  'UploadUrl',
  'A build that waits for its archive.',
)

const logLine = answerOf<BuildLogs['logs'][number]>(NAMES_OF.logLine)({
  at: required(instant, 'When.'),
  level: required(oneOf(['info', 'warn', 'error']), 'How grave it is.'),
  message: required(string, 'What it said.'),
})

export const buildLogs = answerOf<BuildLogs>()(
  {
    buildId: required(string, 'The build.'),
    logs: required(longListOf(logLine), 'Line by line, the first one first.'),
  },
  'BuildLogs',
  'What processing a build said.',
)
