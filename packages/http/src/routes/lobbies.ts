import { ServiceError, validationFailed } from '@matchyard/core'
import { DEFAULT_PAGE_LIMIT } from '@matchyard/core/domain'
import { keyOf } from '../callers'
import { type Endpoint, endpoint, Otherwise } from '../endpoint'
import { tellingAddress } from '../middleware/client-address'
import { lobby } from '../wire/lobby'
import { checkLobbiesQuery, lobbiesQuery, lobbyChanges, newLobby, pollQuery } from '../wire/lobby-bodies'
import { listed, walkablePageOf } from '../wire/shared'
import { created, NO_CONTENT, ok } from './answers'
import { onLobby } from './on-lobby'

const create = endpoint({
  operation: 'lobbies.create',
  method: 'post',
  path: '/v1/lobbies',
  summary: 'Creates a lobby in `waiting` with the caller as the host.',
  body: newLobby,
  success: created(lobby),
})

const browse = endpoint({
  operation: 'lobbies.browse',
  method: 'get',
  path: '/v1/lobbies',
  summary:
    "Lists the project's lobbies; client keys see only public ones whose host is present. With scope=project: all live lobbies, for a backend.",
  query: lobbiesQuery,
  success: ok(walkablePageOf(lobby)),
  async handle({ matchyard, query, ...call }) {
    const { projectId, backend } = keyOf(call)
    const { scope, includePrivate: asked, includeAbsent, sort, offset, limit = DEFAULT_PAGE_LIMIT, ...filter } = query
    if (scope === 'project' && !backend) throw needsServerKey()
    checkLobbiesQuery(query)
    if (scope === 'project') {
      const found = await matchyard.lobbies.ofProject({ ...filter, limit, projectId })
      return { ...found, limit, offset }
    }
    const includePrivate = backend && flag('include_private', asked)
    const { queueId, status, region, settings } = filter
    const shown = {
      projectId,
      backend,
      playerId: call.playerId,
      queueId,
      status,
      region,
      settings,
      includePrivate,
      includeAbsent,
      sort,
      limit,
      offset,
    }
    const page = await matchyard.lobbies.browse(shown)
    return listed(page, { limit, offset: page.offset })
  },
})

const needsServerKey = () =>
  new ServiceError('CREDENTIAL_NOT_ALLOWED', 'all lobbies of the project (scope=project) are for server keys')

function flag(path: string, value: string | undefined): boolean {
  if (value === undefined || value === 'false') return false
  if (value === 'true') return true
  throw validationFailed([{ path, message: 'must be true or false' }])
}

const get = endpoint({
  operation: 'lobbies.get',
  method: 'get',
  path: '/v1/lobbies/{lobby_id}',
  summary:
    'Returns a lobby with its players and, when the match runs, its server. With after_version it waits for a later version.',
  query: pollQuery,
  success: ok(lobby),
  otherwise: { status: 204, description: 'The lobby still has the version after_version.' },
  async handle(call) {
    const { matchyard, services, query, exchange } = call
    const { afterVersion, wait } = query
    const on = onLobby(call)
    if (afterVersion === undefined) return matchyard.lobbies.get(on)
    const { keyId, accountId } = keyOf(call)
    const address = tellingAddress(exchange, services.trustedProxies)
    const poll = { ...on, afterVersion, waitSeconds: wait, keyId, accountId, until: call.until, address }
    if (wait === 0) return (await matchyard.lobbies.poll(poll)) ?? new Otherwise(undefined)
    const since = services.clock.now()
    try {
      const found = await services.waits.run(exchange, (signal) => matchyard.lobbies.poll({ ...poll, signal }))
      return found ?? new Otherwise(undefined)
    } finally {
      call.waited.ms = services.clock.now() - since
    }
  },
})

const updateSettings = endpoint({
  operation: 'lobbies.updateSettings',
  method: 'patch',
  path: '/v1/lobbies/{lobby_id}/settings',
  summary: 'Replaces the given fields while the lobby is in `waiting`; by the host.',
  body: lobbyChanges,
  success: ok(lobby),
})

const renewInviteCode = endpoint({
  operation: 'lobbies.renewInviteCode',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/invite-code',
  summary: 'Replaces the invite code by a new one; by the host or a backend.',
  success: ok(lobby),
})

const remove = endpoint({
  operation: 'lobbies.delete',
  method: 'delete',
  path: '/v1/lobbies/{lobby_id}',
  summary: 'Deletes the lobby; by the host, or by a backend that names no player.',
  success: NO_CONTENT,
})

export const LOBBY_ENDPOINTS: readonly Endpoint[] = [create, browse, get, updateSettings, renewInviteCode, remove]
