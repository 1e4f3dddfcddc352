import { z } from '@hono/zod-openapi'
import { BUILD_STATUSES, BUILD_TYPES, type Build, type Instant } from '@matchyard/core'
import { BUILD_NAME_PATTERN, EXECUTABLE_PATH_LENGTH, IMAGE_URL_LENGTH } from '@matchyard/core/domain'
import {
  answerOf,
  bodyOf,
  given,
  instant,
  longListOf,
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

/** What servers name as `version_tag`. */
export const buildName = plain(
  z.string().regex(BUILD_NAME_PATTERN, `must match ${BUILD_NAME_PATTERN.source}`),
  z.string(),
)

export const buildUpload = bodyOf({
  name: required(
    'name',
    buildName,
    'What servers name as `version_tag`: 1 to 64 of a-z, A-Z, 0-9, dot, underscore and hyphen.',
  ),
  executable_path: required(
    'executablePath',
    text(EXECUTABLE_PATH_LENGTH),
    'The program in the archive that servers start: relative, without `..`.',
  ),
  size: optional(
    'sizeBytes',
    plain(z.int().min(1).openapi({ description: 'Bytes of the archive: one of another size is refused.' })),
  ),
  sha256: optional(
    'sha256',
    plain(
      z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits, in lower case')
        .openapi({ description: 'SHA-256 of the archive, in hexadecimal digits: another archive is refused.' }),
      z.string(),
    ),
  ),
})
export const imageBuild = bodyOf({
  name: required(
    'name',
    buildName,
    'What servers name as `version_tag`: 1 to 64 of a-z, A-Z, 0-9, dot, underscore and hyphen.',
  ),
  image_url: required(
    'imageUrl',
    text(IMAGE_URL_LENGTH),
    'An OCI reference without scheme or user; what it points at now is what servers run.',
  ),
})

export const buildChanges = bodyOf({
  disabled: optional(
    'disabled',
    flag,
    'True: it launches nothing new, and ends nothing that runs it. False: it launches again.',
  ),
})

export const buildsQuery = queryOf({
  project_id: projectId,
  name: optional('name', buildName, 'Only builds of this name.'),
  status: optional(
    'status',
    plain(z.enum(BUILD_STATUSES).openapi({ description: '`deleted` ones only when asked for.' })),
    'Only builds in this status; `deleted` ones only when asked for.',
  ),
  build_type: optional('type', oneOf(BUILD_TYPES), 'Only archives, or only container images.'),
  ...paging,
})

/** Fields of the other build type are absent. */
export const build = answerOf<Build>()(
  {
    build_id: required('id', string, 'Its id.'),
    name: required('name', plain(z.string().openapi({ description: 'What servers reference as `version_tag`.' }))),
    version: required('buildVersion', plain(z.int().min(1)), 'The first of a name is 1, and each upload the next.'),
    status: required('status', oneOf(BUILD_STATUSES), '`ready` once servers can run it.'),
    build_type: required('type', oneOf(BUILD_TYPES), 'An archive, or a container image.'),
    disabled: told(
      flag,
      ({ disabled }) => disabled === true,
      'Whether it launches nothing new. The servers that run it go on.',
    ),
    created_at: required('createdAt', instant, 'When it was made.'),
    updated_at: required('updatedAt', instant, 'When it changed last.'),
    executable_path: given('executablePath', plain(z.string().openapi({ description: '`zip` only.' }))),
    image_url: given('imageUrl', plain(z.string().openapi({ description: '`docker_image` only.' }))),
    error_message: required('errorMessage', nullable(string), 'Why it is `failed`; null where it is not.'),
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
    build_id: required('buildId', string, 'Its id.'),
    upload_url: required(
      'uploadUrl',
      string,
      'Takes the ZIP by PUT, once, within 15 minutes; it needs no credential besides.',
    ),
    expires_at: required('expiresAt', instant, 'The address takes nothing from then on.'),
    build: required('build', build, 'The build that waits for its archive.'),
  },
  'UploadUrl',
  'A build that waits for its archive.',
)

const logLine = answerOf<BuildLogs['logs'][number]>()({
  timestamp: required('at', instant, 'When.'),
  level: required('level', oneOf(['info', 'warn', 'error']), 'How grave it is.'),
  message: required('message', string, 'What it said.'),
})

export const buildLogs = answerOf<BuildLogs>()(
  {
    build_id: required('buildId', string, 'The build.'),
    logs: required('logs', longListOf(logLine), 'Line by line, the first one first.'),
  },
  'BuildLogs',
  'What processing a build said.',
)
