import type { Region } from '@matchyard/core'
import { describe, expect, it } from 'vitest'
import { type Fleet, fleet } from './fleet'

const asked = async ({ first, projectId }: Fleet, region?: Region) =>
  (await first.servers.create({ projectId, versionTag: 'arena', ...(region === undefined ? {} : { region }) })).id
const server = ({ first, projectId }: Fleet, instanceId: string) => first.servers.get({ projectId, instanceId })

/** Returns a queue whose players list regions, and a function by which a player of these regions searches. */
async function byRegions(given: Fleet) {
  const { first, projectId } = given
  await first.queues.create({
    ...{ projectId, queueId: 'duel', name: 'Duel', matchmaking: { rules: [{ type: 'region' }] } },
    serverSettings: { versionTag: 'arena' },
  })
  const search = async (playerId: string, regions: readonly Region[]) => {
    const { id: lobbyId } = await first.lobbies.create({
      projectId,
      playerId,
      queueId: 'duel',
      state: { regions: [...regions] },
    })
    await first.lobbies.enqueue({ projectId, lobbyId, playerId })
    return lobbyId
  }
  const tick = () => first.matchmaking.runQueue(`${projectId}/duel`)
  const matches = async () => (await first.matches.list({ projectId })).data.map(({ match }) => match.region)
  return { search, tick, matches }
}

describe('a server of a region', () => {
  it('runs on a machine of its region, whichever node takes its launch', async () => {
    const given = await fleet({ 'fra-1': ['fra'], 'iad-1': ['iad'], 'fra-2': ['fra', 'ams'] })
    const ids = [await asked(given, 'iad'), await asked(given, 'ams'), await asked(given, 'fra')]
    await given.pass(3)
    const [iad, ams, fra] = await given.nodesOf(ids)
    expect([iad, ams]).toEqual(['iad-1', 'fra-2'])
    expect(fra).toMatch(/^fra-/)
    expect(await server(given, ids[0] ?? '')).toMatchObject({ status: 'running', region: 'iad' })
  })

  it('that no machine serves waits for one, and runs when one joins', async () => {
    const given = await fleet({ 'fra-1': ['fra'] })
    const id = await asked(given, 'ams')
    await given.pass(3)
    expect(await server(given, id)).toMatchObject({ status: 'launching', statusReason: 'waiting_for_room' })
    await given.join('ams-1', ['ams'])
    await given.pass(3)
    expect(await server(given, id)).toMatchObject({ status: 'running', nodeId: 'ams-1' })
  })

  it('that no machine serves ends without capacity, with a sentence about the machines there are', async () => {
    const given = await fleet({ 'fra-1': ['fra'], 'any-1': ['iad', 'fra'] })
    const id = await asked(given, 'ams')
    await given.pass(125)
    expect(await server(given, id)).toMatchObject({
      status: 'failed',
      stopReason: 'no machine serves ams (fra-1 serves fra; any-1 serves iad, fra); the server waited 120 s',
    })
  })
})

describe('the region of a server that nobody named', () => {
  it('is the first in the order of the operator', async () => {
    const given = await fleet({ a: ['syd', 'fra'], b: ['fra', 'syd', 'iad'] })
    expect(await server(given, await asked(given))).toMatchObject({ region: 'fra' })
    const one = await fleet({ a: ['syd', 'iad'] })
    expect(await server(one, await asked(one))).toMatchObject({ region: 'syd' })
  })

  it('is iad where every region is served', async () => {
    const given = await fleet({ a: undefined, b: undefined })
    expect(await server(given, await asked(given))).toMatchObject({ region: 'iad' })
  })

  it('is a served one for a lobby that starts without a region', async () => {
    const given = await fleet({ a: ['syd'] })
    const { first, projectId } = given
    await first.queues.create({ projectId, queueId: 'duel', name: 'Duel', serverSettings: { versionTag: 'arena' } })
    const { id: lobbyId } = await first.lobbies.create({ projectId, playerId: 'ann', queueId: 'duel' })
    await first.lobbies.start({ projectId, lobbyId, playerId: 'ann' })
    expect((await first.matches.list({ projectId })).data).toMatchObject([{ match: { region: 'syd' } }])
  })
})

