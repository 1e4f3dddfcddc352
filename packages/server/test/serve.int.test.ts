import { request } from 'node:http'
import { expect, test } from 'vitest'
import type { api, Body } from './harness/api'
import { until } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { goodSecret, OPEN_TO_ALL, startServe } from './harness/services'

/** Creates a developer with a project and both its keys. */
async function openStudio(call: ReturnType<typeof api>): Promise<{ token: string; client: string; server: string }> {
  const account = { email: 'dev@example.com', password: 'correct horse battery', name: 'Dev' }
  const { body: session } = await call('POST /v1/auth/register', { body: account })
  const { token } = session
  const upgrade = { plan: 'pro', payment_method_token: 'pm_test_visa' }
  expect((await call('POST /v1/billing/upgrade', { token, body: upgrade })).status).toBe(200)
  const { body: project } = await call('POST /v1/projects', { token, body: { name: 'Arena' } })
  const [client, server] = project.keys.map((key: Body) => key.key)
  return { token, client, server }
}

test('serve starts empty, prints nothing but its log, and each line of that is JSON', async () => {
  const { command, call } = await startServe(temporaryFolder())
  expect((await call('GET /livez')).body).toEqual({ status: 'ok' })
  expect((await call('POST /v1/auth/login', { body: { email: 'demo@matchyard.local', password: 'x' } })).status).toBe(
    401,
  )
  await call('GET /no/such/route', { headers: { 'x-request-id': 'mine-1' } })
  await command.seen(/mine-1/)
  command.signal('SIGTERM')
  const { code, stdout, stderr } = await command.exited
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  const lines: Body[] = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.filter((line) => line.msg === 'request')).toMatchObject([
    { level: 'info', operation: 'auth.login', method: 'POST', status: 401, request_id: expect.stringMatching(/^req_/) },
    { level: 'info', operation: null, method: 'GET', status: 404, request_id: 'mine-1' },
  ])
  expect(lines.map((line) => line.msg)).toContain('stopped')
})

test('/metrics wants the token, and is closed where there is none', async () => {
  const token = goodSecret()
  const open = await startServe(temporaryFolder(), { METRICS_TOKEN: token })
  expect((await open.call('GET /metrics')).body).toMatchObject({ code: 'MISSING_CREDENTIALS' })
  expect((await open.call('GET /metrics', { token: goodSecret() })).body).toMatchObject({
    code: 'INVALID_SESSION_TOKEN',
    status: 401,
  })
  const page = await open.call('GET /metrics', { token })
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toMatch(/^text\/plain/)
  expect(page.text).toMatch(/^matchyard_storage_up 1$/m)
  open.command.signal('SIGTERM')
  await open.command.exited

  const closed = await startServe(temporaryFolder())
  expect((await closed.call('GET /metrics')).status).toBe(401)
  expect((await closed.call('GET /metrics', { token })).status).toBe(401)
})

test('a shutdown says so on /readyz, finishes what is in hand, ends streams, and exits with 0', async () => {
  const { command, call, url } = await startServe(temporaryFolder(), OPEN_TO_ALL)
  const { client, server } = await openStudio(call)
  await call('POST /v1/queues', { key: server, body: { queue_id: 'duel', name: 'Duel' } })
  const lobby = await call('POST /v1/lobbies', { key: client, player: 'ann', body: { queue_id: 'duel' } })
  const stream = await fetch(`${url}/v1/lobbies/${lobby.body.lobby_id}/events`, {
    headers: { 'api-key': client, 'x-player-id': 'ann' },
  })
  const reader = stream.body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('retry:')

  const body = JSON.stringify({ queue_id: 'duel', name: 'in hand' })
  const inHand = sendSlowly(`${url}/v1/lobbies`, { 'api-key': client, 'x-player-id': 'bob' }, body)
  await inHand.halfSent
  command.signal('SIGTERM')
  const draining = await until('readyz says that the service shuts down', async () => {
    const answer = await call('GET /readyz')
    return answer.status === 503 ? answer : undefined
  })
  expect(draining.body).toMatchObject({ code: 'UNAVAILABLE', detail: 'the service is shutting down' })
  expect((await call('GET /livez')).status).toBe(200)
  let last = ''
  for (let chunk = await reader?.read(); chunk?.done === false; chunk = await reader?.read()) {
    last += new TextDecoder().decode(chunk.value)
  }
  expect(last).toMatch(/retry: \d+\n\n$/)
  inHand.finish()
  expect(await inHand.answered).toBe(201)
  expect(await command.exited).toMatchObject({ code: 0 })
})

/** Sends one half of a request at once, and the other half when the test says so. */
function sendSlowly(url: string, headers: Record<string, string>, body: string) {
  const half = Math.floor(body.length / 2)
  const sending = request(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
  })
  return {
    halfSent: new Promise<void>((resolve) => sending.write(body.slice(0, half), () => resolve())),
    finish: () => sending.end(body.slice(half)),
    answered: new Promise<number>((resolve, reject) => {
      sending.once('error', reject)
      sending.once('response', (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
    }),
  }
}
