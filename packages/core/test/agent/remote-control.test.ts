import type { PortRequest } from '@matchyard/core'
import { type Orchestrator, warmKey } from '@matchyard/core/ports'
import { describe, expect, it } from 'vitest'
import { control, FACTS, HOST, outcomeOf, specOf, still } from './linked'

const unavailable = (message: RegExp) =>
  expect.objectContaining({ code: 'UNAVAILABLE', detail: expect.stringMatching(message) })

const DIGEST = `sha256:${'a'.repeat(64)}`

describe('a remote control', () => {
  it('has the properties that the agent told, and none before', () => {
    const { orchestrator, connect } = control()
    expect(orchestrator).toMatchObject({ name: 'agents', regions: [], limits: {} })
    expect(orchestrator.capabilities.buildTypes).toEqual([])
    connect()
    const { regions, limits, capabilities } = FACTS
    expect(orchestrator).toMatchObject({ regions, limits, capabilities })
  })

  it('shows at most 64 limitations of 1,000 characters each', () => {
    const { orchestrator, connect } = control()
    const limitations = Array.from({ length: 70 }, () => `\u001b${'x'.repeat(2_000)}`)
    connect({ capabilities: { ...FACTS.capabilities, limitations } })
    const shown = orchestrator.capabilities.limitations
    expect(shown).toHaveLength(64)
    expect(shown[0]).toBe(`\\u001b${'x'.repeat(999)}`)
  })

  it('fails all calls when it is closed', async () => {
    const { clock, remote, orchestrator, connect } = control()
    connect()
    const observe = outcomeOf(orchestrator.observe())
    remote.close()
    await still()
    expect(observe.error).toEqual(unavailable(/not connected/))
    await expect(orchestrator.observe()).rejects.toEqual(unavailable(/not connected/))
    expect(clock.waiting).toBe(0)
  })

  it('sends a call and settles it by the answer', async () => {
    const { orchestrator, sent, connect } = control()
    const { answer } = connect()
    const launch = orchestrator.launch(specOf('srv_1'))
    expect(sent).toEqual([{ number: 1, call: 'launch', spec: specOf('srv_1') }])
    expect(answer({ ok: true })).toBe('heard')
    expect(await launch).toEqual({ ok: true })
  })

  it('fails a call with the error of the agent', async () => {
    const { orchestrator, connect } = control()
    const { report } = connect()
    const [stop, launch] = [
      orchestrator.stop('srv_1', { graceMs: 1 }).catch((error: unknown) => error),
      orchestrator.launch(specOf('srv_1')),
    ]
    const error = `the engine is down\u001b[2J${'x'.repeat(5_000)}`
    report({ answers: [1, 2].map((number) => ({ number, error })) })
    expect(await stop).toEqual(unavailable(/^the machine fra-1 could not carry out a call: the engine is down\\u001b/))
    expect(((await stop) as Error).message.length).toBeLessThan(1_200)
    expect(await launch).toMatchObject({ ok: false, reason: 'away', message: expect.stringMatching(/engine is down/) })
  })

  it('sends calls without an answer again on the next stream', async () => {
    const { clock, remote, orchestrator, sent, connect } = control()
    connect()
    const launch = orchestrator.launch(specOf('srv_1'))
    remote.cut()
    const observe = orchestrator.observe('srv_1')
    expect(sent).toHaveLength(1)
    clock.advance(9_000)
    const { report } = connect()
    expect(sent.slice(1)).toMatchObject([
      { number: 3, call: 'launch' },
      { number: 4, call: 'observe', of: 'srv_1' },
    ])
    report({
      answers: [
        { number: 3, value: { ok: true } },
        { number: 4, value: [] },
      ],
    })
    expect(await launch).toEqual({ ok: true })
    expect(await observe).toEqual([])
  })

  it('fails calls that wait longer than 10 seconds for a stream, and the next calls at once', async () => {
    const { clock, remote, orchestrator, connect } = control()
    connect()
    remote.cut()
    const launch = outcomeOf(orchestrator.launch(specOf('srv_1')))
    clock.advance(9_999)
    await still()
    expect(launch.state).toBe('open')
    clock.advance(1)
    await still()
    expect(launch.value).toMatchObject({ ok: false, reason: 'away' })
    await expect(orchestrator.observe()).rejects.toEqual(unavailable(/its agent is not connected/))
    connect()
    expect(remote.isConnected).toBe(true)
  })

  it('ends a call without an answer at its timeout', async () => {
    const { clock, orchestrator, connect } = control()
    connect()
    const calls = {
      observe: outcomeOf(orchestrator.observe()),
      launch: outcomeOf(orchestrator.launch(specOf('srv_1'))),
      image: outcomeOf(orchestrator.prepareImage('games/arena:1', () => {})),
    }
    const openAt = async (ms: number) => {
      clock.advanceTo(ms)
      await still()
      return Object.entries(calls).flatMap(([name, { state }]) => (state === 'open' ? [name] : []))
    }
    const start = clock.now()
    expect(await openAt(start + 9_999)).toEqual(['observe', 'launch', 'image'])
    expect(await openAt(start + 10_000)).toEqual(['launch', 'image'])
    expect(await openAt(start + 20_000)).toEqual(['image'])
    expect(await openAt(start + 600_000)).toEqual([])
    expect(calls.observe.error).toEqual(unavailable(/did not answer the call observe within 10 s/))
    expect(calls.launch.value).toMatchObject({ reason: 'away' })
  })

  it('treats a stream that takes no more calls as cut', () => {
    const { remote, orchestrator, connect, refuseCalls, sent } = control()
    connect()
    refuseCalls()
    outcomeOf(orchestrator.observe())
    expect(remote.isConnected).toBe(false)
    connect()
    expect(sent).toMatchObject([{ call: 'observe' }])
  })

  it('ignores the end of a stream that another has replaced', () => {
    const { remote, connect } = control()
    const { session } = connect()
    connect()
    remote.cut(session)
    expect(remote.isConnected).toBe(true)
  })

  it('does not send a stop again after a launch of the same instance', async () => {
    const { remote, orchestrator, sent, connect } = control()
    connect()
    const stop = outcomeOf(orchestrator.stop('srv_1', { graceMs: 1 }))
    const other = outcomeOf(orchestrator.stop('srv_2', { graceMs: 1 }))
    outcomeOf(orchestrator.launch(specOf('srv_1', { attempt: 2 })))
    outcomeOf(orchestrator.forget('srv_1'))
    remote.cut()
    connect()
    await still()
    expect(sent.slice(4).map(({ call }) => call)).toEqual(['stop', 'launch', 'forget'])
    expect(stop.error).toEqual(unavailable(/lost its connection/))
    expect(other.state).toBe('open')
  })

  it('holds at most 1,024 calls without an answer', async () => {
    const { orchestrator, sent, connect } = control()
    connect()
    for (let i = 0; i < 1_024; i++) outcomeOf(orchestrator.observe())
    await expect(orchestrator.observe()).rejects.toEqual(unavailable(/has not answered 1024 calls/))
    expect(await orchestrator.launch(specOf('srv_1'))).toMatchObject({ ok: false, reason: 'away' })
    expect(sent).toHaveLength(1_024)
  })

  it('holds at most 16 MiB of calls without an answer', async () => {
    const { orchestrator, sent, connect } = control()
    connect()
    const config = { text: 'x'.repeat(250 * 1_024) }
    for (let i = 0; i < 65; i++) outcomeOf(orchestrator.launch(specOf(`srv_${i}`, { config })))
    expect(await orchestrator.launch(specOf('srv_x', { config }))).toMatchObject({ ok: false, reason: 'away' })
    expect(sent).toHaveLength(65)
  })

  it('sends no call of more than 256 KiB', async () => {
    const { orchestrator, sent, connect } = control()
    connect()
    const config = { text: 'x'.repeat(256 * 1_024) }
    const result = await orchestrator.launch(specOf('srv_1', { config }))
    expect(result).toMatchObject({ ok: false, reason: 'final', message: expect.stringMatching(/at most 262144 bytes/) })
    const held = async () =>
      Array.from({ length: 8_000 }, (_, i) => ({ instanceId: `srv_${i}`, tierSize: { cpus: 1, memoryGib: 1 } }))
    const wish = { instanceId: 'srv_1', region: 'fra', tier: '1x-1g', tierSize: { cpus: 1, memoryGib: 1 } } as const
    await expect(orchestrator.admit({ ...wish, archiveOf: null, held })).rejects.toEqual(unavailable(/at most/))
    expect(sent).toEqual([])
  })

  it('limits an observation to at most 1,000 instances, and asks for all past it', () => {
    const { orchestrator, sent, connect } = control()
    connect()
    const ids = (count: number) => new Set(Array.from({ length: count }, (_, i) => `srv_${i}`))
    outcomeOf(orchestrator.observe(undefined, { among: ids(1_000) }))
    outcomeOf(orchestrator.observe(undefined, { among: ids(1_001) }))
    expect(sent).toMatchObject([{ among: expect.any(Array) }, {}])
    expect(sent[1]).not.toHaveProperty('among')
  })

  it('sends a pool without a maximum as one without a maximum', () => {
    const { orchestrator, sent, connect } = control()
    connect()
    const { instanceId: _, attempt: __, ...shape } = specOf('srv_1')
    outcomeOf(orchestrator.keepWarm([{ ...shape, min: 1, buffer: 1, most: Number.POSITIVE_INFINITY }]))
    expect(JSON.parse(JSON.stringify(sent[0])).pools[0]).not.toHaveProperty('most')
  })
})

