import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type LobbySnapshot } from '@matchyard/client'
import { createAdmin, mintPlayerToken } from '@matchyard/client/admin'
import { freePort } from '@matchyard/server/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath, ProofBrowser, type ProofPage } from '../../src/client-proof/browser'
import { FaultProxy } from '../../src/client-proof/fault-proxy'
import { historyOf } from '../../src/client-proof/history'
import { type EmbeddedService, embeddedService } from '../../src/embedded-service'
import { eventually } from '../../src/eventually'
import { startCluster } from '../../src/many-nodes/cluster'
import { skipWithout } from '../../src/needs'
import { ServiceProcess } from '../../src/service-process'

const LONG_MS = 60_000
const path = chromiumPath()

let browser: ProofBrowser | undefined
let service: EmbeddedService
let proxy: FaultProxy
let turn = 0

beforeAll(async () => {
  if (path === undefined) return
  browser = await ProofBrowser.start(path)
  service = await embeddedService()
  proxy = await FaultProxy.start(Number(new URL(service.service.baseUrl).port))
  const { serverKey } = service
  const admin = createAdmin({ baseUrl: service.service.baseUrl, serverKey })
  await admin.queues.create({ queue_id: 'solo', name: 'Solo', matchmaking: { teams: 1, players_per_team: 1 } })
}, 120_000)
afterAll(async () => {
  await browser?.stop()
  await proxy?.stop()
  await service?.stop()
})

interface Place {
  readonly baseUrl: string
  readonly clientKey: string
  readonly serverKey: string
}

/** Creates a lobby for a page that connects through the proxy; a second player joins it directly. */
async function meet(place: Place, through: FaultProxy, player: string | readonly string[] = `ann-${++turn}`) {
  if (browser === undefined) throw new Error('there is no browser')
  const page = await browser.page({ baseUrl: through.url, clientKey: place.clientKey, player })
  const { lobby_id: lobbyId } = await page.run<LobbySnapshot>('create', { queueId: 'solo', state: { n: 0 } })
  await eventually(
    () => page.run('connection'),
    (now) => now === 'live',
  )
  const client = createClient({
    baseUrl: place.baseUrl,
    clientKey: place.clientKey,
    player: `bob-${++turn}`,
    log: () => {},
  })
  return { page, client, lobbyId, other: await client.lobbies.join({ lobbyId }) }
}

/** Expects that the page has the lobby's latest version and saw each version since the first once, in order. */
async function sawEverything(page: ProofPage, place: Place, lobbyId: string): Promise<void> {
  const final = await createAdmin(place).lobbies.get(lobbyId)
  await eventually(
    () => page.run<LobbySnapshot>('current'),
    ({ version }) => version === final.version,
    LONG_MS,
  )
  const { changes } = await page.seen()
  expect(changes).toEqual(await historyOf(place.baseUrl, place.serverKey, final))
}

const home = (): Place => ({ ...service, baseUrl: service.service.baseUrl })

