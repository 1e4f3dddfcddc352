import { expect, test } from 'vitest'
import { controlPlane, refusal, tally } from './service'

/** Number of rounds with 16 refreshes at once; a full proof has 10,000. */
const ROUNDS = Number(process.env.MATCHYARD_PROVE ?? 1_000)
const AT_ONCE = 16

test(`of ${AT_ONCE} refreshes at once exactly one wins, ${ROUNDS} times over`, async () => {
  const { matchyard } = await controlPlane()
  const ann = { email: 'ann@example.com', password: 'correct horse', name: 'Ann' }
  let { token } = await matchyard.accounts.register(ann)
  for (let round = 0; round < ROUNDS; round++) {
    const caller = await matchyard.access.authenticateSession(token)
    const calls = Array.from({ length: AT_ONCE }, () => matchyard.accounts.refresh(caller))
    expect(await tally(calls)).toEqual({ ok: 1, INVALID_SESSION_TOKEN: AT_ONCE - 1 })
    const old = token
    for (const call of calls) await call.then((grant) => (token = grant.token)).catch(() => undefined)
    expect(await refusal(matchyard.access.authenticateSession(old))).toBe('INVALID_SESSION_TOKEN')
  }
  expect(await matchyard.access.authenticateSession(token)).toMatchObject({ kind: 'session' })
})