describe('a batch of an agent', () => {
  it('counts once, and only in its session and in order', async () => {
    const { remote, orchestrator, connect } = control()
    const first = connect()
    expect(first.report({})).toBe('heard')
    const { session } = connect()
    expect(first.report({})).toBe('foreign')
    outcomeOf(orchestrator.observe())
    const batch = { session, number: 1, answers: [], hints: ['srv_1'] }
    const heard: string[] = []
    orchestrator.subscribe((id) => heard.push(id))
    expect([remote.hear(batch), remote.hear(batch)]).toEqual(['heard', 'repeated'])
    expect(remote.hear({ ...batch, number: 3 })).toBe('foreign')
    expect(heard).toEqual(['srv_1'])
  })

  it('keeps the load, and passes hints on', () => {
    const { clock, remote, orchestrator, connect } = control()
    const heard: string[] = []
    const end = orchestrator.subscribe((id) => heard.push(id))
    const { report } = connect()
    clock.advance(1_000)
    report({ hints: ['srv_1', 'srv_1', ''], load: { cpuPercent: 12, memoryMb: 300 } })
    expect(remote.heardAt).toBe(clock.now())
    report({ load: { cpuPercent: -1, memoryMb: 300 } })
    expect(remote.load).toEqual({ cpuPercent: 12, memoryMb: 300 })
    // The first hint is of the new stream.
    expect(heard).toEqual(['', 'srv_1', ''])
    end()
    report({ hints: ['srv_2'] })
    expect(heard).toHaveLength(3)
  })

  it('with more than 4,096 hints gives one hint without an instance', () => {
    const { orchestrator, connect } = control()
    const { report } = connect()
    const heard: string[] = []
    orchestrator.subscribe((id) => heard.push(id))
    report({ hints: Array.from({ length: 4_097 }, (_, i) => `srv_${i}`) })
    expect(heard).toEqual([''])
  })

  it('of any shape is survived, and each fault is logged once a minute', () => {
    const { clock, logger, connect } = control()
    const { report } = connect()
    const answers = [null, 7, {}, { number: 'x' }, { number: 99, value: 1 }, { number: -1, error: 'x' }]
    const wrong = { answers, hints: [7, null, 'x'.repeat(500)], load: 'much' } as never
    for (let i = 0; i < 50; i++) expect(report(wrong)).toBe('heard')
    expect(report({ answers: 'none', hints: 'none' } as never)).toBe('heard')
    expect(logger.lines.map(({ message }) => message)).toEqual([
      'the agent of a machine answered a call that was not made',
    ])
    clock.advance(60_000)
    report(wrong)
    expect(logger.lines[1]?.fields).toMatchObject({ machine: 'fra-1', omitted: 299 })
  })

  it('reads at most 1,024 answers', () => {
    const { logger, connect } = control()
    const { report } = connect()
    report({ answers: Array.from({ length: 2_000 }, (_, i) => ({ number: i + 1, value: null })) })
    expect(logger.lines[0]).toMatchObject({ message: 'the agent of a machine sent more answers than calls' })
  })
})

