import { memoryStorage } from '@matchyard/storage-memory'
import { FakeLogger } from '@matchyard/testkit'
import { expect, it } from 'vitest'
import { PresenceTracker } from '../../src/node/presence-tracker'

it('sightings are remembered for a quarter of a second, however many players come and go', async () => {
  const storage = memoryStorage()
  const presence = new PresenceTracker(storage, new FakeLogger())
  for (let at = 0; at < 10_000; at++) await presence.touch(`lob_${at}`, 'ann', at)
  expect(presence.remembered).toBeLessThanOrEqual(250)
})

it('two sightings of a player within a quarter of a second are one write, and the next one is another', async () => {
  const storage = memoryStorage()
  const writes: number[] = []
  const noting = {
    ...storage,
    presence: {
      ...storage.presence,
      touch: async (entries: Parameters<typeof storage.presence.touch>[0]) => void writes.push(entries[0]?.at ?? -1),
    },
  }
  const presence = new PresenceTracker(noting, new FakeLogger())
  for (const at of [0, 100, 249, 250, 300, 501]) await presence.touch('lob_a', 'ann', at)
  expect(writes).toEqual([0, 250, 501])
})
