import type { ObservedServer } from '@matchyard/core/ports'
import { describe, expect, it } from 'vitest'
import { asked, fleet, server } from './fleet'

const FOREIGN = 'a machine reported a game server of another machine'

/** Returns two machines. The first reports these servers besides its own. */
async function withLiar(lies: () => readonly ObservedServer[]) {
  const given = await fleet({ liar: ['iad'], honest: ['ams'] })
  const [liar, honest] = [given.nodes.get('liar'), given.nodes.get('honest')]
  if (liar === undefined || honest === undefined) throw new Error('the fleet has two machines')
  const { orchestrator } = liar
  const observe = orchestrator.observe.bind(orchestrator)
  orchestrator.observe = async (of, where) => [...(await observe(of, where)), ...lies()]
  return { ...given, liar, honest }
}

describe('a server of another machine that a machine reports', () => {
  const port = {
    name: 'game',
    protocol: 'udp',
    internalPort: 1,
    tlsEnabled: false,
    externalPort: 9,
    host: 'evil',
  } as const
  it.each([
    ['exited', { state: 'exited', exit: { code: 3, signal: null, at: 0 } }],
    ['ready', { state: 'ready', exit: null }],
    ['ready with other ports', { state: 'ready', exit: null, networkPorts: [port] }],
    ['of a later attempt', { state: 'ready', exit: null, attempt: 7 }],
  ] as const)('as %s keeps its record', async (_, lie) => {
    let instanceId: string | undefined
    const given = await withLiar(() =>
      instanceId === undefined ? [] : [{ instanceId, attempt: 1, ...lie } as ObservedServer],
    )
    const own = await asked(given, 'iad')
    instanceId = await asked(given, 'ams')
    await given.pass(3)
    const before = await server(given, instanceId)
    expect(before).toMatchObject({ status: 'running', nodeId: 'honest' })
    await given.pass(20)
    expect(await server(given, instanceId)).toEqual(before)
    expect(await server(given, own)).toMatchObject({ status: 'running', nodeId: 'liar' })
    expect(given.honest.orchestrator.stops).toEqual([])
    const told = given.liar.logger.lines.filter(({ message }) => message === FOREIGN)
    expect(told).toMatchObject([{ fields: { instance_id: instanceId, machine: 'liar', recorded_on: 'honest' } }])
  })

  it('before the server was launched does not keep it from its machine', async () => {
    let instanceId: string | undefined
    const given = await withLiar(() =>
      instanceId === undefined
        ? []
        : [{ instanceId, attempt: 1, state: 'exited', exit: { code: 1, signal: null, at: 0 } }],
    )
    instanceId = await asked(given, 'ams')
    await given.pass(5)
    expect(await server(given, instanceId)).toMatchObject({ status: 'running', nodeId: 'honest', attempt: 1 })
  })
})

describe('a stray', () => {
  it('is logged once for each instance, and for 1,000 instances at the most', async () => {
    const lies = Array.from({ length: 1_100 }, (_, i): ObservedServer => {
      return { instanceId: `srv_${i}`, attempt: 1, state: 'ready', exit: null }
    })
    const given = await withLiar(() => lies)
    await given.pass(30)
    const told = given.liar.logger.lines.filter(({ message }) => message === 'a stray game server is stopped')
    expect(told).toHaveLength(1_000)
  })

  it('waits for its turn when there are more than 100: each pass takes others', async () => {
    const lies = Array.from({ length: 250 }, (_, i): ObservedServer => {
      return { instanceId: `srv_${i}`, attempt: 1, state: 'ready', exit: null }
    })
    const given = await withLiar(() => lies)
    const stopped: string[] = []
    given.liar.orchestrator.stop = async (instanceId) => void stopped.push(instanceId)
    await given.pass(1)
    expect(stopped.length).toBeLessThanOrEqual(100)
    await given.pass(2)
    expect(new Set(stopped).size).toBe(250)
  })
})