describe('an answer of an agent', () => {
  const GAME: PortRequest = { name: 'game', protocol: 'udp', internalPort: 7_000, tlsEnabled: false }
  const CHAT: PortRequest = { name: 'chat', protocol: 'tcp+udp', internalPort: 7_001, tlsEnabled: false }
  const given = (request: PortRequest, externalPort: number) => ({ ...request, externalPort, host: 'evil.example' })
  const seen = { instanceId: 'srv_1', attempt: 1, state: 'ready', exit: null }
  const exited = { ...seen, state: 'exited', exit: { code: 0, signal: null, at: 5 } }

  /** Returns the result of a call that the agent answers with this value. */
  async function answered<T>(make: (orchestrator: Orchestrator) => Promise<T>, value: unknown) {
    const { clock, logger, orchestrator, connect } = control()
    const { answer } = connect()
    const call = make(orchestrator)
    // `admit` reads the records before it is sent.
    await still()
    answer(JSON.parse(JSON.stringify(value)))
    const result = await call.catch((error: unknown) => error)
    return { result, clock, logger }
  }
  const observe = (orchestrator: Orchestrator) => orchestrator.observe()
  const propose = (orchestrator: Orchestrator) => orchestrator.proposePorts([GAME, CHAT])
  const logs = (orchestrator: Orchestrator) => orchestrator.logs('srv_1', { limit: 2 })
  const image = (orchestrator: Orchestrator) => orchestrator.prepareImage('games/arena:1', () => {})

  it.each([
    ['no list', observe, { servers: [] }],
    ['a number as a list', observe, 7],
    ['a server without an id', observe, [seen, { ...seen, instanceId: undefined }]],
    ['an id that is too long', observe, [{ ...seen, instanceId: 'x'.repeat(129) }]],
    ['an attempt that is no number', observe, [{ ...seen, attempt: '1' }]],
    ['an unknown state', observe, [{ ...seen, state: 'gone' }]],
    ['a ready server that has ended', observe, [{ ...exited, state: 'ready' }]],
    ['a port out of range', observe, [{ ...seen, networkPorts: [given(GAME, 70_000)] }]],
    ['17 ports', observe, [{ ...seen, networkPorts: Array.from({ length: 17 }, () => given(GAME, 1)) }]],
    ['8,193 processes', observe, Array.from({ length: 8_193 }, () => seen)],
    ['an end before all time', observe, [{ ...exited, exit: { ...exited.exit, at: -1 } }]],
    ['a port too few', propose, [given(GAME, 1)]],
    ['ports in another order', propose, [given(CHAT, 1), given(GAME, 2)]],
    ['another protocol', propose, [given({ ...GAME, protocol: 'tcp' }, 1), given(CHAT, 2)]],
    ['one number twice', propose, [given(GAME, 1), given(CHAT, 1)]],
    ['port 0', propose, [given(GAME, 0), given(CHAT, 1)]],
    ['more lines than asked for', logs, [1, 2, 3].map((at) => ({ at, stream: 'stdout', message: 'x' }))],
    ['a line of no stream', logs, [{ at: 1, stream: 'x', message: 'x' }]],
    ['another image', image, { ok: true, image: 'games/other@sha256:0', sizeBytes: 1 }],
    ['an image of another registry', image, { ok: true, image: `evil.example/games/arena@${DIGEST}`, sizeBytes: 1 }],
    ['any content of its engine', image, { ok: true, image: DIGEST, sizeBytes: 1 }],
    ['a result of a stop', (orchestrator: Orchestrator) => orchestrator.stop('srv_1', { graceMs: 1 }), 'done'],
    [
      'a reason that room does not have',
      (o: Orchestrator) => o.admit({ ...WISH, held: async () => [] }),
      { ok: false },
    ],
    ['no pools', (orchestrator: Orchestrator) => orchestrator.keepWarm([]), 'all'],
  ] as const)('with %s fails the call', async (_name, make, value) => {
    const { result, logger } = await answered<unknown>(make, value)
    expect(result).toEqual(unavailable(/that is not valid/))
    expect(logger.lines).toMatchObject([{ message: 'the agent of a machine gave an answer that is not valid' }])
  })

  it('to a launch with an unknown reason counts as away', async () => {
    const { result } = await answered((o) => o.launch(specOf('srv_1')), { ok: false, reason: 'mood', message: '' })
    expect(result).toMatchObject({ ok: false, reason: 'away' })
  })

  it('never says a time of the future', async () => {
    const far = Number.MAX_SAFE_INTEGER
    const starting = { ...seen, state: 'starting', startedAt: far }
    const { result, clock } = await answered(observe, [
      { ...exited, exit: { code: 1, signal: null, at: far } },
      starting,
    ])
    expect(result).toMatchObject([{ exit: { at: clock.now() } }, { startedAt: clock.now() }])
    const lines = await answered(logs, [{ at: far, stream: 'stdout', message: 'x'.repeat(70_000) }])
    expect(lines.result).toMatchObject([{ at: lines.clock.now(), message: 'x'.repeat(65_536) }])
  })

  it('gives ports at the address of the machine alone', async () => {
    const { result } = await answered(observe, [{ ...seen, networkPorts: [given(GAME, 7)], extra: 'field' }])
    expect(result).toEqual([{ ...seen, networkPorts: [{ ...GAME, externalPort: 7, host: HOST }] }])
    const proposed = await answered(propose, [given({ ...GAME, internalPort: 1 }, 7), given(CHAT, 8)])
    expect(proposed.result).toEqual([
      { ...GAME, externalPort: 7, host: HOST },
      { ...CHAT, externalPort: 8, host: HOST },
    ])
    expect((await answered(propose, 'later')).result).toBe('later')
  })

  it('names waiting servers of asked pools alone', async () => {
    const { result } = await answered((o) => o.keepWarm([]), [{ key: 'mine', ready: ['warm_1'] }])
    expect(result).toEqual([])
  })

  it('names at most as many waiting servers as were asked for, each once', async () => {
    const { instanceId: _, attempt: __, ...shape } = specOf('srv_1')
    const pool = { ...shape, min: 1, buffer: 2 }
    const key = warmKey(pool)
    const lie = [
      { key, ready: ['a', 'a', 'b', 'c'] },
      { key, ready: ['d'] },
    ]
    const { result } = await answered((o) => o.keepWarm([pool]), lie)
    expect(result).toEqual([{ key, ready: ['a', 'b'] }])
    const gone = { ...pool, min: 0, buffer: 0 }
    expect((await answered((o) => o.keepWarm([gone]), lie)).result).toEqual([{ key, ready: ['a'] }])
  })

  it.each([
    ['games/arena:1', `docker.io/games/arena@${DIGEST}`],
    ['docker.io/games/arena:1', `games/arena@${DIGEST}`],
    ['docker.io/library/node', `node@${DIGEST}`],
    ['ghcr.io/games/arena:1', `ghcr.io/games/arena@${DIGEST}`],
    ['local/arena:1', DIGEST],
  ])('fixes the digest of the asked image %s as %s', async (asked, fixed) => {
    const check = (orchestrator: Orchestrator) => orchestrator.prepareImage(asked, () => {})
    expect((await answered(check, { ok: true, image: fixed, sizeBytes: 1 })).result).toMatchObject({ image: fixed })
  })

  const WISH = {
    ...({ instanceId: 'srv_1', region: 'fra', tier: '1x-1g', tierSize: { cpus: 1, memoryGib: 1 } } as const),
    archiveOf: null,
  }
})
