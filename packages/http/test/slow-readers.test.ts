import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { FakeClock } from '@matchyard/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { HeldBytes } from '../src/held-bytes'
import { AnswersUnderWay, limitSlowReaders } from '../src/index'

/** A body of more bytes than the operating system buffers on both sides. */
const LONG = Buffer.alloc(32 * 1024 * 1024, 120)
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Starts a server with long answers, and callers that read only when the test says so. */
async function start(maxUnreadBytes?: number) {
  const clock = new FakeClock()
  const answers: { answer: ServerResponse; over: Promise<unknown> }[] = []
  const server = createServer((incoming, outgoing) => {
    answers.push({ answer: outgoing, over: once(outgoing, 'close') })
    if (incoming.url === '/stream') outgoing.write(LONG)
    else outgoing.end(incoming.url === '/short' ? 'short' : LONG)
  })
  limitSlowReaders(server, clock, maxUnreadBytes)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const ask = async (path: string) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
    socket.pause()
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    onTestFinished(() => void socket.destroy())
    for (;;) {
      const asked = answers.shift()
      if (asked !== undefined) return { socket, ...asked }
      await turn()
    }
  }
  return { clock, ask }
}

const queued = (answer: ServerResponse): number =>
  (answer.socket as unknown as { _handle?: { writeQueueSize: number } })?._handle?.writeQueueSize ?? 0

/** Resolves when no more bytes leave. The system's buffers take bytes without a reader. */
async function untilStalled(answer: ServerResponse): Promise<void> {
  let before = -1
  for (let still = 0; still < 20; before = queued(answer)) {
    still = queued(answer) === before ? still + 1 : 0
    await turn()
  }
}

describe('an answer that nobody reads', () => {
  test('is cut off when nothing of it has left for 10 seconds', async () => {
    const { clock, ask } = await start()
    const { answer, over } = await ask('/long')
    await untilStalled(answer)
    clock.advance(2_500)
    clock.advance(7_500)
    expect(answer.destroyed).toBe(false)
    clock.advance(2_500)
    await over
  })

  test('is kept while some of it leaves, however slowly it is read', async () => {
    const { clock, ask } = await start()
    const { socket, answer } = await ask('/long')
    await untilStalled(answer)
    for (let n = 0; n < 4; n++) {
      clock.advance(7_500)
      const before = queued(answer)
      // The system reports free space only when there is much of it.
      while (queued(answer) === before) {
        socket.read()
        await turn()
      }
      await untilStalled(answer)
    }
    expect(answer.destroyed).toBe(false)
  })

  test('is cut off after 30 seconds where it has not come to its end, as streams have not', async () => {
    const { clock, ask } = await start()
    const { answer, over } = await ask('/stream')
    await untilStalled(answer)
    clock.advance(2_500)
    clock.advance(27_500)
    expect(answer.destroyed).toBe(false)
    clock.advance(2_500)
    await over
  })

  test('takes room from the one that has stalled for longer, once more wait than may', async () => {
    const { ask } = await start(48 * 1024 * 1024)
    const first = await ask('/long')
    const second = await ask('/long')
    await first.over
    expect(second.answer.destroyed).toBe(false)
  })

  test('leaves nothing to look at once it was read', async () => {
    const { clock, ask } = await start()
    const { socket, over } = await ask('/short')
    await Promise.all([over, once(socket.resume(), 'data')])
    clock.advance(60_000)
    expect([socket.destroyed, clock.nextTimerAt()]).toEqual([false, undefined])
  })
})

describe('bytes that are held for callers', () => {
  test('go, past their bound, from the address that has the most, what has been held for the longest first', () => {
    const cut: string[] = []
    const held = new HeldBytes<string>(100, (one) => cut.push(one))
    held.add('quiet', 'a', 30)
    for (const name of ['x', 'y', 'z']) held.add(name, 'b', 20)
    expect([held.bytes, cut]).toEqual([90, []])
    // An item that is added again comes last among the items of its address.
    held.add('x', 'b', 15)
    held.add('more', 'c', 20)
    expect([held.bytes, cut]).toEqual([85, ['y']])
    held.remove('quiet')
    held.remove('quiet')
    held.add('huge', 'd', 101)
    expect(cut).toEqual(['y', 'huge'])
    expect([held.bytes, held.addressCount]).toEqual([55, 2])
    for (const name of ['x', 'z', 'more']) held.remove(name)
    expect([held.bytes, held.addressCount]).toEqual([0, 0])
  })
})

describe('answers under way', () => {
  test('are over when their connection is lost, those too that stand behind another', async () => {
    const over: ServerResponse[] = []
    const answers = new AnswersUnderWay((answer) => over.push(answer))
    const server = createServer(({ socket }, outgoing) => void answers.add(socket, outgoing))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(10))
    while (answers.size < 10) await turn()
    socket.destroy()
    while (answers.size > 0) await turn()
    expect(over).toHaveLength(10)
  })
})
