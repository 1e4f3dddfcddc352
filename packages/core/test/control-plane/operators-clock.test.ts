import { createMatchyard } from '@matchyard/core'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FAKE_START, fakePlatform } from '@matchyard/testkit'
import { describe, expect, test } from 'vitest'
import type { Account } from '../../src/account/account'
import { liveSession } from '../../src/account/decide'
import { refusal } from './service'

const ann = { email: 'ann@example.com', password: 'correct horse' }

/** Returns a service and an operator's command on one storage; the operator's clock is ahead by `aheadMs`. */
async function besideEachOther(aheadMs: number) {
  const data = emptyMemoryData()
  const make = (seed: number, startAt: number) =>
    createMatchyard({ ...fakePlatform({ seed, startAt, secret: 'one' }), storage: memoryStorage({ data }) })
  const service = make(1, FAKE_START)
  await service.open()
  const operator = make(2, FAKE_START + aheadMs)
  const { id: accountId } = await service.accounts.create({ ...ann, name: 'Ann' })
  return { service, operator, accountId }
}

describe('an operator whose clock is another', () => {
  test.each([120_000, -120_000])('by %i ms ends the sessions that there are, and none that follows', async (ahead) => {
    const { service, operator, accountId } = await besideEachOther(ahead)
    const { token: before } = await service.accounts.login(ann)
    await operator.accounts.setPassword({ accountId, password: 'another horse' })
    expect(await refusal(service.access.authenticateSession(before))).toBe('INVALID_SESSION_TOKEN')
    const again = { ...ann, password: 'another horse' }
    const { token } = await service.accounts.login(again)
    const session = await service.access.authenticateSession(token)
    const { token: refreshed } = await service.accounts.refresh(session)
    expect((await service.access.authenticateSession(refreshed)).kind).toBe('session')

    await operator.accounts.disable({ accountId })
    await operator.accounts.enable({ accountId })
    expect(await refusal(service.access.authenticateSession(refreshed))).toBe('INVALID_SESSION_TOKEN')
    expect((await service.access.authenticateSession((await service.accounts.login(again)).token)).kind).toBe('session')
  })
})

describe('a session from before its account counted', () => {
  const session = { id: 'ses_1', version: 1, accountId: 'acc_1', createdAt: 500, expiresAt: 1_000, ended: null }
  const account = (fields: Partial<Account>) => fields as Account
  const isLive = (fields: Partial<Account>) => liveSession(session, 600, account(fields)).ok

  test('lives on, unless it was ended then or is ended now', () => {
    expect(isLive({})).toBe(true)
    expect(isLive({ sessionsEndedAt: 499 })).toBe(true)
    expect(isLive({ sessionsEndedAt: 500 })).toBe(false)
    // The operator's clock was behind.
    expect(isLive({ sessionsEndedAt: 400, sessionEpoch: 1 })).toBe(false)
    expect(liveSession({ ...session, sessionEpoch: 0 }, 600, account({ sessionsEndedAt: 900 })).ok).toBe(true)
  })
})
