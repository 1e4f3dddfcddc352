import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Body } from './harness/api'
import { run, until } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { startServe } from './harness/services'

const isDrained = ({ status }: Body) => status === 'drained'

test('an operator drains a machine beside the running service, and its session sees the same', async () => {
  const cwd = temporaryFolder()
  const { call } = await startServe(cwd, { NODE_ID: 'fra-1', REGIONS: 'fra', SERVER_HOST: 'play.example.com' })
  const env = { MATCHYARD_DATA: join(cwd, 'data') }
  const machines = (...args: string[]) => run(['machines', ...args], { cwd, env })
  const made = await run(['accounts', 'create', '--email', 'boss@example.com', '--operator', '--json'], { cwd, env })
  const { email, password } = JSON.parse(made.stdout)
  const { body: session } = await call('POST /v1/auth/login', { body: { email, password } })
  const { token } = session
  expect(session.account).toMatchObject({ operator: true })
  const listed = () => call('GET /v1/machines', { token })
  await until('a machine', async () => (await listed()).body.machines[0])

  expect((await machines('list')).stdout).toMatch(
    /^machine {2}kind {2}status {2}servers {2}regions {2}last report\nfra-1 {4}node {2}ready {3}0 {8}fra {6}\d{4}-.*Z\n$/,
  )
  const shown = JSON.parse((await machines('show', 'fra-1', '--json')).stdout)
  const [{ load, last_seen_at: _, ...told }] = (await listed()).body.machines
  expect(load).toEqual({ cpu_percent: expect.any(Number), memory_mb: expect.any(Number) })
  expect(shown).toMatchObject({ ...told, status: 'ready', host: 'play.example.com', version: expect.any(String) })
  const page = (await machines('show', 'fra-1')).stdout
  expect(page).toMatch(/^load +load average \d+ % of the CPUs, \d+ MB of memory in use$/m)
  expect(page).toMatch(/^host +play\.example\.com$/m)
  expect(page).toMatch(/^peer_url +none: other nodes cannot read the logs of running servers \(PEER_URL\)$/m)

  expect((await machines('cordon', 'fra-1')).stdout).toBe('fra-1 is cordoned\n')
  expect((await listed()).body.machines).toMatchObject([{ status: 'cordoned' }])
  expect((await machines('drain', 'fra-1', '--deadline', '30m')).stdout).toMatch(
    /^fra-1 is draining; remaining game servers are stopped at \d{4}-.*Z\n$/,
  )
  await until('the end of the drain', async () => (await listed()).body.machines.find(isDrained))
  expect((await machines('uncordon', 'fra-1')).stdout).toBe('fra-1 is ready\n')

  expect(await machines('drain', 'fra-1', '--deadline', 'soon')).toMatchObject({
    code: 1,
    stderr: 'matchyard: --deadline: "soon" is no duration; give for example 90s, 30m or 2h\n',
  })
  expect((await machines('remove', 'fra-1')).stderr).toMatch(/still reports itself/)
  expect((await machines('cordon', 'fra-2')).stderr).toMatch(/there is no machine "fra-2"/)
})

test('an operator makes, replaces and revokes the token of an agent, which is printed once', async () => {
  const cwd = temporaryFolder()
  const { command } = await startServe(cwd, { LOG_LEVEL: 'debug' })
  const machines = (...args: string[]) =>
    run(['machines', ...args], { cwd, env: { MATCHYARD_DATA: join(cwd, 'data') } })

  const made = await machines('token', 'ams-1')
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.stdout).toMatch(/^machine_id {2}ams-1\ntoken {7}mt_live_\w{36}\n\nThe token cannot be shown again\.\n$/)
  const again = await machines('token', '--name', 'ams-1')
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toMatch(/^matchyard: machine ams-1 already has a token; with `replace`, a new token replaces it/)
  const replaced = await machines('token', '--name', 'ams-1', '--replace')
  expect(replaced.stdout).toMatch(/token {7}mt_live_.*\n\nThe token cannot .* An earlier token of the machine does not/)
  expect((await machines('token')).stderr).toBe('matchyard: name the machine: machines token fra-1\n')

  const listed = await machines('list')
  expect(listed.stdout).toMatch(/^ams-1 +agent {2}never connected {2}0 +none +none$/m)
  expect((await machines('revoke', 'ams-1')).stdout).toBe('ams-1 has no token\n')
  const shown = await machines('show', 'ams-1', '--json')
  expect(JSON.parse(shown.stdout)).toMatchObject({ kind: 'agent', status: 'lost', has_token: false })
  expect(listed.stdout + shown.stdout + command.stdout + command.stderr).not.toContain('mt_live_')
})
