import { given, serverIn } from '@matchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decideProcessEnded,
  decideRestartServer,
  decideStopServer,
  failedToComeUp,
  relaunched,
} from '../../src/server/decide'
import { evolveServer, evolveServerAll } from '../../src/server/evolve'
import {
  awaitsRelaunch,
  type GameServer,
  HEALTHY_AFTER_MS,
  isComingUp,
  MAX_CRASHES_IN_A_ROW,
} from '../../src/server/game-server'
import { becomeReady, declareReady } from '../../src/server/launch'

const at = 5_000_000
const withinMs = 60_000
const LACKS = 'udp 7777 is not bound'
const inTime = (server: GameServer, over: { attempt?: number; lacks?: string } = {}) =>
  failedToComeUp(server, { attempt: server.attempt, withinMs, lacks: undefined, at, ...over })
const comingUp = (over: Partial<GameServer> = {}) =>
  serverIn('running', { attempt: 2, comingUp: 2, runningAt: 0, launchedAt: at - withinMs, ...over })

describe('the process by which a server was restarted', () => {
  it('is still to come up once it is spawned, until it is ready', () => {
    const { state: asked } = given(serverIn('running'), evolveServer).when((now) => decideRestartServer(now, at))
    expect([awaitsRelaunch(asked), isComingUp(asked)]).toEqual([true, false])
    const { state: spawned } = given(asked, evolveServer).when((now) =>
      relaunched(now, { attempt: 2, result: { ok: true }, at }),
    )
    expect([awaitsRelaunch(spawned), isComingUp(spawned)]).toEqual([false, true])
    const { state: up } = given(spawned, evolveServer).when((now) => becomeReady(now, { attempt: 2, at: at + 9_000 }))
    expect([awaitsRelaunch(up), isComingUp(up)]).toEqual([false, false])
    expect(up).toMatchObject({ status: 'running', launchedAt: at + 9_000, runningAt: serverIn('running').runningAt })
    expect(up).not.toHaveProperty('comingUp')
  })

  it('may say itself that it is ready, also before its spawning is written down, and again', () => {
    const ready = (server: GameServer) => declareReady(server, { attempt: 2, at })
    for (const server of [comingUp(), serverIn('running', { attempt: 2, relaunchAt: at })]) {
      const { state, happened } = given(server, evolveServer).when(ready)
      expect(happened).toEqual(['server_up_again'])
      expect(given(state, evolveServer).when(ready).happened).toEqual([])
      const late = given(state, evolveServer).when((now) => relaunched(now, { attempt: 2, result: { ok: true }, at }))
      expect(isComingUp(late.state)).toBe(false)
    }
  })

  it('that is not ready in time is one more crash, and says what it lacked', () => {
    const { state, events } = given(comingUp({ autoRestart: true, crashesInARow: 1 }), evolveServer).when((now) =>
      inTime(now, { lacks: LACKS }),
    )
    const reason = `was not ready within 60 s of its restart: ${LACKS}`
    expect(events).toMatchObject([{ type: 'server_crashed', reason, exitCode: null }])
    expect(state).toMatchObject({ status: 'running', crashesInARow: 2, relaunchAt: at + 2_000, attempt: 3 })
    expect(isComingUp(state)).toBe(false)
  })

  it('fails a server that is not restarted by itself, and its meter ends there', () => {
    expect(given(comingUp(), evolveServer).when(inTime).state).toMatchObject({
      status: 'failed',
      exitCode: null,
      stopReason: 'was not ready within 60 s of its restart',
      stoppedAt: at,
    })
  })

  it.each([
    ['that is ready', serverIn('running', { attempt: 2 })],
    ['of which a release before says nothing', serverIn('running', { attempt: 2, restarts: 1 })],
    ['that a release before spawned after another one', comingUp({ attempt: 3 })],
    ['that is still to be spawned', comingUp({ relaunchAt: at })],
    ['of a server that is stopped', comingUp({ status: 'stopping' })],
    ['of a server that is launched', comingUp({ status: 'launching' })],
    ['of a server that has ended', comingUp({ status: 'failed' })],
  ] as const)('is let be: one %s', (_which, server) => {
    expect(inTime(server)).toEqual([])
  })

  it('is let be after another restart', () => {
    expect(inTime(comingUp(), { attempt: 1 })).toEqual([])
  })

  it('was not healthy for having taken long', () => {
    const server = comingUp({ autoRestart: true, crashesInARow: MAX_CRASHES_IN_A_ROW, launchedAt: at - 10 * withinMs })
    const exit = { code: 1, signal: null, at }
    const stopReason = 'crashed 6 times in a row; the last time it exited with code 1'
    expect(
      given(server, evolveServer).when((now) => decideProcessEnded(now, { attempt: 2, exit, at })).state,
    ).toMatchObject({
      status: 'failed',
      stopReason,
    })
  })

  it.each([
    [HEALTHY_AFTER_MS - 1, 4],
    [HEALTHY_AFTER_MS, 1],
  ])(
    'that crashes %i ms after its start is crash number %i in a row, however long ago the server first ran',
    (upMs, crashesInARow) => {
      const server = serverIn('running', { autoRestart: true, crashesInARow: 3, runningAt: 0, launchedAt: at - upMs })
      const { state } = given(server, evolveServer).when((now) =>
        decideProcessEnded(now, { attempt: 1, exit: { code: 1, signal: null, at }, at }),
      )
      expect(state).toMatchObject({ status: 'running', crashesInARow })
    },
  )

  it('that cannot be spawned time and again uses up its restarts, however long the one before it had run', () => {
    let server = serverIn('running', { autoRestart: true, launchedAt: 0 })
    const result = { ok: false, reason: 'retry', message: 'no memory' } as const
    server = evolveServerAll(
      server,
      decideProcessEnded(server, { attempt: 1, exit: { code: 1, signal: null, at }, at }),
      at,
    )
    for (let tries = 0; server.status === 'running' && tries < 20; tries++) {
      server = evolveServerAll(server, relaunched(server, { attempt: server.attempt, result, at }), at)
    }
    expect(server).toMatchObject({ status: 'failed', restarts: MAX_CRASHES_IN_A_ROW })
  })
})