describe('a region rule', () => {
  it('chooses among the regions that are served when the match is made', async () => {
    const given = await fleet({ 'fra-1': ['fra'], 'iad-1': ['iad'] })
    const { search, tick, matches } = await byRegions(given)
    await search('ann', ['ams', 'fra'])
    await search('ben', ['ams', 'fra'])
    await search('cid', ['ams'])
    await search('dan', ['ams'])
    expect(await tick()).toMatchObject({ matches: 1 })
    expect(await matches()).toEqual(['fra'])
    await given.join('ams-1', ['ams'])
    given.clock.advance(1_000)
    expect(await tick()).toMatchObject({ matches: 1 })
    expect((await matches()).sort()).toEqual(['ams', 'fra'])
  })

  it('does not choose the region of a machine that is gone', async () => {
    const given = await fleet({ 'fra-1': ['fra'], 'ams-1': ['ams'] })
    const { search, tick, matches } = await byRegions(given)
    await given.pass(31, ['fra-1'])
    await search('ann', ['ams', 'fra'])
    await search('ben', ['ams', 'fra'])
    await tick()
    expect(await matches()).toEqual(['fra'])
  })

  it('does not choose the region of a machine whose node has stopped', async () => {
    const given = await fleet({ 'fra-1': ['fra'], 'ams-1': ['ams'] })
    const { search, tick, matches } = await byRegions(given)
    await given.nodes.get('ams-1')?.matchyard.start()
    await given.nodes.get('ams-1')?.matchyard.stop()
    given.clock.advance(1_000)
    await search('ann', ['ams', 'fra'])
    await search('ben', ['ams', 'fra'])
    await tick()
    expect(await matches()).toEqual(['fra'])
  })
})

describe('a machine of several for one region', () => {
  const limits = { maxServers: 4 }
  /** Returns three machines with four places each. */
  const three = async (placement: 'pack' | 'spread') => {
    const given = await fleet({ a: ['fra'], b: ['fra'], c: ['fra'] }, { placement })
    for (const { orchestrator } of given.nodes.values()) orchestrator.limits = limits
    await given.pass(6)
    return given
  }
  const counts = async (given: Fleet, ids: readonly string[]) => {
    const nodes = await given.nodesOf(ids)
    return [...given.nodes.keys()].map((id) => nodes.filter((node) => node === id).length).sort()
  }

  it('is filled before the next one, so that others stay empty', async () => {
    const given = await three('pack')
    const ids: string[] = []
    for (let n = 0; n < 6; n++) {
      ids.push(await asked(given, 'fra'))
      await given.pass(1)
    }
    expect(await counts(given, ids)).toEqual([0, 2, 4])
  })

  it('gets no more than its share where servers are spread', async () => {
    const given = await three('spread')
    const ids: string[] = []
    for (let n = 0; n < 6; n++) {
      ids.push(await asked(given, 'fra'))
      await given.pass(1)
    }
    expect(await counts(given, ids)).toEqual([2, 2, 2])
  })

  it('that was chosen and is gone leaves the server to the others within seconds', async () => {
    const given = await three('spread')
    const held = await asked(given, 'fra')
    await given.pass(1)
    const [first = ''] = (await given.nodesOf([held])) as string[]
    const others = [...given.nodes.keys()].filter((id) => id !== first)
    const id = await asked(given, 'fra')
    // Only the node with a server takes part, and leaves the launch to one of the empty machines, which are silent.
    await given.pass(1, [first])
    expect(await server(given, id)).toMatchObject({ status: 'launching', room: { machine: others[0] } })
    await given.pass(3, [first])
    expect(await server(given, id)).toMatchObject({ status: 'running', nodeId: first })
  })
})

