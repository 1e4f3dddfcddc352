import { authorOf, projectOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import {
  build,
  buildChanges,
  buildLogs,
  buildsQuery,
  buildUpload,
  imageBuild,
  stoppedServers,
  uploadUrl,
} from '../wire/build'
import { projectQuery } from '../wire/query'
import { created, NO_CONTENT, ok, page } from './answers'
import { upload } from './upload'

const createUpload = endpoint({
  operation: 'builds.createUpload',
  method: 'post',
  path: '/v1/builds/upload-url',
  summary: 'Creates a build and the URL that takes its ZIP, once, within 15 minutes.',
  query: projectQuery,
  body: buildUpload,
  success: created(uploadUrl),
  async handle(call) {
    const input = { ...call.body, projectId: await projectOf(call), by: authorOf(call) }
    const { build, uploadPath, expiresAt } = await call.matchyard.builds.createUpload(input, call.options)
    const origin = call.services.publicUrl() ?? call.exchange.origin()
    // If clients upload directly to the object store, `uploadPath` is a complete URL.
    const uploadUrl = uploadPath.startsWith('/') ? `${origin}${uploadPath}` : uploadPath
    return { build, buildId: build.id, uploadUrl, expiresAt }
  },
})

const registerImage = endpoint({
  operation: 'builds.registerImage',
  method: 'post',
  path: '/v1/builds/docker-image',
  summary: 'Creates a build of a container image, which is then pulled and validated.',
  query: projectQuery,
  body: imageBuild,
  success: created(build),
})

const list = endpoint({
  operation: 'builds.list',
  method: 'get',
  path: '/v1/builds',
  summary: "Lists a project's builds, newest first.",
  query: buildsQuery,
  success: page(build),
})

const get = endpoint({
  operation: 'builds.get',
  method: 'get',
  path: '/v1/builds/{build_id}',
  summary: 'Returns a build, also a deleted one.',
  success: ok(build),
})

const update = endpoint({
  operation: 'builds.update',
  method: 'patch',
  path: '/v1/builds/{build_id}',
  summary: 'Disables a build, so that no new server is launched from it; drains it; or enables it again.',
  body: buildChanges,
  success: ok(build),
})

const stop = endpoint({
  operation: 'builds.stop',
  method: 'post',
  path: '/v1/builds/{build_id}/stop',
  summary: 'Stops all servers that run a build now, and ends their matches.',
  success: ok(stoppedServers),
})

const remove = endpoint({
  operation: 'builds.delete',
  method: 'delete',
  path: '/v1/builds/{build_id}',
  summary: 'Deletes a build that no live server runs.',
  success: NO_CONTENT,
})

const logs = endpoint({
  operation: 'builds.logs',
  method: 'get',
  path: '/v1/builds/{build_id}/logs',
  summary: 'Returns the full log of the processing, oldest line first.',
  success: ok(buildLogs),
})

export const BUILD_ENDPOINTS: readonly Endpoint[] = [
  createUpload,
  registerImage,
  upload,
  list,
  get,
  update,
  stop,
  remove,
  logs,
]
