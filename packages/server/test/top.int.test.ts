import { FakeClock } from '@matchyard/testkit'
import { expect, test } from 'vitest'
import { FadedSums, MAX_NAMES } from '../src/top/faded-sums'
import { tableOf } from '../src/top/table'
import { Top } from '../src/top/top'
import type { Body } from './harness/api'
import { run } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { goodSecret, startServe } from './harness/services'

const answered = (address: string, projectId?: string, durationMs = 1) => ({
  source: { address, ...(projectId === undefined ? {} : { projectId, keyId: `key of ${projectId}` }) },
  operation: 'lobbies.get',
  method: 'GET',
  status: 200,
  durationMs,
  bytesIn: 10,
  bytesOut: 100,
  requestId: 'req_1',
})

test('a thousand names are counted, and whoever calls much stays among them however many others come', () => {
  const sums = new FadedSums()
  for (let n = 0; n < 10 * MAX_NAMES; n++) {
    sums.add(`once ${n}`, [1, 0, 1, 0, 0], n)
    if (n % 10 === 0) sums.add('often', [1, 0, 1, 0, 0], n)
    expect(sums.size).toBeLessThanOrEqual(MAX_NAMES)
  }
  const rates = sums.rates(10 * MAX_NAMES)
  expect(Math.max(...rates.map(({ long }) => long[0] ?? 0))).toBe(rates.find(({ name }) => name === 'often')?.long[0])
  expect(sums.rates(1_000_000)).toEqual([])
})

test('who calls most, is refused most and has streams open is told by project, key and address', () => {
  const clock = new FakeClock(0)
  let used = 0
  const top = new Top(clock, () => used)
  for (let second = 0; second < 120; second++) {
    for (let call = 0; call < 30; call++) top.answered(answered('10.0.0.1', 'a', 3))
    for (let call = 0; call < 10; call++) top.answered(answered('10.0.0.2', 'b', 1))
    for (let call = 0; call < 15; call++)
      top.refused({ account: 'acc', project: 'b', key: 'key of b', address: '10.0.0.2' })
    top.answered(answered('2001:db8::7'))
    clock.advance(1_000)
    used += 500
  }
  const streams = [
    { source: { address: '10.0.0.3', projectId: 'b', keyId: 'key of b' }, waitingBytes: 5 },
    { source: { address: '10.0.0.3', accountId: 'acc' }, waitingBytes: 7 },
  ]
  const { cpu, rows } = top.now(streams)
  expect(cpu).toBe(0.5)
  expect(rows.project.map(({ name }) => name)).toEqual(['a', 'b', null, 'account acc'])
  expect(rows.key.map(({ name }) => name)).toEqual(['key of a', 'key of b', null, 'account acc'])
  expect(rows.address.map(({ name }) => name)).toEqual(['10.0.0.1', '10.0.0.2', '2001:db8:0:0::/64', '10.0.0.3'])
  const [a, b] = rows.project
  expect(a).toMatchObject({ open_streams: 0, waiting_bytes: 0 })
  expect(a?.last_10_s.calls_per_second).toBeCloseTo(28.5, 0)
  expect(a?.last_10_s.time_share).toBeCloseTo(0.89, 2)
  expect(b).toMatchObject({ open_streams: 1, waiting_bytes: 5 })
  expect(b?.last_10_s.refused_per_second).toBeCloseTo(14.3, 0)
  expect(b?.last_10_s.bytes_out_per_second).toBeCloseTo(951, -1)
  expect(rows.address.at(-1)).toMatchObject({ open_streams: 2, waiting_bytes: 12 })
})

test('a name that moves the cursor of a terminal is shown as text', () => {
  const top = new Top(new FakeClock(0), () => 0)
  top.answered(answered('\u001b[2J\u0007é'))
  const text = tableOf(top.now([]), 'address')
  expect(text).toContain(String.raw`\u001b[2J\u0007\u00e9`)
  expect(text).not.toMatch(/[^\x20-\x7e\n]/)
})

test('a real service tells in its log and by matchyard top where calls came from, and no key or player', async () => {
  const cwd = temporaryFolder()
  const token = goodSecret()
  const { command, call, url } = await startServe(cwd, { METRICS_TOKEN: token, TRUST_PROXY: '1' })
  const env = { MATCHYARD_DATA: `${cwd}/data` }
  const made = await run(['accounts', 'create', '--email', 'ann@studio.example', '--json'], { cwd, env })
  const {
    client_key: key,
    server_key: backend,
    project_id: project,
  } = JSON.parse(made.stdout) as Record<string, string>
  const from = { headers: { 'x-forwarded-for': '203.0.113.7' } }
  const queue = await call('POST /v1/queues', { key: backend ?? '', body: { queue_id: 'duel', name: 'Duel' }, ...from })
  expect(queue.status).toBe(201)
  const player = 'a player of whom no log tells'
  const lobby = await call('POST /v1/lobbies', { key: key ?? '', player, body: { queue_id: 'duel' }, ...from })
  await call('GET /v1/lobbies', { key: 'ck_live_nobody', ...from })
  await call('GET /no/such/route', from)
  const stream = await fetch(`${url}/v1/lobbies/${lobby.body.lobby_id}/events`, {
    headers: { 'api-key': key ?? '', 'x-player-id': player, ...from.headers },
  })
  const reader = stream.body?.getReader()
  await reader?.read()

  const top = (...args: string[]) => run(['top', ...args], { cwd, env: { MATCHYARD_URL: url, METRICS_TOKEN: token } })
  const told: Body = JSON.parse((await top('--json')).stdout)
  expect(told.rows.project).toMatchObject([
    { name: project, open_streams: 1 },
    { name: null, open_streams: 0 },
  ])
  expect(told.rows.address).toMatchObject([{ name: '203.0.113.7', open_streams: 1 }])
  const shown = await top('--once', '--by', 'key')
  expect(shown).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^processor \d+ %\nkey +calls\/s .*\n[\s\S]*\bkey_/),
  })
  expect(await top('--by', 'player')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"player" is not known'),
  })
  const closed = await run(['top', '--once'], { cwd, env: { MATCHYARD_URL: url } })
  expect(closed).toMatchObject({ code: 1, stderr: expect.stringContaining('set METRICS_TOKEN') })

  await reader?.cancel()
  await command.seen(/"msg":"stream ended"/)
  command.signal('SIGTERM')
  const { stderr } = await command.exited
  const lines: Body[] = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const who = { address: '203.0.113.7', project_id: project, key_id: expect.stringMatching(/^key_/) }
  const requests = lines.filter(({ msg }) => msg === 'request')
  expect(requests.find(({ operation }) => operation === 'lobbies.create')).toMatchObject({ ...who, bytes_in: 19 })
  expect(requests.find(({ status }) => status === 401)).not.toHaveProperty('project_id')
  expect(requests.find(({ operation }) => operation === null)).toMatchObject({ status: 404, address: '203.0.113.7' })
  expect(lines.find(({ msg }) => msg === 'stream ended')).toMatchObject({ ...who, operation: 'lobbies.events' })
  for (const secret of [key, backend, token, player]) expect(stderr).not.toContain(secret)
})
