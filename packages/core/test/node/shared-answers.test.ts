import { FakeClock } from '@matchyard/testkit'
import { expect, it } from 'vitest'
import { MAX_SHARED_ANSWERS, SharedAnswers } from '../../src/node/shared-answers'

it('an answer is made once, for all who ask while it is made and for a second after', async () => {
  const clock = new FakeClock()
  const answers = new SharedAnswers<number>(clock)
  let made = 0
  let finish = (_: number) => {}
  const make = () =>
    new Promise<number>((resolve) => {
      made++
      finish = resolve
    })
  const first = answers.get('a', make)
  clock.advance(5_000)
  const second = answers.get('a', make)
  finish(7)
  expect([await first, await second, made]).toEqual([7, 7, 1])
  clock.advance(999)
  expect([await answers.get('a', make), made]).toEqual([7, 1])
  clock.advance(1)
  void answers.get('a', make)
  expect(made).toBe(2)
})

it('a failure is told and not kept', async () => {
  const answers = new SharedAnswers<number>(new FakeClock())
  await expect(answers.get('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  expect(await answers.get('a', async () => 1)).toBe(1)
})

it('no more than a bounded number of answers is kept, and none that is old once another is asked for', async () => {
  const clock = new FakeClock()
  const answers = new SharedAnswers<number>(clock)
  for (let key = 0; key < 3 * MAX_SHARED_ANSWERS; key++) await answers.get(String(key), async () => key)
  expect(answers.size).toBe(MAX_SHARED_ANSWERS)
  clock.advance(1_000)
  await answers.get('new', async () => 1)
  expect(answers.size).toBe(1)
})
