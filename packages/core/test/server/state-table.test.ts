import { aServer, given, serverIn } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { decideProcessEnded, decideRestartServer, decideStopServer } from '../../src/server/decide'
import type { ServerEvent } from '../../src/server/events'
import { canMoveServer, evolveServer, summaryOf } from '../../src/server/evolve'
import { type GameServer, SERVER_STATUSES, type ServerStatus } from '../../src/server/game-server'
import { SERVER_TRANSITIONS, type ServerTrigger } from '../../src/server/transitions'
import { next } from '../../src/shared/transitions'

const at = 5_000_000_000_000
const exit = (code: number | null) => ({ code, signal: code === null ? 'SIGKILL' : null, at })

/** Event that pulls each trigger of the table. */
const EVENTS: Readonly<Record<Exclude<ServerTrigger, 'create'>, ServerEvent>> = {
  ready: { type: 'server_running', at },
  stop: { type: 'server_stopping', stopReason: 'asked', cause: 'server_stopped' },
  exit: { type: 'server_stopped', exitCode: 0, stopReason: 'asked', at },
  fail: { type: 'server_failed', exitCode: 1, stopReason: 'crashed', at },
}
const triggers = Object.keys(EVENTS) as (keyof typeof EVENTS)[]
const pairs = SERVER_STATUSES.flatMap((from) =>
  triggers.map((trigger) => ({ from, trigger, to: next<ServerStatus>(SERVER_TRANSITIONS, from, trigger) })),
)

describe('the server state table, every status with every trigger', () => {
  it.each(pairs)('$from, $trigger: $to', ({ from, trigger, to }) => {
    const server = serverIn(from)
    expect(canMoveServer(server, trigger)).toBe(to !== undefined)
    const tell = () => given(server, evolveServer).when(() => [EVENTS[trigger]])
    if (to === undefined) expect(tell).toThrow(`a server that is ${from} cannot ${trigger}`)
    else expect(tell().state.status).toBe(to)
  })

  it('ends for good: nothing follows stopped or failed', () => {
    expect(
      SERVER_TRANSITIONS.filter(({ from }) => (from as string) === 'stopped' || (from as string) === 'failed'),
    ).toEqual([])
  })
})

describe('every status with every command', () => {
  const stop = (server: GameServer) => decideStopServer(server, 'asked', 'server_stopped')
  const restart = (server: GameServer) => decideRestartServer(server, at)
  it.each([
    ['launching', stop, ['server_stopping'], undefined],
    ['running', stop, ['server_stopping'], undefined],
    ['stopping', stop, [], undefined],
    ['stopped', stop, [], undefined],
    ['failed', stop, [], undefined],
    ['launching', restart, [], 'INVALID_SERVER_STATE'],
    ['running', restart, ['server_restarting'], undefined],
    ['stopping', restart, [], 'INVALID_SERVER_STATE'],
    ['stopped', restart, [], 'INVALID_SERVER_STATE'],
    ['failed', restart, [], 'INVALID_SERVER_STATE'],
  ] as const)('%s: %s', (status, decide, happened, rejected) => {
    expect(given(serverIn(status), evolveServer).when(decide)).toMatchObject({ happened, rejected })
  })
})

describe('an exit', () => {
  const ends = (server: GameServer, code: number | null) =>
    given(server, evolveServer).when((now) => decideProcessEnded(now, { attempt: now.attempt, exit: exit(code), at }))

  it('of a stopping server is what was asked for, whatever its code', () => {
    for (const code of [0, 1, null]) {
      const { state } = ends(serverIn('stopping', { stopReason: 'its match ended' }), code)
      expect(state).toMatchObject({ status: 'stopped', exitCode: code, stopReason: 'its match ended' })
    }
  })

  it.each([true, false])('with code 0 is a normal end (auto_restart %s)', (autoRestart) => {
    expect(ends(serverIn('running', { autoRestart }), 0).state).toMatchObject({ status: 'stopped', exitCode: 0 })
  })

  it('with another code fails a server that is not restarted', () => {
    expect(ends(serverIn('running'), 3).state).toMatchObject({
      status: 'failed',
      exitCode: 3,
      stopReason: 'exited with code 3',
    })
  })

  it('by a signal names it', () => {
    expect(ends(serverIn('running'), null).state).toMatchObject({ exitCode: null, stopReason: 'was ended by SIGKILL' })
  })

  it('is mended in place five times in a row with a growing back-off, and not a sixth time', () => {
    let server = serverIn('running', { autoRestart: true, launchedAt: at })
    const waits: number[] = []
    for (let crash = 1; crash <= 5; crash++) {
      server = ends(server, 1).state
      expect(server).toMatchObject({ status: 'running', restarts: crash, attempt: 1 + crash })
      waits.push((server.relaunchAt ?? 0) - at)
      server = evolveServer(server, { type: 'server_relaunched', at })
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000])
    expect(ends(server, 1).state.status).toBe('failed')
  })

  it('after a healthy minute counts as the first again', () => {
    const server = serverIn('running', { autoRestart: true, crashesInARow: 5, launchedAt: at - 60_000 })
    expect(ends(server, 1).state).toMatchObject({ status: 'running', crashesInARow: 1 })
  })

  it('never ends the meter before it began', () => {
    const server = serverIn('running', { runningAt: at + 10 })
    expect(ends(server, 0).state.stoppedAt).toBe(at + 10)
  })
})

describe('ttl and summary', () => {
  it('counts the ttl from running on', () => {
    const { state } = given(serverIn('launching', { ttlSeconds: 60 }), evolveServer).when(() => [EVENTS.ready])
    expect(state).toMatchObject({ runningAt: at, expiresAt: at + 60_000 })
  })

  it('keeps a cap that came while it was launching', () => {
    const { state } = given(serverIn('launching', { ttlSeconds: null, expiresAt: at + 5 }), evolveServer).when(() => [
      EVENTS.ready,
    ])
    expect(state.expiresAt).toBe(at + 5)
  })

  it('shows the ttl that a cap leaves, and never one that contradicts the end', () => {
    const capped = (server: GameServer) =>
      given(server, evolveServer).when(() => [{ type: 'server_ttl_capped', expiresAt: at + 90_000 }]).state
    expect(capped(serverIn('running', { runningAt: at, ttlSeconds: null }))).toMatchObject({ ttlSeconds: 90 })
    expect(capped(serverIn('running', { runningAt: at, ttlSeconds: 3_600 }))).toMatchObject({ ttlSeconds: 90 })
    const launching = capped(serverIn('launching', { createdAt: at - 10_000, ttlSeconds: null }))
    expect(launching).toMatchObject({ ttlSeconds: 100 })
    const { state } = given(launching, evolveServer).when(() => [EVENTS.ready])
    expect(state).toMatchObject({ runningAt: at, expiresAt: at + 90_000, ttlSeconds: 90 })
  })

  it('shows nothing of a server before its launch has ports', () => {
    expect(summaryOf(aServer())).toBeNull()
    expect(summaryOf(serverIn('launching'))).toMatchObject({ instanceId: 'srv_1', status: 'launching' })
    expect(summaryOf(serverIn('running', { matchId: null }))).toBeNull()
  })
})
