import { LABEL, makeNodeImage, NODE_IMAGE, type OwnEngine, ownEngine } from '@matchyard/orchestrator/docker/testing'
import { EngineCases } from '@matchyard/tooling/engine-cases'
import { expect } from 'vitest'
import type { Api, Body } from './harness/api'
import { until } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { OPEN_TO_ALL, startServe } from './harness/services'

const IMAGE = 'local/matchyard-test-listener:1'
const LISTENER = `#!/usr/bin/env node
require('node:net').createServer(() => {}).listen(Number(process.env.PORT_CONTROL))
process.on('SIGTERM', () => process.exit(0))
`

const cases = new EngineCases<OwnEngine>()

/** Creates a developer with a project, a build from an image that is ready, and a queue that launches the build. */
async function openStudio(call: Api): Promise<{ client: string; server: string }> {
  const account = { email: 'dev@example.com', password: 'correct horse battery', name: 'Dev' }
  const { token } = (await call('POST /v1/auth/register', { body: account })).body
  await call('POST /v1/billing/upgrade', { token, body: { plan: 'pro', payment_method_token: 'pm_test_visa' } })
  const { body: project } = await call('POST /v1/projects', { token, body: { name: 'Arena' } })
  const [client, server] = project.keys.map((key: Body) => key.key)
  await call('POST /v1/builds/docker-image', { key: server, body: { name: 'arena', image_url: IMAGE } })
  await until('the build is ready', async () => {
    const { body } = await call('GET /v1/builds?status=ready', { key: server })
    return body.total === 1 ? true : undefined
  })
  const port = { name: 'control', protocol: 'tcp', internal_port: 7778 }
  const queue = { queue_id: 'duel', name: 'Duel', server_settings: { version_tag: 'arena', network_ports: [port] } }
  expect((await call('POST /v1/queues', { key: server, body: queue })).status).toBe(201)
  return { client, server }
}

async function started(call: Api, key: string): Promise<() => Promise<Body>> {
  const who = { key, player: 'ann' }
  const { body } = await call('POST /v1/lobbies', { ...who, body: { queue_id: 'duel' } })
  expect((await call(`POST /v1/lobbies/${body.lobby_id}/start`, who)).status).toBe(200)
  return async () => (await call(`GET /v1/lobbies/${body.lobby_id}`, who)).body
}

cases.add(
  'a start without the engine ends with a reason and its lobby waiting; with it back, games run again',
  async (engine) => {
    const script = { path: 'server', content: LISTENER, executable: true }
    await makeNodeImage(engine.docker, IMAGE, { files: [script], changes: ['ENTRYPOINT ["/server"]'] })
    const { call } = await startServe(temporaryFolder(), {
      ...OPEN_TO_ALL,
      ORCHESTRATOR: 'docker',
      DOCKER_HOST: engine.host,
      DOCKER_BASE_IMAGE: NODE_IMAGE,
      DOCKER_LOCAL_IMAGES: 'true',
      LAUNCH_TIMEOUT_SECONDS: '8',
    })
    const { client, server } = await openStudio(call)
    await engine.kill()
    const away = await started(call, client)
    await until('the lobby waits again', async () => ((await away()).status === 'waiting' ? true : undefined))
    const { body } = await call('GET /v1/servers', { key: server })
    expect(body.data).toMatchObject([
      { status: 'failed', stop_reason: 'was not running within 8 s: the container engine does not answer' },
    ])
    await engine.restart()
    const back = await started(call, client)
    const lobby = await until('the game runs', async () => {
      const now = await back()
      return now.status === 'in_game' ? now : undefined
    })
    const { instance_id: instanceId } = lobby.server
    await call(`DELETE /v1/servers/${instanceId}`, { key: server })
    await until('no container is left', async () => {
      const filters = { label: [LABEL.installation] }
      return (await engine.docker.listContainers({ all: true, filters })).length === 0 ? true : undefined
    })
  },
)

cases.register(await ownEngine())
