import { createMatchyard, type LogMessage, type LogStream, type StreamLimits } from '@matchyard/core'
import { PeerSilent, type Peers, type ServerLogLine } from '@matchyard/core/ports'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeBuildStore, FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linesAfter, positionAfter, positionIn, textOfPosition } from '../../src/streams/log/log-position'
import { settled } from './service'

/** Returns a node with a running server, and a second node that asks the first one for logs. */
async function following(streams: Partial<StreamLimits> = {}) {
  const clock = new FakeClock()
  const data = emptyMemoryData()
  const buildStore = new FakeBuildStore()
  const node = async (nodeId: string, seed: number, peers?: Peers) => {
    const orchestrator = new FakeOrchestrator(clock)
    const given = {
      ...fakePlatform({ clock, seed }),
      storage: memoryStorage({ data }),
      orchestrator,
      buildStore,
      nodeId,
      streams,
    }
    const matchyard = createMatchyard({ ...given, ...(peers === undefined ? {} : { peers }) })
    await matchyard.open()
    return { matchyard, orchestrator }
  }
  const peers = { url: 'http://one', logs: () => Promise.reject(new PeerSilent('it asks nobody')) }
  const { matchyard, orchestrator } = await node('one', 1, peers)
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  await matchyard.worker.runDueJobs()
  const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
  const work = async () => {
    await matchyard.worker.runDueJobs()
    await matchyard.worker.reconcileServers()
    await matchyard.worker.runDueJobs()
  }
  await work()
  await matchyard.worker.watchNodes()
  const way = { isCut: false, ask: matchyard.answerPeer }
  const { matchyard: other } = await node('two', 2, {
    url: undefined,
    logs: (_, query) => (way.isCut ? Promise.reject(new PeerSilent('none within 5 s')) : way.ask(query)),
  })
  const open = (more: { lastEventId?: string; limit?: number; keyId?: string } = {}, on = other) =>
    on.servers.followLogs({ projectId, instanceId, ...more })
  const second = async () => {
    clock.advance(1_000)
    await settled()
  }
  const print = (...messages: string[]) => {
    for (const message of messages) orchestrator.print(instanceId, message)
  }
  return { clock, matchyard, orchestrator, projectId, instanceId, way, work, open, second, print }
}

/** Reads the next message while seconds pass, at most 20. */
async function nextOf(stream: LogStream, second: () => Promise<void>): Promise<LogMessage | undefined> {
  let isThere = false
  const message = stream.next().finally(() => {
    isThere = true
  })
  await settled()
  for (let seconds = 0; !isThere && seconds < 20; seconds++) await second()
  expect(isThere).toBe(true)
  return message
}

const textsOf = (message: LogMessage | undefined) =>
  message?.event === 'lines' ? message.lines.map((line) => line.message) : message?.event

