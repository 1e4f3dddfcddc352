import { describe, expect, it } from 'vitest'
import { asked, byRegions, fleet, server } from './fleet'

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
