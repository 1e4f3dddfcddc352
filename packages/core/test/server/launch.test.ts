import { aServer, given, serverIn } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { capTtl, loseNode, NODE_GONE, relaunched } from '../../src/server/decide'
import { evolveServer } from '../../src/server/evolve'
import { type GameServer, MAX_LAUNCH_ATTEMPTS, SERVER_STATUSES } from '../../src/server/game-server'
import {
  attemptLaunch,
  becomeReady,
  currentSpawn,
  decideFailLaunch,
  decideGiveUpAttempt,
  declareReady,
  mayAttempt,
  tokenHolds,
} from '../../src/server/launch'

const at = 5_000
const attempt = { nodeId: 'node-1', networkPorts: [], buildId: 'bld_1', buildVersion: 3, at, launchTimeoutMs: 60_000 }
const trying = aServer({ attempt: 1, attemptOpen: true, launchAttempts: 1, nodeId: 'node-1' })
const others = SERVER_STATUSES.filter((status) => status !== 'launching')

describe('an attempt', () => {
  it('is recorded with its node, its build and the next number', () => {
    const server = aServer()
    const { state } = given(server, evolveServer).when((now) => attemptLaunch(now, server, attempt))
    expect(state).toMatchObject({ attempt: 1, attemptOpen: true, launchAttempts: 1, nodeId: 'node-1', buildVersion: 3 })
  })

  it.each([
    ['another attempt was recorded', { attempt: 1, attemptOpen: true }],
    ['its server is on its way out', { status: 'stopping' }],
    ['its server has ended', { status: 'failed' }],
  ] as const)('is not when %s since the look', (_why, since) => {
    const seen = aServer()
    expect(given(aServer(since), evolveServer).when((now) => attemptLaunch(now, seen, attempt)).happened).toEqual([])
  })

  it('is not when its server has joined the waiting line since the look, and is in its turn', () => {
    const waiting = aServer({ statusReason: 'waiting_for_room' })
    const tried = (seen: GameServer) => given(waiting, evolveServer).when((now) => attemptLaunch(now, seen, attempt))
    expect(tried(aServer()).happened).toEqual([])
    expect(tried(waiting).happened).toHaveLength(1)
  })

  it.each([
    [true, 1],
    [false, 0],
  ])('that is given up counts or not (%s)', (counts, launchAttempts) => {
    const { state } = given(trying, evolveServer).when((now) => decideGiveUpAttempt(now, trying, { counts }))
    expect(state).toMatchObject({ attemptOpen: false, launchAttempts, attempt: 1 })
  })

  it('is given up once', () => {
    const { state } = given(trying, evolveServer).when((now) => decideGiveUpAttempt(now, trying, { counts: true }))
    expect(decideGiveUpAttempt(state, trying, { counts: true })).toEqual([])
  })

  it('is the last one at the bound', () => {
    expect(mayAttempt(aServer({ launchAttempts: MAX_LAUNCH_ATTEMPTS - 1 }))).toBe(true)
    expect(mayAttempt(aServer({ launchAttempts: MAX_LAUNCH_ATTEMPTS }))).toBe(false)
  })
})

describe('a process that is ready', () => {
  it('makes its server run', () => {
    const { state } = given(trying, evolveServer).when((now) => becomeReady(now, { attempt: 1, at }))
    expect(state).toMatchObject({ status: 'running', runningAt: at })
  })

  it.each([
    ['of an earlier attempt', { attempt: 2 }],
    ['of an attempt that was given up', { attemptOpen: false }],
    ['of a server that is stopped meanwhile', { status: 'stopping' }],
  ] as const)('%s does not', (_which, over) => {
    expect(becomeReady({ ...trying, ...over }, { attempt: 1, at })).toEqual([])
  })

  it('may say so itself, again too, but not for an attempt that is over', () => {
    const declare = (server: GameServer) => declareReady(server, { attempt: 1, at })
    expect(given(trying, evolveServer).when(declare).happened).toEqual(['server_running'])
    expect(given(serverIn('running', { attempt: 1 }), evolveServer).when(declare)).toMatchObject({ happened: [] })
    expect(given({ ...trying, attemptOpen: false }, evolveServer).when(declare).rejected).toBe('INVALID_SERVER_STATE')
    expect(given({ ...trying, attempt: 2 }, evolveServer).when(declare).rejected).toBe('INVALID_SERVER_STATE')
  })
})

