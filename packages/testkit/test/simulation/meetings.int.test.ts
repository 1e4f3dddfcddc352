import type { JsonObject } from '@matchyard/core'
import type { Storage, Write } from '@matchyard/core/ports'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { expect, it } from 'vitest'
import { type SimulationOptions, simulate } from '../../src/simulation/index'
import { keepInvariants, MEETINGS } from './worlds'

/** Worlds in which players search again and again in queues that keep former opponents and avoided players apart. */
keepInvariants(
  [
    { name: 'one node, of meetings', nodes: 1, faults: false, often: MEETINGS, steps: 100 },
    { name: 'two nodes that fail, of meetings', nodes: 2, faults: true, often: MEETINGS, steps: 100 },
  ],
  20,
)

const OPTIONS: Omit<SimulationOptions, 'seed'> = {
  nodes: 1,
  steps: 100,
  often: MEETINGS,
  faults: false,
  shrinkTries: 0,
}

/** Returns the invariant that the first wrong run violates with such a storage. */
async function foundWith(spoil: (storage: Storage) => Partial<Storage>): Promise<string | undefined> {
  const store = () => {
    const data = emptyMemoryData()
    return (): Storage => {
      const storage = memoryStorage({ data })
      return { ...storage, ...spoil(storage) }
    }
  }
  for (let seed = 1; seed <= 60; seed++) {
    const { failure } = await simulate({ ...OPTIONS, seed, store })
    if (failure !== undefined) return failure.invariant
  }
  return undefined
}

it('a store that finds no matches of a player is found', { timeout: 300_000 }, async () => {
  const found = await foundWith(({ matches }) => ({
    matches: { ...matches, list: async (query) => (query.playerId === undefined ? matches.list(query) : []) },
  }))
  expect(found).toBe('nobodyMeetsARecentOpponent')
})

it('a store that loses the lists of players to avoid is found', { timeout: 300_000 }, async () => {
  const without = <T extends { readonly state: JsonObject }>(player: T): T => ({ ...player, state: rest(player.state) })
  const rest = ({ avoid: _, ...state }: JsonObject) => state
  const spoiled = (write: Write): Write =>
    'put' in write && write.kind === 'ticket'
      ? { ...write, put: { ...write.put, players: write.put.players.map(without) } }
      : write
  const found = await foundWith(({ commit }) => ({
    commit: (change) => commit({ ...change, writes: change.writes.map(spoiled) }),
  }))
  // The invariant that compares a ticket with its lobby comes first.
  expect(['aQueuedLobbyHasItsTicket', 'nobodyMeetsAnAvoidedPlayer']).toContain(found)
})
