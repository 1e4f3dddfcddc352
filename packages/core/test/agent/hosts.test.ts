import { describe, expect, it } from 'vitest'
import { installation } from './agents'

describe('the machine of an agent', () => {
  it('runs the servers of its region, and keeps them when the stream is cut and another node takes it', async () => {
    const given = await installation(2)
    const [first, second] = given.nodes as [(typeof given.nodes)[0], (typeof given.nodes)[0]]
    const agent = await given.agent('fra-1', ['fra'])
    await agent.connect(first)
    await given.live(1_000)
    const id = await given.ask('fra')
    await given.live(4_000)
    expect(await given.server(id)).toMatchObject({ status: 'running', nodeId: 'fra-1' })
    agent.cut()
    await agent.connect(second)
    await given.live(40_000)
    expect(await given.server(id)).toMatchObject({ status: 'running', nodeId: 'fra-1' })
    const next = await given.ask('fra')
    await given.live(4_000)
    expect(await given.server(next)).toMatchObject({ status: 'running', nodeId: 'fra-1' })
    await first.servers.stop({ projectId: given.projectId, instanceId: id })
    await given.live(15_000)
    expect(await given.server(id)).toMatchObject({ status: 'stopped' })
    for (const node of given.nodes) await node.stop()
  })
})