describe('a launch that comes to nothing', () => {
  const fail = (server: GameServer, seen = server) =>
    decideFailLaunch(server, seen, { stopReason: 'no ports', exitCode: null, at })

  it.each([
    ['its attempt was given up', { attemptOpen: false }],
    ['it waits until a later deadline', { launchDeadlineAt: trying.launchDeadlineAt + 1 }],
  ])('goes on when %s after the caller read it', (_, changed) => {
    expect(fail({ ...trying, ...changed }, trying)).toEqual([])
  })

  it('fails its server', () => {
    expect(given(trying, evolveServer).when(fail).state).toMatchObject({ status: 'failed', stopReason: 'no ports' })
  })

  it.each(others)('means nothing to one that is %s', (status) => {
    expect(fail(serverIn(status))).toEqual([])
  })
})

describe('the node of a server is gone', () => {
  const lose = (server: GameServer) => loseNode(server, { nodeId: 'node-1', attempt: 1, at })

  it.each([
    ['running', 'failed'],
    ['stopping', 'stopped'],
  ] as const)('one that was %s has %s', (status, to) => {
    const { state } = given(serverIn(status, { nodeId: 'node-1', attempt: 1 }), evolveServer).when(lose)
    expect(state).toMatchObject({ status: to, stopReason: NODE_GONE, stoppedAt: expect.any(Number) })
  })

  it('an open attempt is given up and does not count, so that another node makes the next one; one that was given up is bound to no node', () => {
    expect(given(trying, evolveServer).when(lose).state).toMatchObject({
      status: 'launching',
      attemptOpen: false,
      launchAttempts: 0,
    })
    expect(lose({ ...trying, attemptOpen: false })).toEqual([])
  })

  it.each([
    ['lives elsewhere', { nodeId: 'node-2' }],
    ['was started again', { attempt: 2 }],
  ])('one that %s is let be', (_why, over) => {
    expect(lose(serverIn('running', { nodeId: 'node-1', attempt: 1, ...over }))).toEqual([])
  })
})

describe('the next process of a running server', () => {
  const waiting = serverIn('running', { attempt: 2, relaunchAt: 4_000, autoRestart: false })
  const end = (result: Parameters<typeof relaunched>[1]['result'], over: Partial<GameServer> = {}) =>
    given({ ...waiting, ...over }, evolveServer).when((now) => relaunched(now, { attempt: 2, result, at }))

  it('runs', () => {
    expect(end({ ok: true }).state).toMatchObject({ status: 'running', relaunchAt: null, launchedAt: at })
  })

  it('that cannot start is as a crash: tried again where the server asks for it', () => {
    const result = { ok: false, reason: 'retry', message: 'no memory' } as const
    expect(end(result).state).toMatchObject({ status: 'failed', stopReason: 'no memory' })
    expect(end(result, { autoRestart: true }).happened).toEqual(['server_crashed'])
  })

  it('that can never start fails its server, whatever it asks for', () => {
    const result = { ok: false, reason: 'final', message: 'its build is gone' } as const
    expect(end(result, { autoRestart: true }).state).toMatchObject({
      status: 'failed',
      stopReason: 'its build is gone',
    })
  })

  it('means nothing once another was asked for', () => {
    expect(end({ ok: true }, { attempt: 3 }).happened).toEqual([])
  })
})

describe('a cap on the time that a server may live', () => {
  const cap = { before: 2_000, expiresAt: 9_000 }
  it.each([
    ['one from before it that would live for ever', { createdAt: 1_000, expiresAt: null }, true],
    ['one from before it that would outlive it', { createdAt: 1_000, expiresAt: 10_000 }, true],
    ['not one that ends in time', { createdAt: 1_000, expiresAt: 9_000 }, false],
    ['not one made after it', { createdAt: 2_000, expiresAt: null }, false],
    ['not one that is stopping', { createdAt: 1_000, expiresAt: null, status: 'stopping' }, false],
  ] as const)('binds %s', (_which, over, binds) => {
    expect(capTtl(serverIn('running', over), cap)).toEqual(
      binds ? [{ type: 'server_ttl_capped', expiresAt: 9_000 }] : [],
    )
  })
})

describe('the token of one spawn', () => {
  it.each([
    ['holds while its server runs', serverIn('running', { attempt: 1 }), true],
    ['holds while it is stopped', serverIn('stopping', { attempt: 1 }), true],
    ['ends with its server', serverIn('stopped', { attempt: 1 }), false],
    ['ends with the next spawn', serverIn('running', { attempt: 2 }), false],
    ['ends with a record that is gone', undefined, false],
  ] as const)('%s', (_what, server, holds) => {
    expect(tokenHolds(server, 1).ok).toBe(holds)
    if (server !== undefined) expect(currentSpawn(server, 1).ok).toBe(server.attempt === 1)
  })
})