describe('the client in a browser', { timeout: 300_000 }, () => {
  beforeEach((context) => {
    if (path === undefined) skipWithout(context, 'a browser', 'chromium is not on the path')
    proxy.fault = {}
  })

  it('plays: from nothing to a match, and back', async () => {
    const { page, lobbyId, other } = await meet(home(), proxy)
    await other.leave()
    const match = await page.run<{ id: string }>('findMatch')
    expect(match.id).toMatch(/^mat_/)
    await createAdmin(home()).lobbies.endMatch(lobbyId)
    await sawEverything(page, home(), lobbyId)
    await page.close()
  })

  it('outlives thirty seconds without a network, says so, and does what was asked meanwhile', async () => {
    const { page, lobbyId, other } = await meet(home(), proxy)
    await page.page.context().setOffline(true)
    proxy.cut()
    const asked = page.run('setState', { n: 1 })
    for (let n = 0; n < 5; n++) await other.setState({ n })
    await eventually(
      () => page.run('connection'),
      (now) => now === 'lost',
      LONG_MS,
    )
    await page.page.context().setOffline(false)
    await asked
    await sawEverything(page, home(), lobbyId)
    expect((await page.seen()).connections).toEqual(['live', 'reconnecting', 'lost', 'live'])
    await page.close()
  })

  it('is back at once when the system says that the network is', async () => {
    const { page, lobbyId, other } = await meet(home(), proxy)
    proxy.fault = { blackHole: true }
    await page.page.context().setOffline(true)
    proxy.cut()
    await eventually(
      () => page.run('connection'),
      (now) => now === 'reconnecting',
      LONG_MS,
    )
    await other.setState({ n: 1 })
    proxy.fault = {}
    await page.page.context().setOffline(false)
    await sawEverything(page, home(), lobbyId)
    await page.close()
  })

  it('loses nothing behind a proxy that cuts every connection after five seconds, and says how it goes on', async () => {
    // One second here stands for five seconds of the page.
    proxy.fault = { cutAfterMs: 1_000 }
    const { page, lobbyId, other } = await meet(home(), proxy)
    for (let n = 0; (await page.run('transport')) !== 'polling'; n++) {
      await other.setState({ n })
      await eventually(
        () => page.run<LobbySnapshot>('current'),
        ({ version }) => version >= other.current.version,
        LONG_MS,
      )
    }
    for (let n = 0; n < 20; n++) await other.setState({ later: n })
    await sawEverything(page, home(), lobbyId)
    await eventually(
      () => page.seen(),
      ({ log }) => log.some((line) => line.includes('polling')),
      LONG_MS,
    )
    await page.close()
  })

  it('loses nothing where answers break off in their midst', async () => {
    const { page, lobbyId, other } = await meet(home(), proxy)
    for (let n = 1; n <= 12; n++) {
      proxy.fault = { cutAfterBytes: n * 300, halfClose: n % 2 === 0 }
      proxy.cut()
      await other.setState({ n })
    }
    proxy.fault = {}
    await sawEverything(page, home(), lobbyId)
    await page.close()
  })

  it('does once what it asked for more than once, because no answer came', async () => {
    if (browser === undefined) return
    const player = `ann-${++turn}`
    // The browser sends a preflight request (OPTIONS) first. That request is answered: only answers to POST are lost.
    proxy.fault = { loseAnswers: 'POST' }
    const page = await browser.page({ baseUrl: proxy.url, clientKey: service.clientKey, player })
    const asked = page.run<LobbySnapshot>('create', { queueId: 'solo' })
    const headers = { 'api-key': service.clientKey, 'x-player-id': player }
    const made = async () =>
      (await (await fetch(`${service.service.baseUrl}/v1/players/me/lobbies`, { headers })).json()) as { total: number }
    const before = proxy.connections
    await eventually(made, ({ total }) => total === 1, LONG_MS)
    await eventually(
      () => proxy.connections,
      (now) => now > before + 2,
      LONG_MS,
    )
    proxy.fault = {}
    expect((await asked).version).toBe(1)
    expect((await made()).total).toBe(1)
    await page.close()
  })

  it('wakes from sleep on a connection that has died meanwhile', async () => {
    const { page, lobbyId, other } = await meet(home(), proxy)
    // The connections stay open but carry no more data.
    proxy.fault = { blackHole: true }
    await other.setState({ n: 1 })
    proxy.fault = { blackHole: true }
    await page.run('sleep', 3_600_000)
    await eventually(
      () => page.run('connection'),
      (now) => now !== 'live',
      LONG_MS,
    )
    proxy.fault = {}
    await sawEverything(page, home(), lobbyId)
    await page.close()
  })

  it('lets go of its stream while the page is put away, and is where it was when it is back', async () => {
    const { page, lobbyId, other } = await meet(home(), proxy)
    // Before it is hidden, the page must have seen the other player join (version 2); otherwise that version would be
    // missing.
    await eventually(
      () => page.run<LobbySnapshot>('current'),
      ({ version }) => version === 2,
      LONG_MS,
    )
    await page.page.evaluate('dispatchEvent(new Event("pagehide"))')
    await other.setState({ n: 1 })
    await other.setState({ n: 2 })
    expect((await page.run<LobbySnapshot>('current')).version).toBe(2)
    await page.page.evaluate('dispatchEvent(new Event("pageshow"))')
    await sawEverything(page, home(), lobbyId)
    await page.close()
  })

  it('finds its lobby again after a reload', async () => {
    const { page, lobbyId } = await meet(home(), proxy)
    await page.page.reload()
    await page.begin()
    expect((await page.run<LobbySnapshot>('resume')).lobby_id).toBe(lobbyId)
    await page.run('setState', { back: true })
    await eventually(
      () => page.run<LobbySnapshot>('current'),
      ({ version }) => version === 3,
    )
    await page.close()
  })

  it('is told that it was removed, also where that happened behind its back', async () => {
    const { page, other, client, lobbyId } = await meet(home(), proxy)
    await page.close()
    const theirs = await browser?.page({ baseUrl: proxy.url, clientKey: service.clientKey, player: 'eve' })
    if (theirs === undefined) return
    await theirs.run('join', { lobbyId })
    await eventually(
      () => theirs.run('connection'),
      (now) => now === 'live',
      LONG_MS,
    )
    proxy.fault = { refuse: true }
    proxy.cut()
    const headers = { 'api-key': service.clientKey, 'x-player-id': `ann-${turn - 1}` }
    const path = `${service.service.baseUrl}/v1/lobbies/${lobbyId}/players/eve`
    expect((await fetch(path, { method: 'DELETE', headers })).status).toBe(204)
    proxy.fault = {}
    await eventually(
      () => theirs.seen(),
      ({ closed }) => closed.includes('removed'),
      LONG_MS,
    )
    await other.leave()
    client.close()
    await theirs.close()
  })

  it('goes on with another token when its own has expired', async () => {
    const place = await signedProject()
    const mint = (seconds: number) =>
      mintPlayerToken({ playerId: 'ann', issuer: 'studio', secret: place.secret, expiresInSeconds: seconds })
    // The first token expired 120 s ago, which is more than any leeway allows.
    const tokens = [await mint(-120), await mint(3_600)]
    if (browser === undefined) return
    const page = await browser.page({ baseUrl: proxy.url, clientKey: place.clientKey, player: tokens })
    const { lobby_id: lobbyId } = await page.run<LobbySnapshot>('create', { queueId: 'solo' })
    await page.run('setState', { n: 1 })
    await sawEverything(page, place, lobbyId)
    expect((await page.run<LobbySnapshot>('current')).host_player_id).toBe('ann')
    await page.close()
  })

  it('measures the latency to a region of another origin, by the times that the browser took', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/ping`
    const place = await embeddedService({ port, regions: ['fra'], beaconUrl: url })
    await place.service.matchyard.worker.watchNodes()
    const page = await browser?.page({ baseUrl: place.service.baseUrl, clientKey: place.clientKey, player: 'ann' })
    const latencies = await page?.run('measure', { timeout: 10_000 })
    expect(latencies).toEqual({ fra: expect.any(Number) })
    const allowed = await page?.page.evaluate((name) => {
      const entries = performance.getEntriesByName(name) as readonly { readonly requestStart?: number }[]
      return entries.filter(({ requestStart = 0 }) => requestStart > 0).length
    }, url)
    expect(allowed).toBe(6)
    await page?.close()
    await place.stop()
  })

  it('outlives a service that is killed and started again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'matchyard-browser-'))
    const port = await freePort()
    const first = await ServiceProcess.start(folder, port)
    const { base_url: baseUrl, client_key: clientKey, server_key: serverKey } = first.credentials
    const place = { baseUrl, clientKey, serverKey }
    const way = await FaultProxy.start(port)
    await createAdmin(place).queues.create({ queue_id: 'solo', name: 'Solo' })
    const { page, client, other, lobbyId } = await meet(place, way)
    await other.setState({ n: 1 })
    await first.end('SIGKILL')
    const asked = page.run('setState', { n: 1 })
    const second = await ServiceProcess.start(folder, port)
    await asked
    await sawEverything(page, place, lobbyId)
    client.close()
    await page.close()
    await second.end('SIGINT')
    await way.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })

  it('goes on at another node when its own is killed', async () => {
    const cluster = await startCluster(2)
    try {
      const [a, b] = [cluster.node(0), cluster.node(1)]
      const { clientKey, serverKey } = cluster
      const place = { baseUrl: b.baseUrl, clientKey, serverKey }
      await createAdmin(place).queues.create({ queue_id: 'solo', name: 'Solo' })
      const way = await FaultProxy.start(Number(new URL(a.baseUrl).port))
      const { page, client, other, lobbyId } = await meet(place, way)
      await other.setState({ n: 1 })
      await a.end('SIGKILL')
      await other.setState({ n: 2 })
      way.target = Number(new URL(b.baseUrl).port)
      await other.setState({ n: 3 })
      await page.run('setState', { n: 1 })
      await sawEverything(page, place, lobbyId)
      client.close()
      await page.close()
      await way.stop()
    } finally {
      await cluster.stop()
    }
  })
})

/** Creates a project whose players prove their identity with player tokens. */
async function signedProject(): Promise<Place & { readonly secret: string }> {
  const { matchyard, baseUrl } = service.service
  const { id: projectId, accountId } = await matchyard.projects.ensure({ name: 'Signed' })
  const owner = { accountId, projectId }
  const clientKey = (await matchyard.keys.mint({ ...owner, type: 'client' })).value ?? ''
  const serverKey = (await matchyard.keys.mint({ ...owner, type: 'server' })).value ?? ''
  const admin = createAdmin({ baseUrl, serverKey })
  await admin.queues.create({ queue_id: 'solo', name: 'Solo' })
  const { issuers } = await matchyard.projects.setPlayerAuth({
    ...owner,
    mode: 'signed',
    issuers: [{ issuer: 'studio', generateSecret: true }],
  })
  return { baseUrl, clientKey, serverKey, secret: issuers[0]?.secret ?? '' }
}
