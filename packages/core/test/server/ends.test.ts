import { serverIn } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { decideExpireServer, decideProcessEnded, decideRestartServer, describeExit } from '../../src/server/decide'

const at = 5_000

describe('the end of a server', () => {
  it('is told by the reason, the signal or the code of the exit, and as unseen where there is none of them', () => {
    const told = [
      describeExit({ code: null, signal: 'SIGSEGV', reason: 'ran out of memory', at }),
      describeExit({ code: null, signal: 'SIGSEGV', at }),
      describeExit({ code: 3, signal: null, at }),
      describeExit({ code: null, signal: null, at }),
    ]
    expect(told).toEqual([
      'ran out of memory',
      'was ended by SIGSEGV',
      'exited with code 3',
      'ended, and its exit code is unknown',
    ])
  })

  it('holds a signal only where there was one', () => {
    const ended = (signal: string | null) =>
      decideProcessEnded(serverIn('running', { attempt: 1 }), { attempt: 1, exit: { code: null, signal, at }, at })
    expect(ended('SIGKILL')).toMatchObject([{ exitCode: null, exitSignal: 'SIGKILL' }])
    expect(ended(null)[0]).not.toHaveProperty('exitSignal')
  })

  it('comes from the instant of its ttl on, and not before; without a ttl never', () => {
    const stops = (expiresAt: number | null) => decideExpireServer(serverIn('running', { expiresAt }), at)
    expect(stops(at)).toMatchObject([{ type: 'server_stopping', cause: 'server_expired' }])
    expect([stops(at + 1), stops(null)]).toEqual([[], []])
  })

  it('is no moment for a restart, and the refusal names server and status', () => {
    const server = serverIn('stopping')
    expect(decideRestartServer(server, at)).toMatchObject({
      rejected: {
        code: 'INVALID_SERVER_STATE',
        detail: `only a running server can be restarted; ${server.id} is stopping`,
        details: { status: 'stopping' },
      },
    })
  })
})
