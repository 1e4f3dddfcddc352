import { describe, expect, it } from 'vitest'
import { asked, type Fleet, fleet, server } from './fleet'

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
