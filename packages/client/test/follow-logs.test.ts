import { createMatchyard } from '@matchyard/core'
import { createApp } from '@matchyard/http'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { createAdmin, type FollowLogs } from '../src/admin/index'

let stop = async () => {}
afterEach(() => stop())

type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Returns a service with a running game server, and a client of its project's backend. All use one clock. */
async function following() {
  const clock = new FakeClock()
  const orchestrator = new FakeOrchestrator(clock)
  const platform = fakePlatform({ clock, seed: 1 })
  const matchyard = createMatchyard({ ...platform, storage: memoryStorage(), orchestrator })
  await matchyard.open()
  stop = () => matchyard.stop()
  const app = createApp(matchyard, { clock, timers: clock, logger: platform.logger })
  const { id: projectId, accountId } = await matchyard.projects.ensure({ name: 'Game' })
  const serverKey = (await matchyard.keys.mint({ accountId, projectId, type: 'server' })).value ?? ''
  await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  await matchyard.worker.runDueJobs()
  const { id } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
  const work = async () => {
    await matchyard.worker.runDueJobs()
    await matchyard.worker.reconcileServers()
    await matchyard.worker.runDueJobs()
  }
  await work()

  /** Connections to the service: one body for each. */
  const opened: { readonly headers: Headers; cut(): void }[] = []
  const way = { fetch: (async (url, init) => app.request(url, init)) as Fetch }
  const fetch = (async (url: string, init: RequestInit) => {
    init.signal?.throwIfAborted()
    const answer = await way.fetch(url, init)
    const signal = init.signal ?? null
    let cut: TransformStreamDefaultController | undefined
    const start = (one: TransformStreamDefaultController) => {
      cut = one
    }
    const body = answer.body?.pipeThrough(new TransformStream({ start }), signal === null ? {} : { signal })
    opened.push({ headers: new Headers(init.headers), cut: () => cut?.error(new Error('cut')) })
    return new Response(body, answer)
  }) as typeof globalThis.fetch
  const { after, now } = { after: clock.after.bind(clock), now: () => clock.now() }
  const log = () => {}
  const admin = createAdmin({
    baseUrl: 'http://play',
    serverKey,
    log,
    platform: { fetch, after, now, random: () => 1 },
  })

  /** Resolves with a promise while seconds pass. */
  const inTime = async <T>(promise: Promise<T>): Promise<T> => {
    let isOver = false
    const end = () => {
      isOver = true
    }
    promise.then(end, end)
    for (let seconds = 0; !isOver && seconds < 1_000; seconds++) {
      for (let turns = 0; turns < 20; turns++) await new Promise((next) => setImmediate(next))
      if (!isOver) clock.advance(1_000)
    }
    return promise
  }
  const follow = (options?: FollowLogs, instanceId = id) => {
    const logs = admin.servers.followLogs(instanceId, options)
    return {
      next: async () => (await inTime(logs.next())).value?.logs.map(({ message }) => message),
      leave: () => logs.return(),
    }
  }
  return { follow, opened, way, orchestrator, id, work, print: (text: string) => orchestrator.print(id, text) }
}

const refusal = (status: number, code: string) => async () =>
  Response.json({ code, detail: 'the log is on the node one, which has stopped' }, { status })

describe('a backend that follows a log', () => {
  it('gets the last lines, then each new line once, although connections are lost, and the end', async () => {
    const { follow, opened, orchestrator, id, work, print, way } = await following()
    for (const text of ['too old', 'first', 'second']) print(text)
    const log = follow({ limit: 2 })
    expect(await log.next()).toEqual(['first', 'second'])
    opened[0]?.cut()
    print('third')
    expect(await log.next()).toEqual(['third'])
    expect(opened.map(({ headers }) => headers.get('last-event-id'))).toEqual([
      null,
      expect.stringMatching(/^\d+-\d+$/),
    ])
    opened[1]?.cut()
    const { fetch } = way
    let refusals = 3
    way.fetch = (...call) => (refusals-- > 0 ? refusal(503, 'UNAVAILABLE')() : fetch(...call))
    print('last words')
    orchestrator.exit(id)
    await work()
    expect(await log.next()).toEqual(['last words'])
    expect(await log.next()).toBeUndefined()
    expect(refusals).toBe(-1)
  })

  it('connects again when the service ends the stream, and ends when no lines follow', async () => {
    const { follow, print, opened, way } = await following()
    print('first')
    const log = follow()
    await log.next()
    way.fetch = async () => new Response(null, { status: 204 })
    // The service ends each stream after a quarter of an hour.
    expect(await log.next()).toBeUndefined()
    expect(opened).toHaveLength(2)
  })

  it('closes its connection when it leaves the loop', async () => {
    const { follow, print, opened, way } = await following()
    let signal: AbortSignal | null | undefined
    const { fetch } = way
    way.fetch = (url, init) => {
      signal = init.signal
      return fetch(url, init)
    }
    print('first')
    const log = follow()
    await log.next()
    await log.leave()
    expect([opened.length, signal?.aborted]).toEqual([1, true])
  })

  it.each([
    ['SERVER_NOT_FOUND', refusal(404, 'SERVER_NOT_FOUND'), 1],
    ['UNAVAILABLE', refusal(503, 'UNAVAILABLE'), 10],
    ['UNEXPECTED_ANSWER', async () => new Response('<html>'), 1],
    ['UNREACHABLE', () => Promise.reject(new TypeError('no network')), 10],
  ] as const)('gets the error %s, at once or after a minute of tries', async (code, fetch, tries) => {
    const { follow, way } = await following()
    let asked = 0
    way.fetch = () => {
      asked++
      return fetch()
    }
    await expect(follow().next()).rejects.toMatchObject({ code })
    expect(asked).toBe(tries)
  })

  it('gets the reason of its signal, before a line and while it waits for one', async () => {
    const { follow, print } = await following()
    print('first')
    const reason = new Error('enough')
    await expect(follow({ signal: AbortSignal.abort(reason) }).next()).rejects.toBe(reason)
    const stop = new AbortController()
    const log = follow({ signal: stop.signal })
    await log.next()
    const next = log.next()
    stop.abort(reason)
    await expect(next).rejects.toBe(reason)
  })
})
