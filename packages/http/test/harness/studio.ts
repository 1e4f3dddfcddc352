import type { Body } from './client'
import type { Service } from './service'

/** Developer on `pro`, with a project and both its keys. */
export interface Studio {
  readonly token: string
  readonly accountId: string
  readonly projectId: string
  readonly client: string
  readonly server: string
}

let studios = 0

export async function openStudio(
  service: Service,
  plan: 'free' | 'payg' | 'pro' = 'pro',
  email = `dev${++studios}@example.com`,
): Promise<Studio> {
  const { call } = service
  const { body: session } = await call('POST /v1/auth/register', {
    body: { email, password: 'correct horse', name: 'Dev' },
  })
  const token: string = session.token
  if (plan !== 'free') {
    await call('POST /v1/billing/upgrade', { token, body: { plan, payment_method_token: 'pm_test_visa' } })
  }
  const { body: project } = await call('POST /v1/projects', { token, body: { name: 'Arena' } })
  const [client, server] = project.keys
  return {
    token,
    accountId: session.account.id,
    projectId: project.project_id,
    client: client.key,
    server: server.key,
  }
}

/** Creates a queue; by default for lobbies of up to ten players, matched one against one. */
export async function makeQueue(service: Service, studio: Studio, fields: Record<string, unknown> = {}): Promise<Body> {
  const body = { queue_id: 'duel', name: 'Duel', matchmaking: { teams: 2, players_per_team: 1 }, ...fields }
  const { status, body: queue, text } = await service.call('POST /v1/queues', { key: studio.server, body })
  if (status !== 201) throw new Error(text)
  return queue
}

export async function makeLobby(
  service: Service,
  studio: Studio,
  player = 'ann',
  fields: Record<string, unknown> = {},
): Promise<Body> {
  const options = { key: studio.client, player, body: { queue_id: 'duel', ...fields } }
  const { status, body: lobby, text } = await service.call('POST /v1/lobbies', options)
  if (status !== 201) throw new Error(text)
  return lobby
}

/** Creates a build with this name, and waits until it is ready. */
export async function makeBuild(service: Service, studio: Studio, name = 'arena'): Promise<Body> {
  const body = { name, executable_path: 'server' }
  const { body: upload } = await service.call('POST /v1/builds/upload-url', { key: studio.server, body })
  const { pathname, search } = new URL(upload.upload_url)
  const put = await service.call(`PUT ${pathname}${search}`, { raw: 'PK' })
  if (put.status !== 204) throw new Error(put.text)
  await service.settle()
  return (await service.call(`GET /v1/builds/${upload.build_id}`, { key: studio.server })).body
}

/** Makes a running match of two players by matchmaking. Resolves to both lobbies. */
export async function makeMatch(service: Service, studio: Studio, queueId = 'duel'): Promise<[Body, Body]> {
  const lobbies: Body[] = []
  for (const player of ['ann', 'bob']) {
    const lobby = await makeLobby(service, studio, player, { queue_id: queueId })
    await service.call(`POST /v1/lobbies/${lobby.lobby_id}/queue`, { key: studio.client, player })
    lobbies.push(lobby)
  }
  await service.matchyard.matchmaking.runQueue(`${studio.projectId}/${queueId}`)
  await service.settle()
  const read = async ({ lobby_id }: Body) =>
    (await service.call(`GET /v1/lobbies/${lobby_id}`, { key: studio.server })).body
  return [await read(lobbies[0]), await read(lobbies[1])]
}
