import type { FollowLogInput, OwnedBy } from '@matchyard/core'
import { MAX_LIST_BYTES, withinBytes } from '@matchyard/core/domain'
import { ownerOf } from '../callers'
import { type Call, type Endpoint, endpoint, Otherwise } from '../endpoint'
import { streamResponse } from '../sse/stream-response'
import { logEvent } from '../wire/log-event'
import { projectQuery } from '../wire/query'
import { newServer, server, serverLogs, serverLogsQuery, serversQuery } from '../wire/server'
import { created, ok, page } from './answers'

const list = endpoint({
  operation: 'servers.list',
  method: 'get',
  path: '/v1/servers',
  summary: "Lists a project's game servers, newest first.",
  query: serversQuery,
  success: page(server),
})

const create = endpoint({
  operation: 'servers.create',
  method: 'post',
  path: '/v1/servers',
  summary: 'Launches a game server without a match; the answer does not wait for it.',
  query: projectQuery,
  body: newServer,
  success: created(server),
})

const get = endpoint({
  operation: 'servers.get',
  method: 'get',
  path: '/v1/servers/{instance_id}',
  summary: 'Returns a game server with all its fields.',
  success: ok(server),
})

const stop = endpoint({
  operation: 'servers.stop',
  method: 'delete',
  path: '/v1/servers/{instance_id}',
  summary: 'Stops a game server; a server that has ended is returned unchanged.',
  success: ok(server),
})

const restart = endpoint({
  operation: 'servers.restart',
  method: 'post',
  path: '/v1/servers/{instance_id}/restart',
  summary: 'Restarts a running game server in place.',
  success: ok(server),
})

const logs = endpoint({
  operation: 'servers.logs',
  method: 'get',
  path: '/v1/servers/{instance_id}/logs',
  summary: 'Returns the output of the game server, oldest line first.',
  query: serverLogsQuery,
  success: { ...ok(serverLogs), events: logEvent },
  otherwise: {
    status: 204,
    description: 'The stream was resumed after `end`: no lines follow, and clients stop. Only with `follow=true`.',
  },
  async handle(call) {
    const { instance_id: instanceId } = call.params
    const { follow = false, ...query } = call.query
    // A reader of HEAD would leave the stream open without reading it.
    if (follow && call.exchange.method !== 'HEAD') return followed(call, { ...onServer(call), ...query })
    const all = await call.matchyard.servers.logs({ ...onServer(call), ...query })
    // The answer contains the newest lines, as many as fit into its maximum size.
    const lines = withinBytes(all.toReversed(), MAX_LIST_BYTES).toReversed()
    return { instanceId, lines, hasMore: lines.length < all.length }
  },
})

/** Returns the stream of a server's log, or status 204 when no lines follow the reader's last event. */
async function followed(
  call: Call<unknown, unknown, unknown>,
  on: Pick<FollowLogInput, 'limit' | 'since' | 'instanceId'> & OwnedBy,
): Promise<Response | Otherwise<undefined>> {
  const { services, exchange, until, caller } = call
  const turnOf = { projectId: on.projectId ?? on.accountId ?? '', readerId: on.instanceId }
  const stream = await call.matchyard.servers.followLogs({
    ...on,
    keyId: caller?.kind === 'server' ? caller.keyId : undefined,
    lastEventId: exchange.header('last-event-id'),
    until,
    turn: () => services.streams.turns.begin(turnOf),
  })
  if (!stream.isOver) return streamResponse(call, stream)
  stream.close()
  return new Otherwise(undefined)
}

const onServer = (call: Parameters<typeof ownerOf>[0] & { readonly params: { readonly instance_id: string } }) => ({
  ...ownerOf(call),
  instanceId: call.params.instance_id,
})

export const SERVER_ENDPOINTS: readonly Endpoint[] = [list, create, get, stop, restart, logs]
