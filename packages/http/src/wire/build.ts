import { z } from '@hono/zod-openapi'
import { BUILD_STATUSES, BUILD_TYPES, type Build, type Instant } from '@matchyard/core'
import { BUILD_NAME_PATTERN, EXECUTABLE_PATH_LENGTH, IMAGE_URL_LENGTH } from '@matchyard/core/domain'
import { answerOf, bodyOf, given, instant, listOf, nullable, optional, plain, queryOf, required } from './codec/index'
import type { BuildLogs } from './core-types'
import { paging, projectId } from './query'
import { oneOf, string, text } from './shared'

/** What servers name as `version_tag`. */
export const buildName = plain(
  z.string().regex(BUILD_NAME_PATTERN, `must match ${BUILD_NAME_PATTERN.source}`),
  z.string(),
)

export const buildUpload = bodyOf({
  name: required('name', buildName),
  executable_path: required('executablePath', text(EXECUTABLE_PATH_LENGTH)),
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
  name: required('name', buildName),
  image_url: required('imageUrl', text(IMAGE_URL_LENGTH)),
})

export const buildsQuery = queryOf({
  project_id: projectId,
  name: optional('name', buildName),
  status: optional(
    'status',
    plain(z.enum(BUILD_STATUSES).openapi({ description: '`deleted` ones only when asked for.' })),
  ),
  build_type: optional('type', oneOf(BUILD_TYPES)),
  ...paging,
})

/** Fields of the other build type are absent. */
export const build = answerOf<Build>()(
  {
    build_id: required('id', string),
    name: required('name', plain(z.string().openapi({ description: 'What servers reference as `version_tag`.' }))),
    version: required('buildVersion', plain(z.int().min(1))),
    status: required('status', oneOf(BUILD_STATUSES)),
    build_type: required('type', oneOf(BUILD_TYPES)),
    created_at: required('createdAt', instant),
    updated_at: required('updatedAt', instant),
    executable_path: given('executablePath', plain(z.string().openapi({ description: '`zip` only.' }))),
    image_url: given('imageUrl', plain(z.string().openapi({ description: '`docker_image` only.' }))),
    error_message: required('errorMessage', nullable(string)),
  },
  'Build',
)

interface OpenUpload {
  readonly build: Build
  readonly buildId: string
  readonly uploadUrl: string
  readonly expiresAt: Instant
}

export const uploadUrl = answerOf<OpenUpload>()(
  {
    build_id: required('buildId', string),
    upload_url: required('uploadUrl', string),
    expires_at: required('expiresAt', instant),
    build: required('build', build),
  },
  'UploadUrl',
)

const logLine = answerOf<BuildLogs['logs'][number]>()({
  timestamp: required('at', instant),
  level: required('level', oneOf(['info', 'warn', 'error'])),
  message: required('message', string),
})

export const buildLogs = answerOf<BuildLogs>()(
  { build_id: required('buildId', string), logs: required('logs', listOf(logLine)) },
  'BuildLogs',
)
