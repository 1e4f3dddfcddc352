import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@matchyard/server/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Client } from '../src/client'
import { control } from '../src/control'
import { eventually } from '../src/eventually'
import { killProcessesOf, processesOf } from '../src/game-processes'
import { ServiceProcess } from '../src/service-process'

interface LobbyBody {
  readonly lobby_id: string
  readonly status: string
  readonly match_id: string | null
  readonly server: {
    readonly instance_id: string
    readonly network_ports: readonly { readonly name: string; readonly host: string; readonly external_port: number }[]
  } | null
}

const PLAYERS = ['ann', 'bob']
const LAUNCHES_IN_HAND = 6

describe('a crash of the service while a match runs', () => {
  let directory: string
  let port: number
  let service: ServiceProcess
  let client: Client
  let instanceId: string

  const start = async () => {
    service = await ServiceProcess.start(directory, port)
    client = new Client(service.credentials.base_url, service.credentials.client_key)
  }
  const lobby = async (lobbyId: string) =>
    (await client.call<LobbyBody>({ method: 'GET', path: `/v1/lobbies/${lobbyId}` })).body
  const server = async () => {
    const path = `/v1/servers/${instanceId}`
    return (await client.call({ method: 'GET', path, key: service.credentials.server_key })).body
  }

  /** Queues two players of the demo queue and returns when they are matched on a running demo server. */
  async function playing(): Promise<{ lobbies: string[]; controlPort: { host: string; external_port: number } }> {
    const lobbies: string[] = []
    for (const player of PLAYERS) {
      const body = { queue_id: 'demo', state: { mmr: 1500 } }
      const created = await client.call<LobbyBody>({ method: 'POST', path: '/v1/lobbies', player, body })
      lobbies.push(created.body.lobby_id)
      await client.call({ method: 'POST', path: `/v1/lobbies/${created.body.lobby_id}/queue`, player })
    }
    const inGame = await eventually(
      () => lobby(lobbies[0] ?? ''),
      ({ status }) => status === 'in_game',
    )
    instanceId = inGame.server?.instance_id ?? ''
    const controlPort = inGame.server?.network_ports.find(({ name }) => name === 'control')
    if (controlPort === undefined) throw new Error('no control port')
    return { lobbies, controlPort }
  }

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'matchyard-crash-'))
    port = await freePort()
    await start()
    // The worker processes the demo build some time after the start.
    const builds = () =>
      client.call<{ total: number }>({
        method: 'GET',
        path: '/v1/builds?status=ready',
        key: service.credentials.server_key,
      })
    await eventually(builds, ({ body }) => body.total === 1)
  })

  afterEach(async () => {
    client.close()
    await service.end('SIGINT')
    // A supervisor may still write its last lines after its game server has ended.
    await eventually(
      () => processesOf(instanceId),
      (pids) => pids.length === 0,
    )
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })

  it('leaves the game server serving; it is adopted, and the match ends as ever', { timeout: 60_000 }, async () => {
    const { lobbies, controlPort } = await playing()
    const processes = processesOf(instanceId)
    expect(processes.length).toBeGreaterThan(0)

    await service.end('SIGKILL')
    client.close()
    expect(await control(controlPort, 'ping 1')).toBe('pong 1')
    await start()

    expect(processesOf(instanceId)).toEqual(processes)
    for (const lobbyId of lobbies) {
      expect(await lobby(lobbyId)).toMatchObject({
        status: 'in_game',
        server: { instance_id: instanceId, status: 'running' },
      })
    }
    expect(await control(controlPort, 'ping 2')).toBe('pong 2')
    expect(await control(controlPort, 'over')).toBe('bye')
    for (const lobbyId of lobbies)
      await eventually(
        () => lobby(lobbyId),
        ({ status }) => status === 'waiting',
      )
    await eventually(server, ({ status }) => status === 'stopped')
    expect(await server()).toMatchObject({ exit_code: 0, restarts: 0 })
  })

  it('returns the lobbies to waiting when the game server died meanwhile', { timeout: 60_000 }, async () => {
    const { lobbies } = await playing()
    await service.end('SIGKILL')
    client.close()
    killProcessesOf(instanceId)
    await eventually(
      () => processesOf(instanceId),
      (pids) => pids.length === 0,
    )
    await start()

    for (const lobbyId of lobbies)
      await eventually(
        () => lobby(lobbyId),
        ({ status }) => status === 'waiting',
      )
    expect(await lobby(lobbies[0] ?? '')).toMatchObject({ server: null, match_id: null })
    await eventually(server, ({ status }) => status === 'failed')
    expect((await server()).stopped_at).not.toBeNull()
  })

  it('goes on with the launches that were in hand, long before their deadline', { timeout: 60_000 }, async () => {
    const network_ports = [
      { name: 'game', protocol: 'udp', internal_port: 7777 },
      { name: 'control', protocol: 'tcp', internal_port: 7778 },
    ]
    const key = service.credentials.server_key
    const body = { version_tag: 'demo-game', network_ports }
    const made = await Promise.all(
      Array.from({ length: LAUNCHES_IN_HAND }, () =>
        client.call<{ instance_id: string }>({ method: 'POST', path: '/v1/servers', key, body }),
      ),
    )
    const ids = made.map((answer) => answer.body.instance_id)
    await service.end('SIGKILL')
    client.close()
    await start()
    const statusOf = async (id: string) =>
      (await client.call({ method: 'GET', path: `/v1/servers/${id}`, key })).body.status
    // A launch has a deadline of 60 s. A job lease left by the killed service must not use up that time.
    await eventually(
      () => Promise.all(ids.map(statusOf)),
      (statuses) => statuses.every((status) => status === 'running'),
    )
    for (const id of ids) expect(processesOf(id).length).toBeGreaterThan(0)
    for (const id of ids) await client.call({ method: 'DELETE', path: `/v1/servers/${id}`, key })
    await eventually(
      () => ids.flatMap((id) => processesOf(id)),
      (pids) => pids.length === 0,
    )
  })

  it('lets the match go on through an orderly restart', { timeout: 60_000 }, async () => {
    const { lobbies, controlPort } = await playing()
    await service.end('SIGTERM')
    client.close()
    expect(await control(controlPort, 'ping 1')).toBe('pong 1')
    await start()
    expect(await lobby(lobbies[0] ?? '')).toMatchObject({ status: 'in_game', server: { instance_id: instanceId } })
  })
})
