import { nodePlatform } from '@matchyard/node'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeLogger } from '@matchyard/testkit'
import { expect, test, vi } from 'vitest'
import { ConfigurationError } from '../src/config/configuration-error'
import { acceptSecret, changeSecret, checkSecret, compareSecret } from '../src/service/check-secret'
import { FollowedSecret } from '../src/service/followed-secret'
import { run } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { goodSecret, serveEnvironment, startServe } from './harness/services'

const logger = new FakeLogger()
const nodeWith = (storage = memoryStorage(), secret = goodSecret()) => ({
  storage,
  logger,
  tokens: nodePlatform({ secret }).tokens,
})

test('the first start decides which secret it is, and a node with another one is refused', async () => {
  const first = nodeWith()
  const second = nodeWith(first.storage)
  expect(await compareSecret(first)).toBe('unknown')
  await checkSecret(first)
  await checkSecret(first)
  await expect(checkSecret(second)).rejects.toThrow(ConfigurationError)
  await expect(checkSecret(second)).rejects.toThrow(/^MATCHYARD_SECRET: .*matchyard secret --accept$/)
  expect(await compareSecret(first)).toBe('same')
})

test('of two first starts at once with two secrets one is refused', async () => {
  const storage = memoryStorage()
  const starts = await Promise.allSettled([checkSecret(nodeWith(storage)), checkSecret(nodeWith(storage))])
  expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('a secret that was accepted is the only one from then on', async () => {
  const before = nodeWith()
  const after = nodeWith(before.storage)
  await checkSecret(before)
  expect(await acceptSecret(after)).toBe(true)
  await checkSecret(after)
  await expect(checkSecret(before)).rejects.toThrow(/MATCHYARD_SECRET/)
})

test('a previous secret must be the one before the secret', async () => {
  const before = nodeWith()
  const after = nodeWith(before.storage)
  await checkSecret(before)
  const changing = { ...after, previous: before.tokens }
  expect(await compareSecret(changing)).toBe('next')
  expect(await checkSecret(changing)).toBeUndefined()
  expect(await compareSecret({ ...before, previous: after.tokens })).toBe('stale')
  expect(await changeSecret(changing, 2_000)).toBe(2_000)
  expect(await changeSecret(changing, 3_000)).toBe(2_000)
  expect(await changeSecret(changing, 1_000)).toBe(1_000)
  expect(await checkSecret(changing)).toBe(1_000)
  expect(await checkSecret(after)).toBe(1_000)
  const stale = { ...after, previous: nodeWith().tokens }
  await expect(checkSecret(stale)).rejects.toThrow(/^MATCHYARD_SECRET_PREVIOUS: .* unset it/)
  await expect(changeSecret(stale, 1)).rejects.toThrow(/^MATCHYARD_SECRET_PREVIOUS: /)
  await expect(changeSecret({ ...stale, tokens: nodeWith().tokens }, 1)).rejects.toThrow(/^MATCHYARD_SECRET: /)
})

test('a node that waits for the change learns of it, and a node without the new secret logs an error', async () => {
  const clock = new FakeClock()
  const before = nodeWith()
  const after = { ...nodeWith(before.storage), previous: before.tokens }
  const [waiting, forgotten] = [after, before].map(
    (node) => new FollowedSecret({ ...node, timers: clock, now: () => clock.now() }),
  )
  for (const node of [forgotten, waiting]) {
    await node?.check()
    node?.follow()
  }
  const at = clock.now() + 30_000
  await changeSecret(after, at)
  clock.advance(5_000)
  await vi.waitFor(() => expect(waiting?.changesAt()).toBe(at))
  clock.advance(55_000)
  await vi.waitFor(() =>
    expect(logger.lines).toContainEqual(
      expect.objectContaining({ level: 'error', message: expect.stringMatching(/restart the node with it$/) }),
    ),
  )
  for (const node of [waiting, forgotten]) node?.stop()
})

test('what is kept is neither the secret nor of an instant', async () => {
  const secret = goodSecret()
  const { storage, ...node } = nodeWith(memoryStorage(), secret)
  await checkSecret({ storage, ...node })
  expect(JSON.stringify(await storage.get('installation', 'secret'))).not.toContain(secret)
  expect(await storage.newestInstant()).toBe(0)
})

test('whoever draws the secret goes on with a new one, and says so', async () => {
  const before = nodeWith()
  await checkSecret(before)
  const after = nodeWith(before.storage)
  await checkSecret({ ...after, otherSecret: 'warn' })
  expect(logger.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', message: expect.stringMatching(/^another secret/) }),
  )
  await checkSecret(after)
})

test('serve with another secret is refused in one line; `secret --accept` is the way to it', async () => {
  const cwd = temporaryFolder()
  const first = await startServe(cwd, { ORCHESTRATOR: 'none' })
  first.command.signal('SIGTERM')
  expect((await first.command.exited).code).toBe(0)
  const env = serveEnvironment(cwd, { ORCHESTRATOR: 'none', MATCHYARD_SECRET: goodSecret() })
  const refused = await run(['serve'], { cwd, env })
  expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^matchyard: MATCHYARD_SECRET: .*matchyard secret --accept$/m)
  expect((await run(['secret'], { cwd, env })).stdout).toMatch(/is not the secret/)
  expect(await run(['secret', '--accept'], { cwd, env })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/with no other\nWhat is lost with the earlier secret:\n(- .*\n){4}$/),
  })
  expect((await run(['secret'], { cwd, env })).stdout).toMatch(/is the secret of this database/)
  const second = await startServe(cwd, env)
  expect((await second.call('GET /readyz')).status).toBe(200)
})
