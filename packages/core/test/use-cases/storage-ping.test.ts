import { createMatchyard } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { fakePlatform } from '@matchyard/testkit'
import { expect, test } from 'vitest'

/** Returns a service whose storage answers its first pings with these functions in turn, and further ones at once. */
function asked(answers: readonly (() => Promise<void>)[]) {
  const platform = fakePlatform()
  let questions = 0
  const storage = { ...memoryStorage(), ping: () => (answers[questions++] ?? (async () => {}))() }
  const matchyard = createMatchyard({ storage, ...platform })
  return { clock: platform.clock, matchyard, questions: () => questions }
}

test('however many ask, the storage is asked once at a time, and once a second while it is well', async () => {
  let answer = () => {}
  const first = new Promise<void>((resolve) => {
    answer = resolve
  })
  const { clock, matchyard, questions } = asked([() => first])
  const all = Array.from({ length: 1_000 }, () => matchyard.ping())
  expect(questions()).toBe(1)
  answer()
  await Promise.all(all)
  clock.advance(999)
  await matchyard.ping()
  expect(questions()).toBe(1)
  clock.advance(1)
  await matchyard.ping()
  expect(questions()).toBe(2)
})

test('a refusal is told to all who asked, and is asked about again by the next one', async () => {
  const full = new Error('the disk is full')
  const { matchyard, questions } = asked([() => Promise.reject(full)])
  const answers = await Promise.allSettled([matchyard.ping(), matchyard.ping()])
  expect(answers.map((one) => one.status === 'rejected' && one.reason)).toEqual([full, full])
  await matchyard.ping()
  expect(questions()).toBe(2)
})