describe('whatever becomes of restarts', () => {
  const step = fc.constantFrom('spawned', 'refused', 'ready', 'late', 'exit', 'restart', 'stop', 'minute')
  type Step = Parameters<Parameters<typeof step.map>[0]>[0]

  function after(server: GameServer, what: Step, now: number): GameServer {
    const { attempt } = server
    const refused = { ok: false, reason: 'retry', message: 'no memory' } as const
    const events = {
      spawned: () => relaunched(server, { attempt, result: { ok: true }, at: now }),
      refused: () => relaunched(server, { attempt, result: refused, at: now }),
      ready: () => becomeReady(server, { attempt, at: now }),
      late: () => failedToComeUp(server, { attempt, withinMs, lacks: undefined, at: now }),
      exit: () => decideProcessEnded(server, { attempt, exit: { code: 1, signal: null, at: now }, at: now }),
      restart: () => {
        const decision = decideRestartServer(server, now)
        return decision.ok ? decision.events : []
      },
      stop: () => decideStopServer(server, 'asked', 'server_stopped'),
      minute: () => [],
    }
    return evolveServerAll(server, events[what](), now)
  }

  it('nobody crashes more often in a row than allowed, the meter runs on, and only who was up for a minute begins anew', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), (steps, autoRestart) => {
        let server = serverIn('running', { autoRestart, runningAt: at, launchedAt: at })
        let now = at
        for (const what of steps) {
          now += what === 'minute' ? 60_000 : 1_000
          const was = server
          server = after(server, what, now)
          expect(server.crashesInARow).toBeLessThanOrEqual(MAX_CRASHES_IN_A_ROW)
          expect(server.runningAt).toBe(at)
          const crashed = server.status === 'running' && server.crashesInARow !== was.crashesInARow
          const wasUp = !awaitsRelaunch(was) && !isComingUp(was)
          if (crashed && server.crashesInARow <= was.crashesInARow) expect(wasUp).toBe(true)
          if (what === 'late' && was.status === 'running' && !isComingUp(was)) expect(server).toEqual(was)
        }
      }),
    )
  })
})
