import type { Commit, CommitResult } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { expect, test } from 'vitest'
import type { Body } from './harness/api'
import { until } from './harness/command'
import { type InProcess, startInProcess } from './harness/in-process'

const demoProject = async ({ matchyard }: InProcess) => {
  const project = await matchyard.projects.ensure({ name: 'Metered' })
  const owner = { accountId: project.accountId, projectId: project.id }
  const mint = async (type: 'client' | 'server') => (await matchyard.keys.mint({ ...owner, type })).value ?? ''
  return { client: await mint('client'), server: await mint('server') }
}

const figure = (page: string, series: string): number => {
  const line = page.split('\n').find((row) => row.startsWith(`${series} `))
  return line === undefined ? Number.NaN : Number(line.slice(series.length + 1))
}

test('what happens is measured: requests, lobbies, waiting, matches, exits, streams, conflicts', async () => {
  const service = await startInProcess()
  const { call, baseUrl } = service
  const { client: key, server } = await demoProject(service)
  const matchmaking = {
    teams: 2,
    players_per_team: 1,
    rules: [{ type: 'difference', field: 'mmr', max_difference: 10 }],
  }
  await call('POST /v1/queues', { key: server, body: { queue_id: 'duel', name: 'Duel', matchmaking } })
  const enter = async (player: string, mmr: number): Promise<string> => {
    const { body } = await call('POST /v1/lobbies', { key, player, body: { queue_id: 'duel', state: { mmr } } })
    expect((await call(`POST /v1/lobbies/${body.lobby_id}/queue`, { key, player })).status).toBe(200)
    return body.lobby_id
  }
  const page = async () => (await call('GET /metrics')).text

  const ann = await enter('ann', 0)
  await enter('bob', 5)
  await until('ann and bob are matched', async () =>
    figure(await page(), 'matchyard_matches_total{origin="queue"}') === 1 ? true : undefined,
  )
  const cat = await enter('cat', 1_000)
  await enter('dan', 2_000)
  await call(`DELETE /v1/lobbies/${cat}/queue`, { key, player: 'cat' })
  const { body: solo } = await call('POST /v1/lobbies', { key, player: 'eve', body: { queue_id: 'duel' } })
  await call(`POST /v1/lobbies/${solo.lobby_id}/start`, { key, player: 'eve' })
  const stream = await fetch(`${baseUrl}/v1/lobbies/${ann}/events`, {
    headers: { 'api-key': key, 'x-player-id': 'ann' },
  })
  await stream.body?.getReader().read()
  await call('POST /v1/queues', { key: server, body: { queue_id: 'duel', name: 'again' } })
  await call('PROPFIND /v1/queues')
  await call('GET /no/such/route')

  const text = await page()
  expect(figure(text, 'matchyard_matches_total{origin="direct"}')).toBe(1)
  expect(figure(text, 'matchyard_time_to_match_seconds_count')).toBe(2)
  expect(figure(text, 'matchyard_queue_exits_total{reason="cancelled"}')).toBe(1)
  expect(figure(text, 'matchyard_queue_exits_total{reason="timeout"}')).toBe(0)
  expect(figure(text, 'matchyard_waiting_parties')).toBe(1)
  expect(figure(text, 'matchyard_waiting_players')).toBe(1)
  expect(figure(text, 'matchyard_lobbies{status="in_queue"}')).toBe(1)
  expect(figure(text, 'matchyard_lobbies{status="waiting"}')).toBe(1)
  expect(figure(text, 'matchyard_event_streams')).toBe(1)
  expect(figure(text, 'matchyard_history_rows_dropped_total')).toBe(0)
  expect(figure(text, 'matchyard_http_requests_total{operation="lobbies.create",method="POST",status="201"}')).toBe(5)
  expect(figure(text, 'matchyard_http_request_duration_seconds_count{operation="lobbies.create"}')).toBe(5)
  expect(figure(text, 'matchyard_http_requests_total{operation="none",method="other",status="405"}')).toBe(1)
  expect(figure(text, 'matchyard_http_requests_total{operation="none",method="GET",status="404"}')).toBe(1)
  expect(figure(text, 'matchyard_job_lag_seconds{lane="deadlines"}')).toBeGreaterThanOrEqual(0)
  expect(text).toMatch(/^matchyard_commit_conflicts_total\{on="version"\} \d+$/m)
  // No identifier is a label: the size of the page must not grow with the number of users.
  const ids = [ann, cat, key, server, (await service.matchyard.projects.ensure({ name: 'Metered' })).id]
  for (const id of ids) expect(text).not.toContain(id)
})

test('a commit that lost to another one is counted, and decided again', async () => {
  const storage = memoryStorage()
  let losing = false
  const commit = async (change: Commit): Promise<CommitResult> => {
    const lobby = change.writes.find(({ kind }) => kind === 'lobby')
    if (!losing || lobby === undefined) return storage.commit(change)
    losing = false
    return { ok: false, conflict: { kind: 'lobby', id: lobby.id, on: 'version' } }
  }
  const service = await startInProcess({ storage: { ...storage, commit } })
  const { client: key, server } = await demoProject(service)
  await service.call('POST /v1/queues', { key: server, body: { queue_id: 'duel', name: 'Duel' } })
  losing = true
  const made = await service.call('POST /v1/lobbies', { key, player: 'ann', body: { queue_id: 'duel' } })
  expect(made.status).toBe(201)
  const { text } = await service.call('GET /metrics')
  expect(figure(text, 'matchyard_commit_conflicts_total{on="version"}')).toBe(1)
})

test('every metric has a name, a help text and a type that Prometheus knows', async () => {
  const { call } = await startInProcess()
  const { text } = await call('GET /metrics')
  const rows: Body[] = text.split('\n').filter((row) => row !== '')
  for (const row of rows) expect(row).toMatch(/^(# (HELP|TYPE) [a-z0-9_]+ .+|[a-z0-9_]+(\{.*\})? [-+0-9.eNan]+)$/)
})

test('readers of feeds are measured: who reads, who came back, and who was told of a gap', async () => {
  const service = await startInProcess()
  const { call, baseUrl } = service
  const { server } = await demoProject(service)
  const page = async () => (await call('GET /metrics')).text
  expect(figure(await page(), 'matchyard_feed_readers')).toBe(0)
  const abort = new AbortController()
  const read = async (headers: Record<string, string>) => {
    const feed = await fetch(`${baseUrl}/v1/events`, {
      headers: { 'api-key': server, ...headers },
      signal: abort.signal,
    })
    await feed.body?.getReader().read()
  }
  await read({})
  await read({ 'last-event-id': 'of a time that nobody remembers' })
  await until('the gap is told', async () =>
    figure(await page(), 'matchyard_feed_gaps_total') === 1 ? true : undefined,
  )
  const text = await page()
  expect(figure(text, 'matchyard_feed_readers')).toBe(2)
  expect(figure(text, 'matchyard_feed_resumes_total')).toBe(1)
  // Reading the page must not change the counters.
  expect(figure(await page(), 'matchyard_feed_gaps_total')).toBe(1)
  abort.abort()
  await until('nobody reads', async () => (figure(await page(), 'matchyard_feed_readers') === 0 ? true : undefined))
})
