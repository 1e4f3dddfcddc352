import { type AgentFacts, createMatchyard, type Matchyard } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { type Installation, installation } from './agents'

const node = ({ nodes }: Installation, index: number): Matchyard => nodes[index] ?? expect.fail(`no node ${index}`)
const stop = ({ nodes }: Installation) => Promise.all(nodes.map((one) => one.stop()))

/** Makes the token of a machine, and returns the properties of an agent that answers nothing. */
async function silent(given: Installation, machineId: string): Promise<{ machineId: string; facts: AgentFacts }> {
  await node(given, 0).machines.mintToken({ name: machineId })
  const capabilities = { buildTypes: ['zip'] as const, limitations: [], keepsWarm: true }
  const facts = { release: null, regions: ['fra'] as const, host: '10.0.0.1', limits: {}, beacons: [], capabilities }
  return { machineId, facts: { agentId: machineId, ...facts } }
}

/** Returns an installation with an agent in Frankfurt on the first node, and a server that runs there. */
async function playing(count = 1) {
  const given = await installation(count)
  const agent = await given.agent('fra-1', ['fra'])
  await agent.connect(node(given, 0))
  await given.live(1_000)
  const id = await given.ask('fra')
  await given.live(4_000)
  expect(await given.server(id)).toMatchObject({ status: 'running', nodeId: 'fra-1' })
  return { given, agent, id }
}

