import {
  begunFactor,
  codeNow,
  duel,
  inDuel,
  LATE,
  onLobby,
  onMember,
  onWebhook,
  type Preparations,
  withOpenSeat,
} from './prepared'

/** Preparations for each PATCH, PUT and DELETE of the service that takes an idempotency key, by operation. */
export const OTHERS: Preparations = {
  'projects.delete': async ({ developer, projectId }) => ({ call: developer, path: `/v1/projects/${projectId}` }),
  'projects.setPlayerAuth': async ({ developer, projectId }) => {
    const issuers = [{ issuer: 'studio', generate_secret: true }]
    return {
      call: developer,
      path: `/v1/projects/${projectId}/player-auth`,
      body: { mode: 'signed', issuers },
      other: { mode: 'trusted' },
    }
  },
  'projects.setBudget': async ({ developer, projectId }) => ({
    call: developer,
    path: `/v1/projects/${projectId}/budget`,
    body: { monthly_usd: 100 },
    other: { monthly_usd: null },
  }),
  'sessions.end': async (studio) => {
    await studio.loggedIn()
    const { developer } = studio
    const { body } = await developer('GET /v1/account/sessions')
    const other = body.data.find(({ current }: { readonly current: boolean }) => !current)
    return { call: developer, path: `/v1/account/sessions/${other.session_id}` }
  },
  'secondFactor.activate': async (studio) => {
    const code = codeNow(studio, await begunFactor(studio))
    return { call: studio.developer, path: '/v1/account/second-factor', body: { code }, other: { code: '000000' } }
  },
  'members.setRole': async (studio) => ({
    call: studio.developer,
    path: await onMember(studio),
    body: { role: 'support' },
    other: { role: 'admin' },
  }),
  'members.remove': async (studio) => ({ call: studio.developer, path: await onMember(studio) }),
  'members.cancelInvitation': async ({ developer, projectId }) => {
    const { body } = await developer(`POST /v1/projects/${projectId}/members`, { role: 'viewer' })
    return { call: developer, path: `/v1/projects/${projectId}/invitations/${body.invitation_id}` }
  },
  'keys.revoke': async ({ developer, projectId }) => {
    const { body } = await developer(`POST /v1/projects/${projectId}/keys`, { type: 'client' })
    return { call: developer, path: `/v1/projects/${projectId}/keys/${body.key_id}` }
  },
  'billing.replacePaymentMethod': async ({ developer }) => ({
    call: developer,
    path: '/v1/billing/payment-method',
    body: { payment_method_token: 'pm_test_visa' },
    other: { payment_method_token: 'pm_test_other' },
  }),
  'builds.update': async (studio) => {
    const { build_id: id } = await studio.build()
    return {
      call: studio.backend,
      path: `/v1/builds/${id}`,
      body: { disabled: true },
      other: { disabled: false },
    }
  },
  'builds.delete': async (studio) => {
    const { build_id: id } = await studio.build()
    return { call: studio.backend, path: `/v1/builds/${id}` }
  },
  'servers.stop': async (studio) => {
    await studio.build()
    const { instance_id: id } = await studio.server()
    await studio.world.settle()
    return { call: studio.backend, path: `/v1/servers/${id}` }
  },
  'servers.selfCancelBackfill': async (studio) => {
    const { server } = await withOpenSeat(studio)
    await server('POST /v1/servers/self/backfill')
    return { call: server, path: '/v1/servers/self/backfill' }
  },
  'servers.selfPlayerLeft': async (studio) => {
    const { server } = await withOpenSeat(studio)
    return { call: server, path: '/v1/servers/self/players/ann' }
  },
  'matches.freeSeat': async (studio) => {
    const { match } = await withOpenSeat(studio, LATE)
    await studio.backend(`POST ${match}/seats`, { player_id: 'eve' })
    return { call: studio.backend, path: `${match}/seats/eve` }
  },
  'servers.selfFreeSeat': async (studio) => {
    const { server } = await withOpenSeat(studio, LATE)
    await server('POST /v1/servers/self/seats', { player_id: 'eve' })
    return { call: server, path: '/v1/servers/self/seats/eve' }
  },
  'queues.update': async (studio) => {
    await duel(studio)
    return { call: studio.backend, path: '/v1/queues/duel', body: { name: 'A' }, other: { name: 'B' } }
  },
  'queues.delete': async (studio) => {
    await duel(studio)
    return { call: studio.backend, path: '/v1/queues/duel' }
  },
  'lobbies.updateSettings': async (studio) =>
    onLobby(studio, await inDuel(studio), '/settings', 'ann', { name: 'A' }, { name: 'B' }),
  'lobbies.delete': async (studio) => onLobby(studio, await inDuel(studio), ''),
  'lobbies.removePlayer': async (studio) => {
    const lobby = await inDuel(studio)
    await studio.act('bob', lobby, 'POST', '/join')
    return onLobby(studio, lobby, '/players/bob')
  },
  'lobbies.unbanPlayer': async (studio) => {
    const lobby = await inDuel(studio)
    await studio.act('ann', lobby, 'POST', '/bans', { player_id: 'bob' })
    return onLobby(studio, lobby, '/bans/bob')
  },
  'lobbies.updatePlayer': async (studio) =>
    onLobby(studio, await inDuel(studio), '/players/ann', 'ann', { state: { mmr: 1 } }, { state: { mmr: 2 } }),
  'lobbies.cancelMatchmaking': async (studio) => {
    await duel(studio)
    return onLobby(studio, await studio.queued(), '/queue')
  },
  'matches.cancelBackfill': async (studio) => {
    const { match } = await withOpenSeat(studio)
    await studio.backend(`POST ${match}/backfill`)
    return { call: studio.backend, path: `${match}/backfill` }
  },
  'players.erase': async (studio) => {
    await inDuel(studio)
    return { call: studio.backend, path: '/v1/players/ann' }
  },
  'bans.set': async ({ backend }) => ({
    call: backend,
    path: '/v1/players/ann/ban',
    body: { reason: 'A' },
    other: { reason: 'B' },
  }),
  'ratings.set': async ({ backend }) => ({
    call: backend,
    path: '/v1/ratings/ranked',
    body: { name: 'A' },
    other: { name: 'B' },
  }),
  'ratings.delete': async ({ backend }) => {
    await backend('PUT /v1/ratings/ranked', { name: 'A' })
    return { call: backend, path: '/v1/ratings/ranked' }
  },
  'bans.delete': async ({ backend }) => {
    await backend('PUT /v1/players/ann/ban')
    return { call: backend, path: '/v1/players/ann/ban' }
  },
  'secrets.set': async ({ backend }) => ({
    call: backend,
    path: '/v1/secrets/API_TOKEN',
    body: { value: 'a' },
    other: { value: 'b' },
  }),
  'secrets.delete': async ({ backend }) => {
    await backend('PUT /v1/secrets/API_TOKEN', { value: 'a' })
    return { call: backend, path: '/v1/secrets/API_TOKEN' }
  },
  'machines.revokeToken': async ({ world }) => {
    const call = await world.operator()
    await call('POST /v1/machines/agent-1/token')
    return { call, path: '/v1/machines/agent-1/token' }
  },
  'webhooks.update': async (studio) => {
    const { call, path } = await onWebhook(studio)
    return { call, path, body: { description: 'A' }, other: { description: 'B' } }
  },
  'webhooks.delete': async (studio) => onWebhook(studio),
}
