import { createMatchyard, type Matchyard } from '@matchyard/core'
import { changingTokens } from '@matchyard/core/ports'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeTokens, fakePlatform } from '@matchyard/testkit'
import { generateSync } from 'otplib/functional'
import { describe, expect, it } from 'vitest'
import { joinTokenKeyText } from '../../src/tokens/join-token-key'
import { shownSecret, signatureOf } from '../../src/webhook/signature'

const NO_FACTORS = { current: 0, other: 0, unreadable: 0 }

const CHANGE = 1_000_000
const CLAIMS = { accountId: 'acc_1', sessionId: 'ses_1', issuedAt: 1, expiresAt: 2 }

function given() {
  const [previous, next] = [new FakeTokens('old'), new FakeTokens('new')]
  const state = { at: undefined as number | undefined, now: 0 }
  const tokens = changingTokens({ next, previous, changesAt: () => state.at, now: () => state.now })
  return { previous, next, tokens, state }
}

describe('while the secret of an installation changes', () => {
  it('the previous secret signs until the instant of the change, and the new one from then on', async () => {
    const { previous, next, tokens, state } = given()
    const signsAs = async (one: FakeTokens) => {
      expect(tokens.sign('upload', 'x')).toBe(one.sign('upload', 'x'))
      expect(tokens.derive('key', 'x')).toEqual(one.derive('key', 'x'))
      expect(await tokens.issueSession(CLAIMS)).toBe(await one.issueSession(CLAIMS))
    }
    await signsAs(previous)
    state.at = CHANGE
    state.now = CHANGE - 1
    await signsAs(previous)
    state.now = CHANGE
    await signsAs(next)
  })

  it.each([
    ['before it', CHANGE - 1],
    ['after it', CHANGE],
  ])('both secrets are accepted %s, and no third one', async (_, now) => {
    const { previous, next, tokens, state } = given()
    Object.assign(state, { at: CHANGE, now })
    for (const [one, isAccepted] of [
      [previous, true],
      [next, true],
      [new FakeTokens('third'), false],
    ] as const) {
      expect(tokens.verify('upload', 'x', one.sign('upload', 'x'))).toBe(isAccepted)
      expect((await tokens.readSession(await one.issueSession(CLAIMS))) !== undefined).toBe(isAccepted)
      expect(tokens.deriveEach('key', 'x').some((key) => `${key}` === `${one.derive('key', 'x')}`)).toBe(isAccepted)
    }
  })

  it('a match keeps the key of its join tokens', () => {
    const { previous, next, tokens, state } = given()
    Object.assign(state, { at: CHANGE, now: CHANGE - 1 })
    const old = { id: 'mat_1', createdAt: CHANGE - 1 }
    const later = { id: 'mat_2', createdAt: CHANGE }
    const keys = () => [old, later].map((match) => joinTokenKeyText(tokens, match))
    const before = keys()
    state.now = CHANGE + 1
    expect(keys()).toEqual(before)
    expect(before).toEqual([joinTokenKeyText(previous, old), joinTokenKeyText(next, later)])
  })

  it('a webhook signs so that receivers with either secret accept', () => {
    const { previous, next, tokens, state } = given()
    const webhook = { id: 'whk_1', secrets: [{ seed: 'aa', until: null }] } as never
    const message = { messageId: 'msg_1', timestamp: 1, body: '{}', at: 1 }
    const alone = [previous, next].map((one) => signatureOf(one, webhook, message))
    expect(signatureOf(tokens, webhook, message).split(' ')).toEqual(alone)
    expect(shownSecret(tokens, webhook)).toBe(shownSecret(previous, webhook))
    Object.assign(state, { at: CHANGE, now: CHANGE })
    expect(signatureOf(tokens, webhook, message).split(' ')).toEqual(alone.reverse())
    expect(shownSecret(tokens, webhook)).toBe(shownSecret(next, webhook))
  })
})

describe("the secrets of projects, after the installation's secret changed", () => {
  const clock = new FakeClock()
  const at = clock.now()
  const storage = memoryStorage({ data: emptyMemoryData() })
  let seed = 0
  const serviceWith = (tokens: FakeTokens | ReturnType<typeof changingTokens>) =>
    createMatchyard({ ...fakePlatform({ clock, seed: ++seed }), storage, tokens })
  const [old, fresh] = [new FakeTokens('old'), new FakeTokens('new')]
  const both = changingTokens({ next: fresh, previous: old, changesAt: () => at, now: () => clock.now() })

  it('are encrypted anew, so that the previous secret is needed for none', async () => {
    const before = serviceWith(old)
    const { id: projectId } = await before.projects.ensure({ name: 'arena' })
    for (const name of ['A', 'B']) await before.secrets.set({ projectId, name, value: `value of ${name}` })
    const listed = await before.secrets.list({ projectId })
    const changing = serviceWith(both)
    await changing.secrets.set({ projectId, name: 'C', value: 'value of C' })
    expect(await changing.secrets.seals()).toEqual({ current: 1, other: 2, unreadable: 0, factors: NO_FACTORS })
    expect(await changing.secrets.sealAnew()).toEqual({ current: 3, other: 0, unreadable: 0, factors: NO_FACTORS })
    const after = serviceWith(fresh)
    expect(await after.secrets.seals()).toEqual({ current: 3, other: 0, unreadable: 0, factors: NO_FACTORS })
    expect(await before.secrets.seals()).toEqual({ current: 0, other: 0, unreadable: 3, factors: NO_FACTORS })
    expect((await after.secrets.list({ projectId })).slice(0, 2)).toEqual(listed)
  })

  it('that nobody can open stay as they are', async () => {
    const third = serviceWith(new FakeTokens('third'))
    expect(await third.secrets.sealAnew()).toEqual({ current: 0, other: 0, unreadable: 3, factors: NO_FACTORS })
    expect(await serviceWith(fresh).secrets.seals()).toEqual({
      current: 3,
      other: 0,
      unreadable: 0,
      factors: NO_FACTORS,
    })
  })
  it('take the second factors of accounts with them, also one that nobody can open any more', async () => {
    const storage = memoryStorage({ data: emptyMemoryData() })
    const on = (tokens: FakeTokens | ReturnType<typeof changingTokens>) =>
      createMatchyard({ ...fakePlatform({ clock, seed: ++seed }), storage, tokens })
    const before = on(old)
    const person = { email: 'ann@example.com', password: 'correct horse', name: 'Ann' }
    const { id: accountId } = await before.accounts.create(person)
    const { secret = '' } = await before.secondFactor.begin({ accountId, password: person.password })
    const code = () => generateSync({ secret, epoch: Math.floor(clock.now() / 1_000) })
    const { recoveryCodes = [] } = await before.secondFactor.activate({ accountId, code: code() })
    const login = (service: Matchyard, by: string) =>
      service.accounts.login({ email: person.email, password: person.password, code: by })
    clock.advance(60_000)
    const changing = on(both)
    expect((await changing.secrets.seals()).factors).toEqual({ current: 0, other: 1, unreadable: 0 })
    await login(changing, code())
    expect((await changing.secrets.sealAnew()).factors).toEqual({ current: 1, other: 0, unreadable: 0 })
    clock.advance(60_000)
    await login(on(fresh), code())
    const lost = on(new FakeTokens('third'))
    expect((await lost.secrets.sealAnew()).factors).toEqual({ current: 0, other: 0, unreadable: 1 })
    clock.advance(60_000)
    await expect(login(lost, code())).rejects.toMatchObject({ code: 'INVALID_LOGIN' })
    await login(lost, recoveryCodes[0] ?? '')
  })
})
