import { ownerOf, projectOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { build, buildChanges, buildLogs, buildsQuery, buildUpload, imageBuild, uploadUrl } from '../wire/build'
import { projectQuery } from '../wire/query'
import { listed, pageOf } from '../wire/shared'
import { created, NO_CONTENT, ok } from './answers'
import { upload } from './upload'

const createUpload = endpoint({
  operation: 'builds.createUpload',
  method: 'post',
  path: '/v1/builds/upload-url',
  summary: 'Makes a build and the URL that takes its ZIP, once, within 15 minutes.',
  query: projectQuery,
  body: buildUpload,
  success: created(uploadUrl),
  errors: ['PROJECT_NOT_FOUND', 'PLAN_LIMIT_EXCEEDED', 'PAYLOAD_TOO_LARGE'],
  async handle(call) {
    const input = { ...call.body, projectId: await projectOf(call) }
    const { build, uploadPath, expiresAt } = await call.matchyard.builds.createUpload(input, call.options)
    const origin = call.services.publicUrl() ?? call.exchange.origin()
    // Where uploads go to the store itself it is a whole address.
    const uploadUrl = uploadPath.startsWith('/') ? `${origin}${uploadPath}` : uploadPath
    return { build, buildId: build.id, uploadUrl, expiresAt }
  },
})

const registerImage = endpoint({
  operation: 'builds.registerImage',
  method: 'post',
  path: '/v1/builds/docker-image',
  summary: 'Makes a build of a container image, which is then pulled and validated.',
  query: projectQuery,
  body: imageBuild,
  success: created(build),
  errors: ['PROJECT_NOT_FOUND', 'PLAN_LIMIT_EXCEEDED'],
  async handle(call) {
    const input = { ...call.body, projectId: await projectOf(call) }
    return call.matchyard.builds.registerImage(input, call.options)
  },
})

const list = endpoint({
  operation: 'builds.list',
  method: 'get',
  path: '/v1/builds',
  summary: "A project's builds, newest first.",
  query: buildsQuery,
  success: ok(pageOf(build)),
  errors: ['PROJECT_NOT_FOUND'],
  async handle(call) {
    const page = await call.matchyard.builds.list({ ...call.query, projectId: await projectOf(call) })
    return listed(page, call.query)
  },
})

const get = endpoint({
  operation: 'builds.get',
  method: 'get',
  path: '/v1/builds/{build_id}',
  summary: 'A build, also a deleted one.',
  success: ok(build),
  errors: ['BUILD_NOT_FOUND'],
  handle: (call) => call.matchyard.builds.get(onBuild(call)),
})

const update = endpoint({
  operation: 'builds.update',
  method: 'patch',
  path: '/v1/builds/{build_id}',
  summary: 'Disables a build, which launches nothing new then, or enables it again.',
  body: buildChanges,
  success: ok(build),
  errors: ['BUILD_NOT_FOUND'],
  handle: (call) => call.matchyard.builds.update({ ...onBuild(call), changes: call.body }, call.options),
})

const remove = endpoint({
  operation: 'builds.delete',
  method: 'delete',
  path: '/v1/builds/{build_id}',
  summary: 'Deletes a build that no live server runs.',
  success: NO_CONTENT,
  errors: ['BUILD_NOT_FOUND', 'BUILD_IN_USE'],
  handle: (call) => call.matchyard.builds.delete(onBuild(call), call.options),
})

const logs = endpoint({
  operation: 'builds.logs',
  method: 'get',
  path: '/v1/builds/{build_id}/logs',
  summary: 'The full output of the processing, oldest first.',
  success: ok(buildLogs),
  errors: ['BUILD_NOT_FOUND'],
  handle: (call) => call.matchyard.builds.logs(onBuild(call)),
})

const onBuild = (call: Parameters<typeof ownerOf>[0] & { readonly params: { readonly build_id: string } }) => ({
  ...ownerOf(call),
  buildId: call.params.build_id,
})

export const BUILD_ENDPOINTS: readonly Endpoint[] = [
  createUpload,
  registerImage,
  upload,
  list,
  get,
  update,
  remove,
  logs,
]
