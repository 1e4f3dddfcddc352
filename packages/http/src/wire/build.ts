import { z } from '@hono/zod-openapi'
import { BUILD_STATUSES, BUILD_TYPES, type Build } from '@matchyard/core'
import type { BuildLogs } from './core-types'
import { paging, projectId } from './query'
import { buildName } from './server-settings'
import { dateTime, iso, text } from './shared'

export const createUploadBody = z.strictObject({ name: buildName, executable_path: text(1, 1_024) })
export const registerImageBody = z.strictObject({ name: buildName, image_url: text(1, 1_024) })

export const listBuildsQuery = z.object({
  project_id: projectId,
  name: buildName.optional(),
  status: z.enum(BUILD_STATUSES).optional().openapi({ description: '`deleted` ones only when asked for.' }),
  build_type: z.enum(BUILD_TYPES).optional(),
  ...paging,
})

export const buildSchema = z
  .object({
    build_id: z.string(),
    name: z.string().openapi({ description: 'What servers reference as `version_tag`.' }),
    version: z.int().min(1),
    status: z.enum(BUILD_STATUSES),
    build_type: z.enum(BUILD_TYPES),
    created_at: dateTime,
    updated_at: dateTime,
    executable_path: z.string().optional().openapi({ description: '`zip` only.' }),
    image_url: z.string().optional().openapi({ description: '`docker_image` only.' }),
    error_message: z.string().nullable(),
  })
  .openapi('Build')

export const uploadSchema = z
  .object({ build_id: z.string(), upload_url: z.string(), expires_at: dateTime, build: buildSchema })
  .openapi('UploadUrl')

export const buildLogsSchema = z
  .object({
    build_id: z.string(),
    logs: z.array(z.object({ timestamp: dateTime, level: z.enum(['info', 'warn', 'error']), message: z.string() })),
  })
  .openapi('BuildLogs')

/** Fields of the other build type are absent. */
export const toBuildWire = (build: Build) => ({
  build_id: build.id,
  name: build.name,
  version: build.buildVersion,
  status: build.status,
  build_type: build.type,
  created_at: iso(build.createdAt),
  updated_at: iso(build.updatedAt),
  ...(build.executablePath === null ? {} : { executable_path: build.executablePath }),
  ...(build.imageUrl === null ? {} : { image_url: build.imageUrl }),
  error_message: build.errorMessage,
})

export const toBuildLogsWire = ({ buildId, logs }: BuildLogs) => ({
  build_id: buildId,
  logs: logs.map(({ at, level, message }) => ({ timestamp: iso(at), level, message })),
})