describe('the stream of a log', () => {
  it('tells the lines there are, each new line once, and the end, also from another node', async () => {
    const { open, second, print, work, orchestrator, instanceId } = await following()
    print('first', 'second')
    const stream = await open()
    expect(textsOf(await nextOf(stream, second))).toEqual(['first', 'second'])
    print('third')
    expect(textsOf(await nextOf(stream, second))).toEqual(['third'])
    print('last words')
    orchestrator.exit(instanceId)
    await work()
    expect(textsOf(await nextOf(stream, second))).toEqual(['last words'])
    const end = await nextOf(stream, second)
    expect(end).toMatchObject({ event: 'end', id: 'end' })
    expect(await nextOf(stream, second)).toBeUndefined()
    expect((await open({ lastEventId: 'end' })).isOver).toBe(true)
  })

  it('is resumed without a line lost or repeated, although lines have the same time', async () => {
    const { open, second, print } = await following()
    print('first', 'second')
    const stream = await open()
    const first = await nextOf(stream, second)
    stream.close()
    print('third', 'fourth')
    const again = await open({ lastEventId: first?.id ?? '' })
    expect(textsOf(await nextOf(again, second))).toEqual(['third', 'fourth'])
  })

  it('goes on when the node of the server was away, and ends when it is away for half a minute', async () => {
    const { open, second, print, way } = await following()
    print('first')
    const stream = await open()
    await nextOf(stream, second)
    way.isCut = true
    print('second')
    for (let seconds = 0; seconds < 10; seconds++) await second()
    way.isCut = false
    expect(textsOf(await nextOf(stream, second))).toEqual(['second'])
    way.isCut = true
    const over = stream.next()
    for (let seconds = 0; seconds < 31; seconds++) await second()
    expect(await over).toBeUndefined()
    await expect(open()).rejects.toMatchObject({ code: 'UNAVAILABLE', detail: expect.stringContaining('node one') })
  })

  it('says that lines are missing when more were written than one look reads', async () => {
    const { open, second, print, clock } = await following()
    print('first')
    const stream = await open()
    await nextOf(stream, second)
    clock.advance(500)
    print(...Array.from({ length: 1_001 }, (_, index) => `${index}`))
    const message = await nextOf(stream, second)
    expect(message).toMatchObject({ event: 'lines', hasMore: true })
    expect(textsOf(message)).toHaveLength(1_000)
  })

  it('is one of sixteen of a project on a node, and ends after a quarter of an hour', async () => {
    const { open, clock } = await following()
    const streams: LogStream[] = []
    for (let count = 0; count < 17; count++) streams.push(await open())
    expect(streams.map(({ isOver }) => isOver)).toEqual([true, ...Array.from({ length: 16 }, () => false)])
    clock.advance(15 * 60_000)
    expect(streams.every(({ isOver }) => isOver)).toBe(true)
  })

  it('takes a place among the streams, on the node and with its key', async () => {
    const { open } = await following({ open: 4, openPerKey: 1 })
    const first = await open({ keyId: 'key_1' })
    await expect(open({ keyId: 'key_1' })).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await open({ keyId: 'key_2' })
    await expect(open({ keyId: 'key_3' })).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    first.close()
    expect((await open({ keyId: 'key_3' })).isOver).toBe(false)
  })

  it('does not look for lines while its reader takes none', async () => {
    const { open, second, print, orchestrator, matchyard } = await following()
    print('first')
    let reads = 0
    const { logs } = orchestrator
    orchestrator.logs = (...query) => {
      reads++
      return logs.apply(orchestrator, query)
    }
    await open({}, matchyard)
    for (let seconds = 0; seconds < 5; seconds++) await second()
    expect(reads).toBe(1)
  })
})

describe('the position of a reader in a log', () => {
  it('leads to each line once, however many lines have one time and wherever the reads end', () => {
    const steps = fc.array(fc.record({ later: fc.nat(2), reads: fc.boolean() }), { maxLength: 60 })
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 80 }), (all, limit) => {
        const log: ServerLogLine[] = []
        const told: ServerLogLine[] = []
        let position: ReturnType<typeof positionIn>
        let isComplete = true
        for (const [index, { later, reads }] of all.entries()) {
          log.push({ at: (log.at(-1)?.at ?? 0) + later, stream: 'stdout', message: `${index}` })
          if (!reads && index < all.length - 1) continue
          const from = position?.at ?? 0
          const lines = log.filter(({ at }) => at >= from).slice(-limit)
          told.push(...linesAfter(position, lines))
          const isWhole = lines.length < limit
          isComplete &&= isWhole
          const after = positionAfter(lines, isWhole)
          position = after && positionIn(textOfPosition(after))
        }
        // A read that is not whole may leave out lines, and repeats none.
        expect(told).toEqual(isComplete ? log : log.filter((line) => told.includes(line)))
      }),
    )
  })

  it('is none in a text that is no event id of this stream', () => {
    for (const text of [undefined, '', 'end', '5', '5-', '-5', '5-5-5', '1e3-1'])
      expect(positionIn(text)).toBeUndefined()
  })
})
