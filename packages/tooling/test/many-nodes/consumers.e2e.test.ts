import { type ConsumedMessage, createMatchyard, type Matchyard } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { FakeClock, fakePlatform } from '@matchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STORES, type Store } from './stores'

const QUARTER_MS = 91 * 86_400_000

describe.each(STORES)('a consumer on two nodes on %s', (_, open) => {
  const clock = new FakeClock()
  let store: Store
  let storage: Storage
  let nodes: readonly [Matchyard, Matchyard]
  let projectId = ''
  let players = 0
  beforeAll(async () => {
    store = await open()
    const node = async (seed: number) => {
      storage = store.handle()
      const matchyard = createMatchyard({ ...fakePlatform({ clock, seed }), storage, nodeId: `node_${seed}` })
      await matchyard.open()
      return matchyard
    }
    nodes = [await node(1), await node(2)]
    projectId = (await nodes[0].projects.ensure({ name: 'arena' })).id
    const matchmaking = { teams: 1, playersPerTeam: 1 }
    await nodes[0].queues.create({ projectId, queueId: 'solo', name: 'Solo', matchmaking })
  }, 120_000)
  afterAll(async () => {
    for (const node of nodes) await node.stop()
    await store.end()
  })

  /** Makes matches of one player that run. Returns their ids. */
  const play = async (count: number): Promise<string[]> => {
    const ids: string[] = []
    for (let n = 0; n < count; n++) {
      const playerId = `player_${players++}`
      const { id: lobbyId } = await nodes[0].lobbies.create({ projectId, queueId: 'solo', playerId })
      await nodes[0].lobbies.enqueue({ projectId, lobbyId, playerId })
      await nodes[0].matchmaking.runQueue(`${projectId}/solo`)
      await runAll()
      const current = await nodes[0].matches.current({ projectId, playerId })
      ids.push(current?.match.id ?? 'no match')
    }
    return ids
  }
  const runAll = async () => {
    while ((await nodes[0].worker.runDueJobs()) + (await nodes[1].worker.runDueJobs()) > 0);
  }
  const due = async () => (await storage.metrics(clock.now())).jobsDue.map(({ kind }) => kind)

  it('that is removed and added again while matches end gets only later events, and leaves no job', async () => {
    const table = { projectId, name: 'table', types: ['match.result', 'match.ended'] } as const
    const first = await nodes[0].consume(table, () => {})
    first.stop()
    const ids = await play(8)
    for (const matchId of ids)
      await nodes[0].matches.result({ projectId, matchId, teams: [{ name: 'team_1', rank: 1 }] })
    const seen: ConsumedMessage[] = []
    const again = async () => {
      await nodes[1].removeConsumer(table)
      return nodes[1].consume(table, (message) => void seen.push(message))
    }
    const end = (matchIds: readonly string[]) =>
      Promise.all(matchIds.map((matchId) => nodes[0].matches.end({ projectId, matchId })))
    // Half of the matches end at any time during the removal, the other half after the consumer was added again.
    const [during, after] = [ids.slice(0, 4), ids.slice(4)]
    const added = again()
    const [second] = await Promise.all([added, end(during), added.then(() => end(after)), nodes[0].worker.runDueJobs()])
    await runAll()
    expect(seen.map(({ type }) => type)).toEqual(seen.map(() => 'match.ended'))
    expect(seen.map(({ matchId }) => matchId)).toEqual(expect.arrayContaining(after))
    expect(await due()).toEqual([])
    // The consumer that was added again gets the next events.
    const [later = ''] = await play(1)
    await nodes[0].matches.end({ projectId, matchId: later })
    await runAll()
    expect(seen.at(-1)).toMatchObject({ matchId: later, type: 'match.ended' })
    second.stop()
    await nodes[1].removeConsumer(table)
    await runAll()
  })

  it('that no node handles leaves no job when its matches are pruned', async () => {
    const table = { projectId, name: 'unread' }
    const consumer = await nodes[0].consume(table, () => {})
    consumer.stop()
    for (const matchId of await play(3)) await nodes[0].matches.end({ projectId, matchId })
    expect(await due()).toContain(`consume:${projectId}/unread`)
    clock.advance(QUARTER_MS)
    await runAll()
    expect(await due()).toEqual([])
    expect((await nodes[0].matches.list({ projectId })).data).toEqual([])
  })
})
