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

/** Returns a tracker, and the numbers of entries and scopes of the storage calls that it makes. */
function counting() {
  const storage = memoryStorage()
  const [writes, reads]: [number[], number[]] = [[], []]
  const { presence } = storage
  const noting = {
    ...storage,
    presence: {
      ...presence,
      touch(entries: Parameters<typeof presence.touch>[0]) {
        writes.push(entries.length)
        return presence.touch(entries)
      },
      readMany(scopes: readonly string[]) {
        reads.push(scopes.length)
        return presence.readMany(scopes)
      },
    },
  }
  return { tracker: new PresenceTracker(noting, new FakeLogger()), writes, reads }
}

it('heard players are at most a hundred thousand between two writes', async () => {
  const { tracker, writes } = counting()
  for (let n = 0; n < 100_001; n++) tracker.heard('prj_a', `player ${n}`, 0)
  await tracker.sweep(999)
  expect(writes).toEqual([])
  await tracker.sweep(1_000)
  expect(writes).toEqual(Array(100).fill(1_000))
  tracker.heard('prj_a', 'late', 1_000)
  expect(tracker.nextSweepAt()).toBe(2_000)
})

it('heard players are read a thousand at a time, those not yet written too', async () => {
  const { tracker, reads } = counting()
  const players = Array.from({ length: 1_001 }, (_, n) => `player ${n}`)
  for (const player of players) tracker.heard('prj_a', player, 5)
  await tracker.sweep(2_000)
  tracker.heard('prj_a', 'player 0', 2_500)
  const heard = await tracker.lastHeard('prj_a', [...players, 'silent'])
  expect(reads).toEqual([1_000, 2])
  const at = (playerId: string) => heard.get(playerId)?.at
  expect([heard.size, at('player 0'), at('player 1000'), at('silent')]).toEqual([1_001, 2_500, 5, undefined])
})
