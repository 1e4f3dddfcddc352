import { EXECUTABLE_PATH, packGameServer } from '@matchyard/example-game-server'
import { expect, it } from 'vitest'

it('packs the same sources to the same bytes', async () => {
  const [one, two] = [await packGameServer(), await packGameServer()]
  expect(one.equals(two)).toBe(true)
  expect(one.subarray(0, 2).toString()).toBe('PK')
})

it('packs the executable at the root and what it imports beside it', async () => {
  const names = [...(await packGameServer()).toString('latin1').matchAll(/[a-z/-]+\.mjs/g)].map(([name]) => name)
  expect(new Set(names)).toContain(EXECUTABLE_PATH)
  expect(new Set(names)).toContain('lib/players.mjs')
})