describe('the machine of an agent', () => {
  it('keeps its servers when its stream is cut and another node holds the next one', async () => {
    const { given, agent, id } = await playing(2)
    agent.cut()
    await agent.connect(node(given, 1))
    await given.live(40_000)
    expect(await given.server(id)).toMatchObject({ status: 'running', nodeId: 'fra-1' })
    const next = await given.ask('fra')
    await given.live(4_000)
    expect(await given.server(next)).toMatchObject({ status: 'running', nodeId: 'fra-1' })
    await node(given, 0).servers.stop({ projectId: given.projectId, instanceId: id })
    await given.live(15_000)
    expect(await given.server(id)).toMatchObject({ status: 'stopped' })
    await stop(given)
  })

  it('keeps its servers when the node that holds its stream is silent, and another node holds the next stream', async () => {
    const { given, agent, id } = await playing(2)
    await agent.connect(node(given, 1))
    await given.live(60_000)
    expect(await given.server(id)).toMatchObject({ status: 'running', nodeId: 'fra-1' })
    const next = await given.ask('fra')
    await given.live(4_000)
    expect(await given.server(next)).toMatchObject({ status: 'running', nodeId: 'fra-1' })
    await stop(given)
  })

  it('may be away for five minutes; launches wait meanwhile, and nothing ends', async () => {
    const { given, agent, id } = await playing()
    agent.cut()
    await given.live(60_000)
    const next = await given.ask('fra')
    await given.live(60_000)
    expect(await given.server(next)).toMatchObject({ status: 'launching', statusReason: 'waiting_for_room' })
    await given.live(120_000)
    expect(await given.server(id)).toMatchObject({ status: 'running' })
    expect(await given.server(next)).toMatchObject({
      status: 'failed',
      stopReason: expect.stringContaining('no machine serves fra'),
    })
    await agent.connect(node(given, 0))
    await given.live(5_000)
    expect(await given.server(id)).toMatchObject({ status: 'running' })
    await stop(given)
  })

  it('is lost after the time for which a machine may be away, and its servers end', async () => {
    const { given, agent, id } = await playing()
    agent.cut()
    await given.live(640_000)
    expect(await given.server(id)).toMatchObject({ status: 'failed', stopReason: 'its node is gone' })
    await stop(given)
  })

  it('has one agent: a second agent with the token is refused while the first is live', async () => {
    const { given, agent } = await playing(2)
    const second = agent.connect(node(given, 1), { agentId: 'another' })
    await expect(second).rejects.toMatchObject({ code: 'CONFLICT' })
    agent.cut()
    await given.live(20_000)
    await agent.connect(node(given, 1), { agentId: 'another' })
    await stop(given)
  })

  it('loses its stream within a second of the end of its token, and is refused then', async () => {
    const { given, agent, id } = await playing()
    await node(given, 0).machines.revokeToken({ machineId: 'fra-1' })
    await given.live(1_000)
    expect(agent.ends).toEqual(['revoked'])
    await expect(agent.connect(node(given, 0))).rejects.toMatchObject({ code: 'INVALID_MACHINE_TOKEN' })
    await given.live(60_000)
    expect(await given.server(id)).toMatchObject({ status: 'running' })
    await stop(given)
  })

  it('refuses the stream of an agent whose token was replaced after it was checked', async () => {
    const given = await installation()
    const facts = await silent(given, 'fra-1')
    const { machines, access, agents } = node(given, 0)
    const { token } = await machines.mintToken({ name: 'fra-1', replace: true })
    const checked = await access.authenticateMachine(token ?? '')
    const stream = { ...facts, ...checked, send: () => true, onEnd: () => {} }
    await agents.connect(stream)
    await machines.mintToken({ name: 'fra-1', replace: true })
    await expect(agents.connect(stream)).rejects.toMatchObject({ code: 'INVALID_MACHINE_TOKEN' })
    await stop(given)
  })

  it('changes nothing of the servers of another machine, whatever its agent reports', async () => {
    const { given, agent, id } = await playing()
    const liar = await given.agent('fra-2', ['fra'])
    await liar.connect(node(given, 0))
    const [seen] = await agent.orchestrator.observe(id)
    const before = await given.server(id)
    for (const state of ['starting', 'ready', 'exited'] as const) {
      const exit = state === 'exited' ? { code: 1, signal: null, at: given.clock.now() } : null
      const lie = { ...(seen ?? expect.fail('nothing runs')), state, exit }
      liar.orchestrator.observe = async () => [lie]
      await given.live(3_000)
      expect(await given.server(id)).toEqual(before)
    }
    await stop(given)
  })

  it('runs no builds of a type that its agent cannot run', async () => {
    const given = await installation()
    const agent = await given.agent('fra-1', ['fra'])
    const capabilities = { ...agent.orchestrator.capabilities, buildTypes: ['zip'] as const }
    await agent.connect(node(given, 0), { capabilities })
    await (await given.agent('ams-1', ['ams'])).connect(node(given, 0))
    await given.live(3_000)
    const id = await given.ask('fra')
    await given.live(10_000)
    expect(await given.server(id)).toMatchObject({ status: 'launching', statusReason: 'waiting_for_room' })
    await stop(given)
  })

  it('has its log on the node that holds its stream, and its builds for its own servers', async () => {
    const { given, id } = await playing()
    const [{ projectId }, instanceId] = [given, id]
    expect(await node(given, 0).servers.logs({ projectId, instanceId })).toEqual(expect.any(Array))
    const { buildId } = await given.server(id)
    const needs = (buildId: string, machineId: string) => node(given, 0).agents.needsBuild({ machineId, buildId })
    expect(await needs(buildId ?? '', 'fra-1')).toBe(true)
    expect(await needs(buildId ?? '', 'fra-2')).toBe(false)
    expect(await needs('bld_none', 'fra-1')).toBe(false)
    await stop(given)
  })

  it('causes no calls to the agents of other machines when it starts and ends servers', async () => {
    const { given, agent } = await playing()
    const other = await given.agent('fra-2', ['fra'])
    const asked: string[] = []
    for (const name of ['observe', 'admit', 'proposePorts', 'launch', 'stop', 'forget'] as const) {
      const call = other.orchestrator[name].bind(other.orchestrator) as (...args: never[]) => unknown
      const counted = (...args: never[]) => {
        asked.push(name)
        return call(...args)
      }
      Object.assign(other.orchestrator, { [name]: counted })
    }
    await other.connect(node(given, 0))
    await given.live(1_000)
    await node(given, 0).machines.cordon({ machineId: 'fra-2' })
    await given.live(1_000)
    asked.length = 0
    const ids = await Promise.all([given.ask('fra'), given.ask('fra'), given.ask('fra')])
    await given.live(3_000)
    for (const id of ids) expect(await given.server(id)).toMatchObject({ status: 'running', nodeId: 'fra-1' })
    for (const instanceId of ids) await node(given, 0).servers.stop({ projectId: given.projectId, instanceId })
    await given.live(3_000)
    expect(await agent.orchestrator.observe()).toHaveLength(1)
    expect(asked).toEqual([])
    await stop(given)
  })

  it('counts as cut when its agent says nothing for 25 seconds', async () => {
    const given = await installation()
    const { facts, machineId } = await silent(given, 'fra-1')
    const ends: string[] = []
    await node(given, 0).agents.connect({
      machineId,
      facts,
      send: () => true,
      onEnd: (reason) => void ends.push(reason),
    })
    await given.live(24_000)
    expect(ends).toEqual([])
    await given.live(2_000)
    expect(ends).toEqual(['silent'])
    await stop(given)
  })

  it('is refused by a service whose nodes run the game servers', async () => {
    const own = createMatchyard({ ...fakePlatform({ clock: new FakeClock(), seed: 1 }), storage: memoryStorage() })
    await own.open()
    const given = await installation()
    const { facts, machineId } = await silent(given, 'fra-1')
    const connection = { machineId, facts, send: () => true, onEnd: () => {} }
    await expect(own.agents.connect(connection)).rejects.toMatchObject({
      code: 'CONFLICT',
      detail: expect.stringMatching(/takes no agents, .*ORCHESTRATOR=agents$/),
    })
    await own.stop()
    await stop(given)
  })

  it('is refused when the node hosts 500 machines', async () => {
    const given = await installation()
    const connect = async (index: number) => {
      const { facts, machineId } = await silent(given, `m-${index}`)
      return node(given, 0).agents.connect({ machineId, facts, send: () => true, onEnd: () => {} })
    }
    for (let index = 0; index < 500; index++) await connect(index)
    await expect(connect(500)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await stop(given)
  })

  it('holds up no other machine with launches to which its agent does not answer', async () => {
    const given = await installation()
    const slow = await given.agent('fra-1', ['fra'])
    let launches = 0
    slow.orchestrator.launch = () => {
      launches++
      return new Promise(() => {})
    }
    await slow.connect(node(given, 0))
    await (await given.agent('ams-1', ['ams'])).connect(node(given, 0))
    await given.live(1_000)
    for (let n = 0; n < 40; n++) await given.ask('fra')
    await given.live(3_000)
    const quick = await given.ask('ams')
    await given.live(2_000)
    expect(await given.server(quick)).toMatchObject({ status: 'running', nodeId: 'ams-1' })
    expect(launches).toBe(16)
    await stop(given)
  })

  it('is refused by a node that is not started', async () => {
    const given = await installation()
    const facts = await silent(given, 'fra-1')
    await stop(given)
    const refused = node(given, 0).agents.connect({ ...facts, send: () => true, onEnd: () => {} })
    await expect(refused).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('is told that the service stops', async () => {
    const { given, agent } = await playing()
    await stop(given)
    expect(agent.ends).toEqual(['stopped'])
  })
})
