import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@matchyard/server/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Client } from '../src/client'
import { eventually } from '../src/eventually'
import { ServiceProcess } from '../src/service-process'

interface LobbyBody {
  readonly lobby_id: string
  readonly status: string
  readonly version: number
  readonly server: unknown
}

/** Seconds: the longest wait that one request may ask for. */
const WAIT_SECONDS = 25
const A_MINUTE = 60_000

/** A player of a game without event streams: asks for the next version again and again. */
class PollingPlayer {
  /** Status and time of each answer. */
  readonly answers: { readonly status: number; readonly at: number }[] = []
  private lobby: LobbyBody | undefined

  constructor(
    private readonly client: Client,
    private readonly playerId: string,
  ) {}

  async ask(lobbyId: string): Promise<LobbyBody | undefined> {
    const path = `/v1/lobbies/${lobbyId}?after_version=${this.lobby?.version ?? 0}&wait=${WAIT_SECONDS}`
    const { status, body } = await this.client.call<LobbyBody>({ method: 'GET', path, player: this.playerId })
    this.answers.push({ status, at: performance.now() })
    if (status === 200) this.lobby = body
    return status === 200 ? body : undefined
  }

  async until(lobbyId: string, wanted: string): Promise<LobbyBody> {
    while (this.lobby?.status !== wanted) await this.ask(lobbyId)
    return this.lobby
  }
}

describe('a client that polls instead of streaming', () => {
  let directory: string
  let service: ServiceProcess
  let client: Client

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'matchyard-polling-'))
    service = await ServiceProcess.start(directory, await freePort())
    client = new Client(service.credentials.base_url, service.credentials.client_key)
    const builds = () =>
      client.call<{ total: number }>({ method: 'GET', path: '/v1/builds?status=ready', key: server() })
    await eventually(builds, ({ body }) => body.total === 1)
  })

  afterEach(async () => {
    client.close()
    await service.end('SIGINT')
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })

  const server = () => service.credentials.server_key
  const create = (player: string) =>
    client.call<LobbyBody>({
      method: 'POST',
      path: '/v1/lobbies',
      player,
      body: { queue_id: 'demo', state: { mmr: 1500 } },
    })
  const enqueue = (lobbyId: string, player: string) =>
    client.call({ method: 'POST', path: `/v1/lobbies/${lobbyId}/queue`, player })

  it('plays a whole match, asks at most six times a minute while it waits, and never in vain but for that', async () => {
    // The heartbeat timeout is shorter than one long poll, so ann stays only if the waiting request counts as a
    // heartbeat.
    const heartbeat = { heartbeat: true, heartbeat_timeout: 15 }
    await client.call({ method: 'PATCH', path: '/v1/queues/demo', key: server(), body: heartbeat })
    const ann = new PollingPlayer(client, 'ann')
    const { lobby_id: mine } = (await create('ann')).body
    await enqueue(mine, 'ann')
    await ann.until(mine, 'in_queue')

    const since = performance.now()
    const before = ann.answers.length
    expect(await ann.ask(mine)).toBeUndefined()
    const { lobby_id: theirs } = (await create('bob')).body
    await enqueue(theirs, 'bob')
    const next = await ann.ask(mine)
    expect(next?.status).not.toBe('waiting')
    const asked = ann.answers.length - before
    expect((asked * A_MINUTE) / (performance.now() - since)).toBeLessThanOrEqual(6)

    expect((await ann.until(mine, 'in_game')).server).not.toBeNull()
    await client.call({ method: 'POST', path: `/v1/lobbies/${mine}/end`, key: server() })
    expect((await ann.until(mine, 'waiting')).server).toBeNull()
    expect(ann.answers.filter(({ status }) => status !== 200)).toMatchObject([{ status: 204 }])
    await client.call({ method: 'DELETE', path: `/v1/lobbies/${mine}`, player: 'ann' })
    expect((await client.call({ method: 'GET', path: `/v1/lobbies/${mine}?after_version=1&wait=25` })).status).toBe(404)
  })
})
