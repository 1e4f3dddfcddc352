import type { JobSpec, Storage } from '@matchyard/core/ports'
import { expect, test } from 'vitest'
import { jobs } from '../../src/commit/jobs'
import { controlPlane } from '../control-plane/service'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Adds a job before its time, as after a corrected clock or a moved deadline. */
const bring = (storage: Storage, early: JobSpec) =>
  storage.commit({ id: `early ${early.id}`, at: 1, checks: [], writes: [], counters: [], events: [], jobs: [early] })

test('a session whose row is looked at too early is forgotten at its time', async () => {
  const { account, matchyard, storage, clock, settle } = await controlPlane()
  const { accountId, token } = await account()
  const { sessionId } = await matchyard.access.authenticateSession(token)
  await bring(storage, jobs.forgetSession({ id: sessionId, accountId }, 0))
  await settle()
  expect(await storage.get('session', sessionId)).toBeDefined()
  clock.advance(7 * DAY)
  await settle()
  expect(await storage.get('session', sessionId)).toBeUndefined()
})

test('an upload that is looked at too early still expires', async () => {
  const { project, matchyard, storage, clock, settle } = await controlPlane()
  const { projectId, accountId } = await project()
  const { build } = await matchyard.builds.createUpload({ projectId, name: 'arena', executablePath: 'x' })
  await bring(storage, jobs.expireUpload({ id: build.id, accountId }, 0))
  await settle()
  expect(await storage.get('build', build.id)).toMatchObject({ status: 'uploading' })
  clock.advance(15 * MINUTE)
  await settle()
  expect(await storage.get('build', build.id)).toMatchObject({ status: 'failed' })
})

test('a period that is looked at too early still ends', async () => {
  const { account, matchyard, storage, clock, settle } = await controlPlane()
  const { accountId } = await account('pro')
  await matchyard.billing.downgrade({ accountId, plan: 'free' })
  await bring(storage, jobs.endPeriod(accountId, 0))
  await settle()
  expect(await storage.get('account', accountId)).toMatchObject({ plan: 'pro' })
  clock.advance(32 * DAY)
  await settle()
  expect(await storage.get('account', accountId)).toMatchObject({ plan: 'free' })
})

test('a match that is looked at too early still ends where nobody assigns a server', async () => {
  const { project, matchyard, storage, clock, settle } = await controlPlane()
  const { projectId, accountId } = await project()
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', serverSettings: { source: 'external' } })
  const lobby = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
  const on = { projectId, lobbyId: lobby.id, playerId: 'ann' }
  const { matchId } = await matchyard.lobbies.start(on)
  await bring(storage, jobs.expireAssignment({ id: matchId ?? '', accountId }, 0))
  await settle()
  expect(await matchyard.lobbies.get({ ...on, backend: false })).toMatchObject({ status: 'starting' })
  clock.advance(5 * MINUTE)
  await settle()
  expect(await matchyard.lobbies.get({ ...on, backend: false })).toMatchObject({
    status: 'waiting',
    lastExit: { reason: 'no_room' },
  })
})
