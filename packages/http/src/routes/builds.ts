import { z } from '@hono/zod-openapi'
import { ownerOf, projectOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import {
  buildLogsSchema,
  buildSchema,
  createUploadBody,
  listBuildsQuery,
  registerImageBody,
  toBuildLogsWire,
  toBuildWire,
  uploadSchema,
} from '../wire/build'
import { projectId } from '../wire/query'
import { envelopeOf, iso, toEnvelopeWire } from '../wire/shared'
import { created, NO_CONTENT, ok } from './answers'
import { upload } from './upload'

const createUpload = endpoint({
  operation: 'builds.createUpload',
  method: 'post',
  path: '/v1/builds/upload-url',
  summary: 'Makes a build and the URL that takes its ZIP, once, within 15 minutes.',
  query: z.object({ project_id: projectId }),
  body: createUploadBody,
  success: created(uploadSchema),
  errors: ['PROJECT_NOT_FOUND', 'PLAN_LIMIT_EXCEEDED'],
  async handle(call) {
    const { name, executable_path: executablePath } = call.body
    const input = { projectId: await projectOf(call), name, executablePath }
    const { build, uploadPath, expiresAt } = await call.matchyard.builds.createUpload(input, call.options)
    const origin = call.services.publicUrl() ?? new URL(call.c.req.url).origin
    return {
      build_id: build.id,
      upload_url: `${origin}${uploadPath}`,
      expires_at: iso(expiresAt),
      build: toBuildWire(build),
    }
  },
})

const registerImage = endpoint({
  operation: 'builds.registerImage',
  method: 'post',
  path: '/v1/builds/docker-image',
  summary: 'Makes a build of a container image, which is then pulled and validated.',
  query: z.object({ project_id: projectId }),
  body: registerImageBody,
  success: created(buildSchema),
  errors: ['PROJECT_NOT_FOUND', 'PLAN_LIMIT_EXCEEDED'],
  async handle(call) {
    const { name, image_url: imageUrl } = call.body
    const input = { projectId: await projectOf(call), name, imageUrl }
    return toBuildWire(await call.matchyard.builds.registerImage(input, call.options))
  },
})

const list = endpoint({
  operation: 'builds.list',
  method: 'get',
  path: '/v1/builds',
  summary: "A project's builds, newest first.",
  query: listBuildsQuery,
  success: ok(envelopeOf(buildSchema)),
  errors: ['PROJECT_NOT_FOUND'],
  async handle(call) {
    const { name, status, build_type: type, limit, offset } = call.query
    const filters = { name, status, type, limit, offset }
    const page = await call.matchyard.builds.list({ projectId: await projectOf(call), ...filters })
    return toEnvelopeWire(page, call.query, toBuildWire)
  },
})

const get = endpoint({
  operation: 'builds.get',
  method: 'get',
  path: '/v1/builds/{build_id}',
  summary: 'A build, also a deleted one.',
  success: ok(buildSchema),
  errors: ['BUILD_NOT_FOUND'],
  handle: async (call) => toBuildWire(await call.matchyard.builds.get(onBuild(call))),
})

const remove = endpoint({
  operation: 'builds.delete',
  method: 'delete',
  path: '/v1/builds/{build_id}',
  summary: 'Deletes a build that no live server runs.',
  success: NO_CONTENT,
  errors: ['BUILD_NOT_FOUND', 'BUILD_IN_USE'],
  handle: (call) => call.matchyard.builds.delete(onBuild(call)),
})

const logs = endpoint({
  operation: 'builds.logs',
  method: 'get',
  path: '/v1/builds/{build_id}/logs',
  summary: 'The full output of the processing, oldest first.',
  success: ok(buildLogsSchema),
  errors: ['BUILD_NOT_FOUND'],
  handle: async (call) => toBuildLogsWire(await call.matchyard.builds.logs(onBuild(call))),
})

const onBuild = (call: Parameters<typeof ownerOf>[0] & { readonly params: { readonly build_id: string } }) => ({
  ...ownerOf(call),
  buildId: call.params.build_id,
})

export const BUILD_ENDPOINTS: readonly Endpoint[] = [createUpload, registerImage, upload, list, get, remove, logs]
