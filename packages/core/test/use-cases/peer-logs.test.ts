import { type PeerLogQuery, PeerSilent, type Peers, type ServerLogLine } from '@matchyard/core/ports'
import { FakeLogger } from '@matchyard/testkit'
import { Machine } from '@matchyard/testkit/simulation'
import { describe, expect, it } from 'vitest'
import { service, settled } from './service'

const LINES: ServerLogLine[] = [{ at: 1, stream: 'stdout', message: 'the match begins' }]
const QUERY = { nodeId: 'node', limit: 200 }

/** Returns a server of the first node, and a second node; each node can call the other. */
async function twoNodes({ url }: { url?: string } = { url: 'http://node.internal' }) {
  const asked: [url: string, query: PeerLogQuery][] = []
  const logger = new FakeLogger()
  const way = { ask: async (): Promise<ServerLogLine[]> => LINES }
  const peers: Peers = {
    url,
    logs(at, query) {
      asked.push([at, query])
      return way.ask()
    },
  }
  const given = await service(() => ({}), { peers, logger })
  const { matchyard, projectId, clock, orchestrator } = given
  const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
  await matchyard.worker.runDueJobs()
  await matchyard.worker.watchNodes()
  const other = await given.another({ nodeId: 'other', machine: new Machine('host-2') })
  const read = (on = other.matchyard) => on.servers.logs({ projectId, instanceId })
  return { ...given, asked, logger, way, other, read, instanceId, clock, orchestrator }
}

describe('the log of a game server on another node', () => {
  it('is asked of that node, and of nobody where it is here', async () => {
    const { read, asked, matchyard, projectId, instanceId } = await twoNodes()
    expect(await read()).toEqual(LINES)
    expect(asked).toEqual([['http://node.internal', { ...QUERY, projectId, instanceId }]])
    expect(await read(matchyard)).toEqual([])
    expect(asked).toHaveLength(1)
  })

  it('is none of a stranger to the project, and nobody is asked for it', async () => {
    const { other, asked, instanceId } = await twoNodes()
    const logs = other.matchyard.servers.logs({ projectId: 'prj_other', instanceId })
    await expect(logs).rejects.toMatchObject({ code: 'SERVER_NOT_FOUND' })
    expect(asked).toEqual([])
  })

  it('is asked where the node was when it said last that it lives', async () => {
    const { read, asked, clock, data } = await twoNodes()
    clock.advance(5_000)
    const [scope] = [...data.presence.keys()].filter((name) => name.startsWith('node:'))
    const members = data.presence.get(scope ?? '')
    members?.set('node', clock.now()).set('peer http://node-moved.internal', clock.now())
    await read()
    expect(asked.map(([url]) => url)).toEqual(['http://node-moved.internal'])
    members?.set('node', clock.now() + 1)
    await expect(read()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('is UNAVAILABLE with the name of a node that has no address or gives no answer, never empty', async () => {
    const silent = await twoNodes({})
    await expect(silent.read()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      detail: expect.stringContaining('on the node node, which has stopped or has no address'),
    })
    const away = await twoNodes()
    away.way.ask = () => Promise.reject(new PeerSilent('none within 5 s'))
    await expect(away.read()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      detail: expect.stringMatching(/on the node node, which did not answer \(none within 5 s\)/),
    })
  })

  it('is asked for a few at once, as logs that are here', async () => {
    const { read, way } = await twoNodes()
    let end = () => {}
    const held = new Promise<ServerLogLine[]>((resolve) => {
      end = () => resolve([])
    })
    way.ask = () => held
    const reads = Array.from({ length: 4 }, () => read())
    await settled()
    await expect(read()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      detail: expect.stringContaining('are being read'),
    })
    end()
    await Promise.all(reads)
  })
})

describe('a node that is asked by another', () => {
  it('answers of its own servers alone, and asks no further', async () => {
    const { matchyard, other, asked, orchestrator, projectId, instanceId } = await twoNodes()
    orchestrator.logs = async () => LINES as never[]
    const query = { ...QUERY, projectId, instanceId }
    expect(await matchyard.answerPeer(query)).toEqual(LINES)
    await expect(other.matchyard.answerPeer(query)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(asked).toEqual([])
  })

  it('reads a few at once for others and for its own callers together', async () => {
    const { matchyard, orchestrator, read, projectId, instanceId } = await twoNodes()
    let end = () => {}
    const held = new Promise<never[]>((resolve) => {
      end = () => resolve([])
    })
    orchestrator.logs = () => held
    const reads = Array.from({ length: 4 }, () => read(matchyard))
    await settled()
    await expect(matchyard.answerPeer({ ...QUERY, projectId, instanceId })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    end()
    await Promise.all(reads)
  })

  it('answers the newest lines, as many as an answer has room for and one that shows that there are more', async () => {
    const { matchyard, orchestrator, projectId, instanceId } = await twoNodes()
    const line = (at: number) => ({ at, stream: 'stdout', message: 'x'.repeat(16_000) })
    orchestrator.logs = async () => Array.from({ length: 200 }, (_, at) => line(at)) as never[]
    const lines = await matchyard.answerPeer({ ...QUERY, projectId, instanceId })
    const bytes = (some: readonly unknown[]) => some.reduce<number>((sum, one) => sum + JSON.stringify(one).length, 0)
    expect(bytes(lines)).toBeGreaterThan(2 * 1_024 * 1_024)
    expect(bytes(lines.slice(1))).toBeLessThanOrEqual(2 * 1_024 * 1_024)
    expect(lines.at(-1)?.at).toBe(199)
  })
})
