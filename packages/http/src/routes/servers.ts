import { z } from '@hono/zod-openapi'
import { ownerOf, projectOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { projectId } from '../wire/query'
import {
  createServerBody,
  listServersFilters,
  serverLogsQuery,
  serverLogsSchema,
  serverSchema,
  toServerLogsWire,
  toServerWire,
} from '../wire/server'
import { toPortRequest } from '../wire/server-settings'
import { envelopeOf, toEnvelopeWire } from '../wire/shared'
import { created, ok } from './answers'

const list = endpoint({
  operation: 'servers.list',
  method: 'get',
  path: '/v1/servers',
  summary: "A project's game servers, newest first.",
  query: z.object({ project_id: projectId, ...listServersFilters }),
  success: ok(envelopeOf(serverSchema)),
  errors: ['PROJECT_NOT_FOUND'],
  async handle(call) {
    const { match_id: matchId, version_tag: versionTag, status, region, limit, offset } = call.query
    const filters = { status, region, matchId, versionTag, limit, offset }
    const page = await call.matchyard.servers.list({ projectId: await projectOf(call), ...filters })
    return toEnvelopeWire(page, call.query, toServerWire)
  },
})

const create = endpoint({
  operation: 'servers.create',
  method: 'post',
  path: '/v1/servers',
  summary: 'Launches a game server by itself; the answer does not wait for it.',
  query: z.object({ project_id: projectId }),
  body: createServerBody,
  success: created(serverSchema),
  errors: ['PROJECT_NOT_FOUND', 'PLAN_LIMIT_EXCEEDED', 'BUILD_NOT_READY'],
  async handle(call) {
    const { body } = call
    const input = {
      projectId: await projectOf(call),
      versionTag: body.version_tag,
      name: body.name,
      region: body.region,
      tier: body.tier,
      networkPorts: body.network_ports?.map(toPortRequest),
      startupArgs: body.startup_args,
      ttlSeconds: body.ttl,
      autoRestart: body.auto_restart,
      customData: body.custom_data,
    }
    return toServerWire(await call.matchyard.servers.create(input, call.options))
  },
})

const get = endpoint({
  operation: 'servers.get',
  method: 'get',
  path: '/v1/servers/{instance_id}',
  summary: 'The full game server.',
  success: ok(serverSchema),
  errors: ['SERVER_NOT_FOUND'],
  handle: async (call) => toServerWire(await call.matchyard.servers.get(onServer(call))),
})

const stop = endpoint({
  operation: 'servers.stop',
  method: 'delete',
  path: '/v1/servers/{instance_id}',
  summary: 'Stops a game server; one that has ended is answered unchanged.',
  success: ok(serverSchema),
  errors: ['SERVER_NOT_FOUND'],
  handle: async (call) => toServerWire(await call.matchyard.servers.stop(onServer(call))),
})

const restart = endpoint({
  operation: 'servers.restart',
  method: 'post',
  path: '/v1/servers/{instance_id}/restart',
  summary: 'Restarts a running game server in place.',
  success: ok(serverSchema),
  errors: ['SERVER_NOT_FOUND', 'INVALID_SERVER_STATE'],
  handle: async (call) => toServerWire(await call.matchyard.servers.restart(onServer(call), call.options)),
})

const logs = endpoint({
  operation: 'servers.logs',
  method: 'get',
  path: '/v1/servers/{instance_id}/logs',
  summary: 'What the game server printed, oldest first.',
  query: serverLogsQuery,
  success: ok(serverLogsSchema),
  errors: ['SERVER_NOT_FOUND'],
  async handle(call) {
    const { instance_id: instanceId } = call.params
    return toServerLogsWire(instanceId, await call.matchyard.servers.logs({ ...onServer(call), ...call.query }))
  },
})

const onServer = (call: Parameters<typeof ownerOf>[0] & { readonly params: { readonly instance_id: string } }) => ({
  ...ownerOf(call),
  instanceId: call.params.instance_id,
})

export const SERVER_ENDPOINTS: readonly Endpoint[] = [list, create, get, stop, restart, logs]
