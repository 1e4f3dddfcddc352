import {
  anyone,
  begunFactor,
  codeNow,
  duel,
  gameServer,
  inDuel,
  LATE,
  onLobby,
  onMachine,
  onWebhook,
  type Preparations,
  problemOf,
  proposed,
  withOpenSeat,
  won,
} from './prepared'

/** The sign-in code of the developer. */
export const CODE = 'good'

/** Preparations for each POST of the service, by operation. */
export const POSTS: Preparations = {
  'auth.register': async ({ world }) => ({
    call: world.nobody,
    path: '/v1/auth/register',
    body: { email: 'new@example.com', password: 'correct horse', name: 'New' },
    other: { email: 'new@example.com', password: 'correct horse', name: 'Newer' },
  }),
  'auth.join': async ({ world, developer, projectId }) => {
    const { body } = await developer(`POST /v1/projects/${projectId}/members`, { role: 'viewer' })
    const person = { token: body.token, email: 'eve@example.com', password: 'correct horse' }
    return {
      call: world.nobody,
      path: '/v1/auth/join',
      body: { ...person, name: 'Eve' },
      other: { ...person, name: 'Eva' },
    }
  },
  'members.invite': async ({ developer, projectId }) => ({
    call: developer,
    path: `/v1/projects/${projectId}/members`,
    body: { role: 'viewer' },
    other: { role: 'admin' },
  }),
  'problems.acknowledge': async (studio) => ({
    call: studio.backend,
    path: `/v1/problems/${await problemOf(studio)}/acknowledge`,
    body: { note: 'on it' },
    other: { note: 'still on it' },
  }),
  'problems.mute': async (studio) => ({
    call: studio.backend,
    path: `/v1/problems/${await problemOf(studio)}/mute`,
    body: { minutes: 5 },
    other: { minutes: 6 },
  }),
  'auth.login': async ({ world, account }) => ({
    call: world.nobody,
    path: '/v1/auth/login',
    body: { email: account.email, password: account.password },
    other: { email: account.email, password: 'another one' },
  }),
  'secondFactor.begin': async ({ developer, account }) => ({
    call: developer,
    path: '/v1/account/second-factor',
    body: { password: account.password },
    other: { password: 'another one' },
  }),
  'secondFactor.remove': async (studio) => {
    const secret = await begunFactor(studio)
    await studio.developer('PUT /v1/account/second-factor', { code: codeNow(studio, secret) })
    const code = codeNow(studio, secret, 1)
    return {
      call: studio.developer,
      path: '/v1/account/second-factor/remove',
      body: { code },
      other: { code: '000000' },
    }
  },
  'auth.code': async ({ world }) => ({ call: world.nobody, path: '/v1/auth/code', body: { code: CODE } }),
  'auth.refresh': async ({ developer }) => ({ call: developer, path: '/v1/auth/refresh' }),
  'auth.logout': async ({ developer }) => ({ call: developer, path: '/v1/auth/logout' }),
  'projects.create': async ({ developer }) => ({
    call: developer,
    path: '/v1/projects',
    body: { name: 'A' },
    other: { name: 'B' },
  }),
  'keys.mint': async ({ developer, projectId }) => ({
    call: developer,
    path: `/v1/projects/${projectId}/keys`,
    body: { type: 'client' },
    other: { type: 'server' },
  }),
  'billing.upgrade': async ({ world }) => ({
    call: (await world.studio('free')).developer,
    path: '/v1/billing/upgrade',
    body: { plan: 'payg', payment_method_token: 'pm_test_visa' },
    other: { plan: 'pro', payment_method_token: 'pm_test_visa' },
  }),
  'billing.downgrade': async ({ developer }) => ({
    call: developer,
    path: '/v1/billing/downgrade',
    body: { plan: 'free' },
    other: { plan: 'payg' },
  }),
  'builds.createUpload': async ({ backend }) => ({
    call: backend,
    path: '/v1/builds/upload-url',
    body: { name: 'arena', executable_path: 'server' },
    other: { name: 'arena', executable_path: 'other' },
  }),
  'builds.registerImage': async ({ backend }) => ({
    call: backend,
    path: '/v1/builds/docker-image',
    body: { name: 'arena', image_url: 'example.com/arena:1' },
    other: { name: 'arena', image_url: 'example.com/arena:2' },
  }),
  'builds.stop': async (studio) => {
    const { build_id: id } = await studio.build()
    await studio.server()
    await studio.world.settle()
    return { call: studio.backend, path: `/v1/builds/${id}/stop` }
  },
  'servers.create': async (studio) => {
    await studio.build()
    const body = { version_tag: 'arena' }
    return { call: studio.backend, path: '/v1/servers', body, other: { ...body, name: 'other' } }
  },
  'servers.restart': async (studio) => {
    await studio.build()
    const { instance_id: id } = await studio.server()
    await studio.world.settle()
    return { call: studio.backend, path: `/v1/servers/${id}/restart` }
  },
  'servers.selfReady': (studio) => gameServer(studio, 'ready'),
  'servers.selfHeartbeat': (studio) => gameServer(studio, 'heartbeat'),
  'servers.selfShutdown': (studio) => gameServer(studio, 'shutdown'),
  'servers.selfBackfill': async (studio) => ({
    call: (await withOpenSeat(studio)).server,
    path: '/v1/servers/self/backfill',
    ...anyone,
  }),
  'servers.selfKeepSeat': async (studio) => ({
    call: (await withOpenSeat(studio, LATE)).server,
    path: '/v1/servers/self/seats',
    body: { player_id: 'eve' },
    other: { player_id: 'fay' },
  }),
  'servers.selfResult': async (studio) => ({
    call: (await withOpenSeat(studio)).server,
    path: '/v1/servers/self/result',
    ...won,
  }),
  'servers.selfClose': async (studio) => ({
    call: (await withOpenSeat(studio)).server,
    path: '/v1/servers/self/close',
  }),
  'queues.create': async ({ backend }) => ({
    call: backend,
    path: '/v1/queues',
    body: { queue_id: 'a', name: 'A' },
    other: { queue_id: 'b', name: 'B' },
  }),
  'queues.restore': async (studio) => {
    await duel(studio)
    await studio.backend('PATCH /v1/queues/duel', { name: 'A' })
    await studio.backend('PATCH /v1/queues/duel', { name: 'B' })
    const path = '/v1/queues/duel/restore'
    return { call: studio.backend, path, body: { version: 1 }, other: { version: 2 } }
  },
  'lobbies.create': async (studio) => {
    await duel(studio)
    return {
      call: studio.player('ann'),
      path: '/v1/lobbies',
      body: { queue_id: 'duel' },
      other: { queue_id: 'duel', name: 'Other' },
    }
  },
  'lobbies.join': async (studio) =>
    onLobby(studio, await inDuel(studio), '/join', 'bob', { state: { mmr: 1 } }, { state: { mmr: 2 } }),
  'lobbies.quickJoin': async (studio) => {
    await inDuel(studio)
    const body = { queue_id: 'duel' }
    return { call: studio.player('bob'), path: '/v1/lobbies/quick-join', body, other: { ...body, create: false } }
  },
  'lobbies.joinByCode': async (studio) => {
    const { invite_code: code } = await inDuel(studio)
    const body = { invite_code: code }
    return { call: studio.player('bob'), path: '/v1/lobbies/join', body, other: { ...body, state: {} } }
  },
  'lobbies.leave': async (studio) => onLobby(studio, await inDuel(studio), '/leave'),
  'players.leaveMatch': async (studio) => {
    const lobby = await inDuel(studio)
    await studio.act('ann', lobby, 'POST', '/start')
    return { call: studio.player('ann'), path: '/v1/players/me/leave-match' }
  },
  'ratings.startSeason': async ({ backend }) => {
    await backend('PUT /v1/ratings/ranked', { name: 'A' })
    const path = '/v1/ratings/ranked/seasons'
    return { call: backend, path, body: { name: 'A', keep: 1 }, other: { name: 'B', keep: 1 } }
  },
  'lobbies.banPlayer': async (studio) =>
    onLobby(studio, await inDuel(studio), '/bans', 'ann', { player_id: 'bob' }, { player_id: 'cat' }),
  'lobbies.renewInviteCode': async (studio) => onLobby(studio, await inDuel(studio), '/invite-code'),
  'lobbies.heartbeat': async (studio) => onLobby(studio, await inDuel(studio), '/heartbeat'),
  'lobbies.enqueue': async (studio) => onLobby(studio, await inDuel(studio), '/queue'),
  'lobbies.start': async (studio) => onLobby(studio, await inDuel(studio), '/start'),
  'lobbies.end': async (studio) => {
    await duel(studio)
    return onLobby(studio, await studio.inGame(), '/end')
  },
  'lobbies.accept': async (studio) => onLobby(studio, await proposed(studio), '/proposal/accept'),
  'lobbies.decline': async (studio) => onLobby(studio, await proposed(studio), '/proposal/decline'),
  'matches.backfill': async (studio) => ({
    call: studio.backend,
    path: `${(await withOpenSeat(studio)).match}/backfill`,
    ...anyone,
  }),
  'matches.keepSeat': async (studio) => ({
    call: studio.backend,
    path: `${(await withOpenSeat(studio, LATE)).match}/seats`,
    body: { player_id: 'eve' },
    other: { player_id: 'fay' },
  }),
  'matches.join': async (studio) => {
    const { match } = await withOpenSeat(studio, LATE)
    const lobby = await studio.lobby('eve')
    await studio.backend(`POST ${match}/seats`, { player_id: 'eve' })
    const body = { lobby_id: lobby.lobby_id }
    return { call: studio.player('eve'), path: `${match}/join`, body, other: { lobby_id: 'lob_other' } }
  },
  'matches.result': async (studio) => ({
    call: studio.backend,
    path: `${(await withOpenSeat(studio)).match}/result`,
    ...won,
  }),
  'matches.joinToken': async (studio) => {
    await duel(studio)
    const [lobby] = await studio.match()
    return { call: studio.player('ann'), path: `/v1/matches/${lobby.match_id}/join-token` }
  },
  'matches.assign': async (studio) => {
    await studio.queue({ server_settings: { source: 'external' } })
    const { match_id: id } = await studio.inStatus('starting')
    const body = { host: '192.0.2.1', ports: [{ name: 'game', protocol: 'udp', port: 7_777 }] }
    return { call: studio.backend, path: `/v1/matches/${id}/server`, body, other: { ...body, host: '192.0.2.2' } }
  },
  'webhooks.create': async ({ backend }) => ({
    call: backend,
    path: '/v1/webhooks',
    body: { url: 'https://studio.example/hooks' },
    other: { url: 'https://studio.example/others' },
  }),
  'webhooks.rotateSecret': async (studio) => {
    const { call, path } = await onWebhook(studio)
    return { call, path: `${path}/rotate-secret` }
  },
  'webhooks.test': async (studio) => {
    const { call, path } = await onWebhook(studio)
    return { call, path: `${path}/test` }
  },
  'webhooks.redeliver': async (studio) => {
    const { call, path } = await onWebhook(studio)
    const { body } = await call(`POST ${path}/test`)
    return { call, path: `${path}/deliveries/${body.delivery_id}/redeliver` }
  },
  'machines.cordon': (studio) => onMachine(studio, 'cordon'),
  'machines.uncordon': async (studio) => {
    const { call, path } = await onMachine(studio, 'uncordon')
    await call(`POST ${path.replace('uncordon', 'cordon')}`)
    return { call, path }
  },
  'machines.drain': async (studio) => ({
    ...(await onMachine(studio, 'drain')),
    body: { deadline: 60 },
    other: { deadline: 61 },
  }),
  'machines.mintToken': async ({ world }) => ({
    call: await world.operator(),
    path: '/v1/machines/agent-1/token',
    body: {},
    other: { replace: true },
  }),
}
