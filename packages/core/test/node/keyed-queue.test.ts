import { expect, test } from 'vitest'
import { KeyedQueue } from '../../src/node/keyed-queue'

test('of one key one piece of work is under way, in the order of asking, and a failure holds nothing up', async () => {
  const turns = new KeyedQueue()
  const seen: string[] = []
  const work = (name: string) => async () => {
    seen.push(`${name} begins`)
    await Promise.resolve()
    seen.push(`${name} ends`)
    if (name === 'b') throw new Error('b')
    return name
  }
  const results = Promise.allSettled([turns.run('x', work('a')), turns.run('x', work('b')), turns.run('x', work('c'))])
  expect(turns.isBusy('x')).toBe(true)
  expect(turns.isBusy('y')).toBe(false)
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(seen).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]))
  expect(turns.isBusy('x')).toBe(false)
})
