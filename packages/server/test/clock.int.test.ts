import { join } from 'node:path'
import { createMatchyard, type Matchyard } from '@matchyard/core'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@matchyard/core/domain'
import { nodePlatform } from '@matchyard/node'
import { manualPayments } from '@matchyard/payments/manual'
import { sqliteStorage } from '@matchyard/storage-sqlite'
import { expect, test } from 'vitest'
import { run } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { goodSecret, serveEnvironment } from './harness/services'

const PASSWORD = 'correct horse battery'

/** Runs the service once on a file, with a clock that is `aheadMs` milliseconds ahead of the machine's. */
async function life<T>(
  path: string,
  secret: string,
  aheadMs: number,
  live: (m: Matchyard, later: (ms: number) => void) => Promise<T>,
) {
  let ahead = aheadMs
  const storage = sqliteStorage({ path })
  const matchyard = createMatchyard({
    ...nodePlatform({ secret, now: () => Date.now() + ahead }),
    storage,
    payments: manualPayments(),
  })
  await matchyard.open()
  try {
    return await live(matchyard, (ms) => {
      ahead += ms
    })
  } finally {
    await matchyard.stop()
  }
}

test('after a start with a clock that was 40 days ahead, one command brings everything back', async () => {
  const cwd = temporaryFolder()
  const path = join(cwd, 'data', 'matchyard.db')
  const env = serveEnvironment(cwd, { ORCHESTRATOR: 'none' })
  const secret = env.MATCHYARD_SECRET ?? goodSecret()
  const migrated = await run(['migrate'], { cwd, env })
  expect(migrated.code).toBe(0)

  const before = await life(path, secret, 0, async (matchyard) => {
    const { token, account } = await matchyard.accounts.register({
      email: 'a@b.example',
      password: PASSWORD,
      name: 'A',
    })
    await matchyard.billing.upgrade({ accountId: account.id, plan: 'pro', paymentMethodToken: 'pm_test_visa' })
    const { project } = await matchyard.projects.create({ accountId: account.id, name: 'Arena' })
    await matchyard.queues.create({
      projectId: project.id,
      queueId: 'duel',
      name: 'Duel',
      heartbeat: true,
      heartbeatTimeoutSeconds: 60,
      matchmaking: { teams: 2, playersPerTeam: 1, timeoutSeconds: 120 },
    })
    return { token, projectId: project.id, accountId: account.id }
  })

  const { projectId } = before
  const made = await life(path, secret, 40 * DAY_MS, async (matchyard) => {
    await matchyard.worker.runDueJobs()
    await expect(matchyard.access.authenticateSession(before.token)).rejects.toThrow()
    await matchyard.billing.downgrade({ accountId: before.accountId, plan: 'free' })
    const lobby = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    await matchyard.lobbies.enqueue({ projectId, lobbyId: lobby.id, playerId: 'ann' })
    await matchyard.matchmaking.runQueue(`${projectId}/duel`)
    return lobby
  })

  const refused = await run(['serve'], { cwd, env })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(
    /^matchyard: the clock says \S+, but the newest record is of \S+: .*matchyard clock --accept\n$/m,
  )
  const doctor = JSON.parse((await run(['doctor', '--json'], { cwd, env })).stdout)
  expect(doctor.checks).toContainEqual(expect.objectContaining({ name: 'stored-time', status: 'fail' }))
  expect((await run(['clock'], { cwd, env })).stdout).toMatch(/but the newest record is of/)

  const accepted = await run(['clock', '--accept'], { cwd, env })
  expect(accepted).toMatchObject({ code: 0, stderr: '' })
  expect(accepted.stdout).toMatch(/^everything after \S+ is brought back to it/)
  expect((await run(['clock', '--accept'], { cwd, env })).stdout).toMatch(/there was nothing to bring back/)

  await life(path, secret, 0, async (matchyard, later) => {
    const close = (at: number) => expect(Math.abs(at - Date.now())).toBeLessThan(5 * MINUTE_MS)
    // The earlier session has expired, and its timer has removed it. A new session works.
    const { token } = await matchyard.accounts.login({ email: 'a@b.example', password: PASSWORD })
    expect(await matchyard.access.authenticateSession(token)).toMatchObject({ accountId: before.accountId })
    const read = () => matchyard.lobbies.get({ projectId, lobbyId: made.id, backend: true })
    const lobby = await read()
    for (const at of [lobby.createdAt, lobby.updatedAt, lobby.ticket?.enteredAt ?? 0]) close(at)
    expect(await matchyard.billing.plan({ accountId: before.accountId })).toMatchObject({
      plan: 'pro',
      pendingPlan: 'free',
    })
    // The lobby that has waited since then is matched now: the lease of the earlier director does not block the queue.
    const other = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'bob' })
    close(other.createdAt)
    await matchyard.lobbies.enqueue({ projectId, lobbyId: other.id, playerId: 'bob' })
    expect(await matchyard.matchmaking.runQueue(`${projectId}/duel`)).toMatchObject({ matches: 1 })
    // Silent players are noticed again: their lobby is removed.
    const idle = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'cid' })
    later(90 * SECOND_MS)
    await matchyard.worker.runDueJobs()
    await expect(matchyard.lobbies.get({ projectId, lobbyId: idle.id, backend: true })).rejects.toThrow()
    // The pending plan starts at the end of its period, which is nearer than the clock ahead had made it seem.
    later(32 * DAY_MS)
    await matchyard.worker.runDueJobs()
    expect(await matchyard.accounts.get({ accountId: before.accountId })).toMatchObject({ plan: 'free' })
  })
})
