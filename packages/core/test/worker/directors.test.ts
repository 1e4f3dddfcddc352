import { expect, it } from 'vitest'
import { Directors, MAX_RESTING_DIRECTORS } from '../../src/director/directors'
import type { Service } from '../../src/node/service'

it('directors of queues in which nobody waits are kept up to a bound, the longest at rest go first', () => {
  const directors = new Directors({} as Service)
  const keys = Array.from({ length: MAX_RESTING_DIRECTORS + 10 }, (_, index) => `prj_a/queue_${index}`)
  for (const key of keys) directors.of(key)
  const busy = new Set(keys.slice(0, 3))
  expect(directors.forgetResting((key) => busy.has(key))).toEqual(keys.slice(3, 10))
  expect(directors.byQueue.size).toBe(MAX_RESTING_DIRECTORS + 3)
  expect(directors.forgetResting((key) => busy.has(key))).toEqual([])
})
