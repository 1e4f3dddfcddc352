import { describe, expect, it } from 'vitest'
import { byRegions, fleet } from './fleet'

describe('a region without a machine is named', () => {
  const queue = { queueId: 'duel', name: 'Duel', serverSettings: { versionTag: 'arena', region: 'ams' } } as const

  it('in the warnings of queues and lobbies, until a machine serves it', async () => {
    const given = await fleet({ 'fra-1': ['fra'] })
    const { first, projectId } = given
    const made = await first.queues.create({ projectId, ...queue })
    expect(made.warnings).toEqual([
      'no machine serves ams (fra-1 serves fra) (`serverSettings.region`): a match of this queue waits for capacity, and ends when none comes in time',
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

  it('in the problem of the servers that wait for it', async () => {
    const given = await fleet({ 'fra-1': ['fra'] })
    const { first, projectId } = given
    await first.queues.create({ projectId, ...queue })
    const { id: lobbyId } = await first.lobbies.create({ projectId, playerId: 'ann', queueId: 'duel' })
    await first.lobbies.start({ projectId, lobbyId, playerId: 'ann' })
    await given.pass(3)
    const [problem] = await first.problems.list({ projectId })
    expect(problem).toMatchObject({ code: 'waiting_for_room', count: 1, details: { region: 'ams' } })
    expect(problem?.sentence).toMatch(/no machine serves ams \(fra-1 serves fra\).*REGION_FALLBACK=any/)
  })

  it('in the problem of players who wait for long', async () => {
    const given = await fleet({ 'fra-1': ['fra'] })
    const { search } = await byRegions(given)
    for (const playerId of ['ann', 'ben']) await search(playerId, ['ams'])
    given.clock.advance(61_000)
    const [problem] = await given.first.problems.list({ projectId: given.projectId })
    expect(problem).toMatchObject({ code: 'players_wait', count: 2, details: { region: 'ams' } })
    expect(problem?.sentence).toMatch(/no machine serves ams.*Add a machine with ams in REGIONS/)
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
