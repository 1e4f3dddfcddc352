import { connect } from 'node:net'
import {
  ensureNodeImage,
  LABEL,
  makeNodeImage,
  NODE_IMAGE,
  type TestEngine,
  testEngine,
} from '@matchyard/orchestrator/docker/testing'
import { EngineCases } from '@matchyard/tooling/engine-cases'
import { expect } from 'vitest'
import type { Api, Body } from './harness/api'
import { run, until } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { playDuel, takesConnections } from './harness/match'
import { goodSecret, serveEnvironment, startDev } from './harness/services'

// Eats memory on request by its TCP port, and ignores SIGTERM, as a faulty game server does by itself.
const TROUBLED = `#!/usr/bin/env node
require('node:net').createServer((socket) => socket.on('error', () => {}).on('data', (data) => {
  if (String(data) === 'eat') for (const kept = []; ; ) kept.push(Buffer.alloc(8 * 1024 * 1024, 1))
})).listen(Number(process.env.PORT_CONTROL))
process.on('SIGTERM', () => console.log('asked to stop, in vain'))
`
const TROUBLED_IMAGE = 'local/matchyard-test-troubled:1'
const CONTROL = { name: 'control', protocol: 'tcp', internal_port: 7778 }

const cases = new EngineCases<TestEngine>()

/** Starts `dev` with containers. */
async function start(engine: TestEngine, cwd: string) {
  await ensureNodeImage(engine.docker)
  return startDev(cwd, [], { ORCHESTRATOR: 'docker', DOCKER_HOST: engine.host, DOCKER_BASE_IMAGE: NODE_IMAGE })
}

/** Returns the containers of an instance, running or not. */
async function containersOf({ docker }: TestEngine, instanceId: string) {
  return docker.listContainers({ all: true, filters: { label: [`${LABEL.instance}=${instanceId}`] } })
}

const gone = (engine: TestEngine, instanceId: string) =>
  until('no container is left', async () => ((await containersOf(engine, instanceId)).length === 0 ? true : undefined))

/** Sends one word to a game server's TCP port. */
function send({ server }: Body, word: string): Promise<void> {
  const [{ external_port, host }] = server.network_ports
  return new Promise((resolve, reject) => {
    const socket = connect(external_port, host, () => socket.end(word, resolve))
    socket.once('error', reject)
  })
}

/** Registers an image and waits until it is processed. */
async function register(call: Api, key: string, name: string, image: string): Promise<Body> {
  const made = await call('POST /v1/builds/docker-image', { key, body: { name, image_url: image } })
  expect(made.status, made.text).toBe(201)
  return until(`${name} is processed`, async () => {
    const { body } = await call(`GET /v1/builds/${made.body.build_id}`, { key })
    return body.status === 'processing' ? undefined : body
  })
}

/** Makes a lobby of one player and starts it directly on a build. */
async function startLobby(call: Api, keys: { client_key: string; server_key: string }, build: string, tier = '1x-1g') {
  const serverSettings = { version_tag: build, tier, network_ports: [CONTROL] }
  const queue = { queue_id: build, name: build, server_settings: serverSettings }
  expect((await call('POST /v1/queues', { key: keys.server_key, body: queue })).status).toBe(201)
  const who = { key: keys.client_key, player: 'ann' }
  const { body } = await call('POST /v1/lobbies', { ...who, body: { queue_id: build } })
  expect((await call(`POST /v1/lobbies/${body.lobby_id}/start`, who)).status).toBe(200)
  return {
    lobbyId: body.lobby_id as string,
    read: async (): Promise<Body> => (await call(`GET /v1/lobbies/${body.lobby_id}`, who)).body,
  }
}

const inGame = (read: () => Promise<Body>) =>
  until('the game runs', async () => {
    const lobby = await read()
    return lobby.status === 'in_game' ? lobby : undefined
  })
const waiting = (read: () => Promise<Body>) =>
  until('the lobby waits again', async () => {
    const lobby = await read()
    return lobby.status === 'waiting' ? lobby : undefined
  })

cases.add(
  'the demo runs its ZIP build in a container; killed in the match, the service finds it again',
  async (engine) => {
    const cwd = temporaryFolder()
    const first = await start(engine, cwd)
    const { client_key: key, server_key: serverKey } = first.files.credentials
    const lobby = await playDuel(first.call, key)
    const { instance_id: instanceId } = lobby.server
    expect(await takesConnections(lobby)).toBe(true)
    expect(await containersOf(engine, instanceId)).toHaveLength(1)
    first.command.signal('SIGKILL')
    await first.command.exited
    expect(await takesConnections(lobby)).toBe(true)

    const second = await start(engine, cwd)
    const again = await second.call(`GET /v1/lobbies/${lobby.lobby_id}`, { key, player: 'ann' })
    expect(again.body).toMatchObject({ status: 'in_game', server: lobby.server })
    const adopted = await second.call(`GET /v1/servers/${instanceId}`, { key: serverKey })
    expect(adopted.body).toMatchObject({ status: 'running', restarts: 0 })
    expect(await containersOf(engine, instanceId)).toHaveLength(1)
    const ended = await second.call(`POST /v1/lobbies/${lobby.lobby_id}/end`, { key: serverKey })
    expect(ended.status, ended.text).toBe(200)
    await until('the server has stopped', async () => {
      const { body } = await second.call(`GET /v1/servers/${instanceId}`, { key: serverKey })
      return body.status === 'stopped' ? body : undefined
    })
    await gone(engine, instanceId)
  },
)

