import { expect, it } from 'vitest'
import { SharedLook } from '../../src/process/shared-look'

it('of any number of asks one look is under way, and each gets one that began after it asked', async () => {
  const begun: ((answer: number) => void)[] = []
  const look = new SharedLook(() => new Promise<number>((resolve) => begun.push(resolve)))
  const first = look.ask()
  const later = Array.from({ length: 100 }, () => look.ask())
  expect(begun).toHaveLength(1)
  begun[0]?.(1)
  expect(await first).toBe(1)
  await new Promise(setImmediate)
  expect(begun).toHaveLength(2)
  begun[1]?.(2)
  expect(new Set(await Promise.all(later))).toEqual(new Set([2]))
})

it('one that fails is told to those who share it, and the next one is made all the same', async () => {
  let looks = 0
  const look = new SharedLook(async () => {
    if (++looks === 1) throw new Error('once')
    return looks
  })
  const [first, second] = await Promise.allSettled([look.ask(), look.ask()])
  expect([first?.status, second?.status]).toEqual(['rejected', 'fulfilled'])
  expect(await look.ask()).toBe(3)
})
