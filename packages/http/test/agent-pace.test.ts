import type { ServiceError } from '@matchyard/core'
import { FakeClock } from '@matchyard/testkit'
import { expect, test } from 'vitest'
import { MAX_BODY_SIGNS } from '../src/agents/few-values'
import { AGENT_PACE, Pace } from '../src/agents/pace'
import { startService } from './harness/service'

const { burstBytes, bytesPerSecond, leastBytes } = AGENT_PACE

/** Starts a service with a machine, whose batches belong to no stream. */
async function start() {
  const service = await startService()
  const { token } = await service.matchyard.machines.mintToken({ name: 'fra-1' })
  const post = (body: unknown) => service.call('POST /v1/machine/observed', { token: token ?? '', body })
  return { service, post }
}
const batch = (value: unknown) => ({ session: 'ses_1', number: 1, answers: [{ number: 1, value }], hints: [] })

test('batches of a machine past its pace are refused, and its body is not read', async () => {
  const { service, post } = await start()
  const large = batch('x'.repeat(4 * 1024 * 1024))
  const taken = 'no node that can be reached has the stream of this machine; open the stream again'
  for (let sent = 0; sent < 4; sent++) expect((await post(large)).body.detail).toBe(taken)
  const refused = await post({ wrong: 'field' })
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '1'])
  expect(refused.body.detail).toMatch(/this machine sends more than 2097152 bytes a second/)
  service.clock.advance(1_000)
  expect((await post(batch(null))).body.detail).toBe(taken)
})

test('each machine has a pace of its own, and small batches count as 4 KiB', () => {
  const clock = new FakeClock()
  const pace = new Pace(clock)
  const count = burstBytes / leastBytes
  for (let sent = 0; sent < count; sent++) {
    pace.require('fra-1')
    pace.charge('fra-1', 1)
  }
  expect(() => pace.require('fra-1')).toThrow(/try again in 1 s/)
  pace.require('fra-2')
  pace.charge('fra-1', 3 * bytesPerSecond)
  expect(refusalOf(() => pace.require('fra-1')).retryAfterSeconds).toBe(4)
  clock.advance(3_000)
  expect(() => pace.require('fra-1')).toThrow(/try again in 1 s/)
  clock.advance(1)
  pace.require('fra-1')
})

test('at most 1,000 machines with their whole credit are remembered', () => {
  const clock = new FakeClock()
  const pace = new Pace(clock)
  for (let machine = 0; machine < 1_500; machine++) {
    pace.charge(`m-${machine}`, 1)
    clock.advance(10)
  }
  expect(pace.size).toBeLessThanOrEqual(1_000)
})

test('a batch of many small values is refused before it is parsed', async () => {
  const { post } = await start()
  const refused = await post(batch(Array.from({ length: MAX_BODY_SIGNS / 2 }, () => ({}))))
  expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_FAILED'])
  expect(refused.body.detail).toMatch(/has more than 200000 commas and opening brackets/)
  expect((await post(batch('{,'.repeat(MAX_BODY_SIGNS / 4)))).body.code).toBe('UNAVAILABLE')
})

function refusalOf(work: () => void): ServiceError {
  try {
    work()
  } catch (error) {
    return error as ServiceError
  }
  throw new Error('nothing was refused')
}