cases.add('an image build plays, and one that runs out of memory fails with that reason', async (engine) => {
  const script = { path: 'server', content: TROUBLED, executable: true }
  await makeNodeImage(engine.docker, TROUBLED_IMAGE, { files: [script], changes: ['ENTRYPOINT ["/server"]'] })
  const { call, files } = await start(engine, temporaryFolder())
  const { credentials } = files
  const key = credentials.server_key
  expect(await register(call, key, 'troubled', TROUBLED_IMAGE)).toMatchObject({ status: 'ready', error_message: null })
  const { read } = await startLobby(call, credentials, 'troubled')
  const lobby = await inGame(read)
  const { instance_id: instanceId } = lobby.server
  await send(lobby, 'eat')
  expect(await waiting(read)).toMatchObject({ server: null, match_id: null })
  const { body: server } = await call(`GET /v1/servers/${instanceId}`, { key })
  expect(server).toMatchObject({ status: 'failed', stop_reason: 'out_of_memory' })
  await gone(engine, instanceId)
})

cases.add('a server that does not mind SIGTERM is killed after its grace, and its logs can be read', async (engine) => {
  const script = { path: 'server', content: TROUBLED, executable: true }
  await makeNodeImage(engine.docker, TROUBLED_IMAGE, { files: [script], changes: ['ENTRYPOINT ["/server"]'] })
  const { call, files } = await start(engine, temporaryFolder())
  const { credentials } = files
  const key = credentials.server_key
  await register(call, key, 'troubled', TROUBLED_IMAGE)
  const { read, lobbyId } = await startLobby(call, credentials, 'troubled')
  const { instance_id: instanceId } = (await inGame(read)).server
  expect((await call(`POST /v1/lobbies/${lobbyId}/end`, { key })).status).toBe(200)
  await waiting(read)
  await gone(engine, instanceId)
  const { body } = await call(`GET /v1/servers/${instanceId}/logs`, { key })
  expect(body.logs.at(-1)).toMatchObject({ message: 'asked to stop, in vain' })
})

cases.add('an image that exits at once: its lobby waits again, the reason is told, nothing is left', async (engine) => {
  const name = 'local/matchyard-test-quitter:1'
  const script = { path: 'server', content: '#!/usr/bin/env node\nprocess.exit(3)\n', executable: true }
  await makeNodeImage(engine.docker, name, { files: [script], changes: ['ENTRYPOINT ["/server"]'] })
  const { call, files } = await start(engine, temporaryFolder())
  const { credentials } = files
  await register(call, credentials.server_key, 'quitter', name)
  const { read } = await startLobby(call, credentials, 'quitter')
  await waiting(read)
  const { body } = await call('GET /v1/servers?version_tag=quitter', { key: credentials.server_key })
  const [server] = body.data
  expect(server).toMatchObject({ status: 'failed', exit_code: 3 })
  expect(server.stop_reason).toMatch(/exited with code 3/)
  await gone(engine, server.instance_id)
})

cases.add('an image that is not there fails its build with the reason', async (engine) => {
  const { call, files } = await start(engine, temporaryFolder())
  const build = await register(call, files.credentials.server_key, 'nothing', 'local/never-made:1')
  const message = 'the image local/never-made:1 is not in the container engine'
  expect(build).toMatchObject({ status: 'failed', error_message: message })
  const { body } = await call(`GET /v1/builds/${build.build_id}/logs`, { key: files.credentials.server_key })
  expect(body.logs.at(-1)).toMatchObject({ level: 'error', message })
})

cases.add('doctor finds the engine, and says what is wrong with one that is not there', async (engine) => {
  const cwd = temporaryFolder()
  const examine = async (env: Record<string, string>) => {
    const docker = { ORCHESTRATOR: 'docker', DOCKER_BASE_IMAGE: NODE_IMAGE, MATCHYARD_SECRET: goodSecret(), ...env }
    const { stdout } = await run(['doctor', '--json'], { cwd, env: serveEnvironment(cwd, docker) })
    return (name: string) => JSON.parse(stdout).checks.find((check: Body) => check.name === name)
  }
  await ensureNodeImage(engine.docker)
  const there = await examine({ DOCKER_HOST: engine.host })
  expect(there('engine')).toMatchObject({ message: expect.stringMatching(/^version \S+ for \w+ at /) })
  expect(there('engine').status).not.toBe('fail')
  expect(there('base-image')).toMatchObject({ status: 'ok' })
  const away = await examine({ DOCKER_HOST: 'unix:///nowhere/engine.sock' })
  expect(away('engine')).toMatchObject({ status: 'fail', message: expect.stringMatching(/does not answer/) })
  const wrong = await examine({ DOCKER_HOST: 'ssh://engine' })
  expect(wrong('configuration')).toMatchObject({ status: 'fail', message: expect.stringMatching(/DOCKER_HOST/) })
})

cases.register(await testEngine())