describe('a region without a machine, where servers may run elsewhere', () => {
  it('has its servers in a served region, with the region that was asked for', async () => {
    const given = await fleet({ a: ['syd', 'fra'], b: ['fra'] }, { regionFallback: 'any' })
    const id = await asked(given, 'ams')
    await given.pass(2)
    expect(await server(given, id)).toMatchObject({ status: 'running', region: 'fra', askedRegion: 'ams' })
  })

  it('is chosen by players only when they share no served region', async () => {
    const given = await fleet({ a: ['fra'] }, { regionFallback: 'any' })
    const { search, tick, matches } = await byRegions(given)
    for (const playerId of ['ann', 'ben']) await search(playerId, ['ams', 'fra'])
    await tick()
    for (const playerId of ['cid', 'dan']) await search(playerId, ['ams'])
    await tick()
    expect((await matches()).sort()).toEqual(['ams', 'fra'])
    await given.pass(2)
    const { data } = await given.first.servers.list({ projectId: given.projectId })
    expect(data.map(({ region, askedRegion }) => [region, askedRegion]).sort()).toEqual([
      ['fra', undefined],
      ['fra', 'ams'],
    ])
  })

  it('has its waiting servers there when the last machine of it is lost', async () => {
    const given = await fleet({ a: ['fra'], b: ['ams'] }, { regionFallback: 'any' })
    for (const { orchestrator } of given.nodes.values()) orchestrator.limits = { maxServers: 1 }
    await asked(given, 'ams')
    await given.pass(2)
    const id = await asked(given, 'ams')
    await given.pass(2)
    expect(await server(given, id)).toMatchObject({ statusReason: 'waiting_for_room' })
    await given.pass(40, ['a'])
    expect(await server(given, id)).toMatchObject({ status: 'running', region: 'fra', askedRegion: 'ams' })
  })
})

describe('a region without a machine is named', () => {
  const queue = { queueId: 'duel', name: 'Duel', serverSettings: { versionTag: 'arena', region: 'ams' } } as const

  it('in the warnings of queues and lobbies, until a machine serves it', async () => {
    const given = await fleet({ 'fra-1': ['fra'] })
    const { first, projectId } = given
    const made = await first.queues.create({ projectId, ...queue })
    expect(made.warnings).toEqual([
      'no machine serves ams (fra-1 serves fra) (server_settings.region): a match of this queue waits for capacity, and ends when none comes in time',
    ])
    const far = { projectId, playerId: 'ann', queueId: 'duel', region: 'ams' } as const
    const { id: lobbyId, warnings } = await first.lobbies.create(far)
    expect(warnings).toEqual([
      'no machine serves ams: a match that starts there waits for capacity, and ends when none comes in time',
    ])
    const moved = await first.lobbies.updateSettings({
      projectId,
      lobbyId,
      playerId: 'ann',
      changes: { region: 'fra' },
    })
    expect(moved.warnings).toBeUndefined()
    await given.join('ams-1', ['ams'])
    given.clock.advance(1_000)
    expect((await first.queues.get({ projectId, queueId: 'duel' })).warnings).toBeUndefined()
  })

  it('in the explanation of a wait', async () => {
    const given = await fleet({ 'fra-1': ['fra'] })
    const { search } = await byRegions(given)
    const lobbyId = await search('ann', ['ams', 'fra', 'syd'])
    const explained = await given.first.lobbies.explainMatchmaking({
      projectId: given.projectId,
      lobbyId,
      backend: true,
    })
    expect(explained.warnings).toEqual(['no machine serves ams', 'no machine serves syd'])
  })

  it('not where the studio runs the servers', async () => {
    const given = await fleet({ 'fra-1': ['fra'] })
    const { first, projectId } = given
    const made = await first.queues.create({
      projectId,
      ...queue,
      serverSettings: { source: 'external', region: 'ams' },
    })
    expect(made.warnings).toBeUndefined()
  })
})

describe('several machines for every region', () => {
  it('are told in the log of each of them, once', async () => {
    const given = await fleet({ a: undefined, b: undefined, c: ['fra'] })
    await given.pass(3)
    const told = (id: string) =>
      given.nodes.get(id)?.logger.lines.filter(({ message }) => message.startsWith('several machines')).length
    expect(['a', 'b', 'c'].map(told)).toEqual([1, 1, 0])
  })
})
