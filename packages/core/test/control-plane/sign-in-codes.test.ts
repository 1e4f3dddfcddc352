import type { HashTurn } from '@matchyard/core/ports'
import { FakePasswords } from '@matchyard/testkit'
import { expect, test } from 'vitest'
import { controlPlane } from './service'

const MINUTE = 60_000
const ann = { email: 'ann@example.com', password: 'correct horse', name: 'Ann' }

test('a code that an operator draws is good once, for ten minutes, and only its hash is kept', async () => {
  const { matchyard, clock, storage } = await controlPlane()
  const { accounts } = matchyard
  const { id: accountId } = await accounts.create(ann)
  const first = await accounts.drawSignInCode({ accountId })
  expect(first.expiresAt).toBe(clock.now() + 10 * MINUTE)
  const secret = first.code.split('.')[1] ?? ''
  expect(secret).toHaveLength(43)
  expect(JSON.stringify(await storage.get('account', accountId))).not.toContain(secret)
  expect(await accounts.useSignInCode({ code: first.code })).toBe(accountId)
  expect(await accounts.useSignInCode({ code: first.code })).toBeUndefined()

  const [second, third] = [await accounts.drawSignInCode({ accountId }), await accounts.drawSignInCode({ accountId })]
  expect(await accounts.useSignInCode({ code: second.code })).toBeUndefined()
  expect(await accounts.useSignInCode({ code: third.code, by: 'call' })).toBe(accountId)
  // A repetition under the same name is the same use; another caller is refused.
  expect(await accounts.useSignInCode({ code: third.code, by: 'call' })).toBe(accountId)
  expect(await accounts.useSignInCode({ code: third.code, by: 'other' })).toBeUndefined()
  expect(await accounts.useSignInCode({ code: third.code })).toBeUndefined()

  const late = await accounts.drawSignInCode({ accountId })
  clock.advance(10 * MINUTE)
  expect(await accounts.useSignInCode({ code: late.code })).toBeUndefined()
})

test('of many uses of one code at once exactly one signs in', async () => {
  const { accounts } = (await controlPlane()).matchyard
  const { id: accountId } = await accounts.create(ann)
  const { code } = await accounts.drawSignInCode({ accountId })
  const uses = await Promise.all(Array.from({ length: 8 }, () => accounts.useSignInCode({ code })))
  expect(uses.filter((used) => used !== undefined)).toEqual([accountId])
})

test('another password and disabling end a code; what can be none is none', async () => {
  const { accounts } = (await controlPlane()).matchyard
  const { id: accountId } = await accounts.create(ann)
  const { code } = await accounts.drawSignInCode({ accountId })
  await accounts.setPassword({ accountId, password: 'another one' })
  expect(await accounts.useSignInCode({ code })).toBeUndefined()
  const next = await accounts.drawSignInCode({ accountId })
  await accounts.disable({ accountId })
  await accounts.enable({ accountId })
  const others = [next.code, '', 'acc_none', `${accountId}.`, `acc_none.${'x'.repeat(43)}`, 'x'.repeat(128)]
  for (const other of others) expect(await accounts.useSignInCode({ code: other })).toBeUndefined()
})

test('hashes wait in the line of their kind, known and unknown accounts in the same one', async () => {
  const turns: (HashTurn | undefined)[] = []
  class Watched extends FakePasswords {
    override hash(password: string, turn?: HashTurn) {
      turns.push(turn)
      return super.hash(password)
    }
    override verify(hash: string, password: string, turn?: HashTurn) {
      turns.push(turn)
      return super.verify(hash, password)
    }
    override verifyNothing(password: string, turn?: HashTurn) {
      turns.push(turn)
      return super.verifyNothing(password)
    }
  }
  const { accounts } = (await controlPlane({ passwords: new Watched() })).matchyard
  const from = { address: '192.0.2.1' }
  const { account } = await accounts.register(ann, { from })
  await accounts.login(ann, { from })
  await accounts.login({ ...ann, email: 'no@example.com' }, { from }).catch(() => {})
  await accounts.login(ann, { from: { ...from, isReturning: true } })
  await accounts.setPassword({ accountId: account.id, password: 'another one' })
  expect(turns).toEqual([
    { line: 'registration', from: '192.0.2.1' },
    { line: 'sign-in', from: '192.0.2.1' },
    { line: 'sign-in', from: '192.0.2.1' },
    { line: 'returning', from: '192.0.2.1' },
    undefined,
  ])
})
