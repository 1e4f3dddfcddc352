import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMatchyard, type Lobby, type Matchyard } from '@matchyard/core'
import type { Orchestrator } from '@matchyard/core/ports'
import { createApp } from '@matchyard/http'
import { nodePlatform } from '@matchyard/node'
import { processOrchestrator } from '@matchyard/orchestrator/process'
import { memoryStorage } from '@matchyard/storage-memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../src/eventually'
import { oneBuildStore, uploadOneBuild } from '../src/one-build'

/**
 * A UDP server whose first argument says how it starts: after 2.5 s (`slow`), on a wrong port (`wrong`), or by
 * reporting itself ready without a port.
 */
const SERVER = `#!/usr/bin/env node
import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
const [way, port] = process.argv.slice(2)
const listen = (at) => createSocket('udp4').bind(Number(at))
if (way === 'slow') setTimeout(() => listen(port), 2_500)
else if (way === 'wrong') listen(39_471)
else {
  const { api_url, token } = JSON.parse(readFileSync(process.env.SVC_CONFIG_FILE, 'utf8'))
  await fetch(api_url + '/v1/servers/self/ready', { method: 'POST', headers: { authorization: 'Bearer ' + token } })
}
setInterval(() => {}, 1 << 30)
`

const buildStore = oneBuildStore(SERVER)

let folder: string
let matchyard: Matchyard
let projectId: string
let close = () => {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'readiness-'))
  const clock = { now: () => Date.now() }
  const installationId = `ins_${process.pid}_${Date.now()}`
  const orchestrator: Orchestrator = processOrchestrator({ dataDirectory: folder, buildStore, installationId, clock })
  let apiUrl = ''
  matchyard = createMatchyard({
    ...nodePlatform({ secret: 'a secret of this test, of 32 bytes or more' }),
    ...{ storage: memoryStorage(), orchestrator, buildStore, launchTimeoutMs: 6_000, stopGraceMs: 500 },
    apiUrl: () => apiUrl,
  })
  const app = createApp(matchyard)
  // Forwards the game server's only call, which has no body.
  const server = createServer(async ({ method = 'GET', url = '/', headers }, response) => {
    const { authorization = '' } = headers
    const answer = await app.request(url, { method, headers: { authorization } })
    response.writeHead(answer.status).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  close = () => server.close()
  await matchyard.start()
  projectId = (await matchyard.projects.ensure({ name: 'arena' })).id
  await uploadOneBuild(matchyard, projectId)
})

afterAll(async () => {
  for (const { id: instanceId } of (await matchyard.servers.list({ projectId })).data) {
    await matchyard.servers.stop({ projectId, instanceId })
  }
  await eventually(
    () => matchyard.servers.list({ projectId }),
    ({ data }) => data.every(({ status }) => status === 'stopped' || status === 'failed'),
  )
  await matchyard.stop()
  close()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

/** Starts a server of this kind directly. Returns the lobby at each change, until it plays or waits again. */
async function shown(way: string): Promise<readonly Lobby[]> {
  const networkPorts = [{ name: 'game', protocol: 'udp', internalPort: 7_777, tlsEnabled: false }] as const
  const serverSettings = { versionTag: 'arena', networkPorts, startupArgs: `${way} \${PORT_GAME}` }
  await matchyard.queues.create({ projectId, queueId: way, name: way, serverSettings })
  // Each match has a player of its own, because the matches of other servers still run.
  const playerId = `ann ${way}`
  const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: way, playerId })
  const ann = { projectId, lobbyId, playerId }
  const lobbies = [await matchyard.lobbies.start(ann)]
  await eventually(
    async () => {
      const now = await matchyard.lobbies.get({ ...ann, backend: false })
      if (now.version !== lobbies.at(-1)?.version) lobbies.push(now)
      return now
    },
    ({ status }) => status !== 'starting',
  )
  return lobbies
}

describe('what a player sees of a UDP server', () => {
  it('that is slow: `starting` with its address until it listens, then the game', async () => {
    const lobbies = await shown('slow')
    const [last, before] = [lobbies.at(-1), lobbies.at(-2)]
    expect(before).toMatchObject({ status: 'starting', server: { status: 'launching' } })
    expect(last).toMatchObject({ status: 'in_game', server: { status: 'running' } })
    expect((last?.updatedAt ?? 0) - (lobbies[0]?.updatedAt ?? 0)).toBeGreaterThanOrEqual(2_500)
  })

  it('on the wrong port: never the game, and why', async () => {
    const last = (await shown('wrong')).at(-1)
    expect(last).toMatchObject({ status: 'waiting', server: null, lastExit: { reason: 'launch_failed' } })
    expect(last?.lastExit?.detail).toMatch(
      /^was not running within 6 s: no port that was asked for is bound: asked for udp \d+( \(PORT_GAME\))?; the server has bound udp 39471$/,
    )
  })

  it('that calls `ready`: the game, at once', async () => {
    expect((await shown('calls')).at(-1)).toMatchObject({ status: 'in_game', server: { status: 'running' } })
  })
})
