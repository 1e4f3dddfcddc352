import { describe, expect, it } from 'vitest'
import { asked, byRegions, fleet, server } from './fleet'

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
