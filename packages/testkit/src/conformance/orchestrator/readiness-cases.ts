import assert from 'node:assert/strict'
import type { LaunchSpec } from '@matchyard/core/ports'
import { area, type OrchestratorUnderTest } from './harness'
import { CONTROL, GAME, LATE, placed, port, seen, specFor, untilState } from './launches'
import { occupy } from './occupy'
import { echoes, eventually, reportOf, tell } from './probe-client'

const it = area('readiness')

/**
 * Whether the orchestrator cannot find out on this machine which process has bound a datagram port. The orchestrator
 * must state this limitation in its capabilities.
 */
const isBlind = ({ orchestrator }: OrchestratorUnderTest): boolean =>
  orchestrator.capabilities.limitations.some((sentence) => /UDP ports.*not observed/.test(sentence))

async function launched(subject: OrchestratorUnderTest, options: Parameters<typeof specFor>[1]): Promise<LaunchSpec> {
  const spec = await specFor(subject, options)
  assert.deepEqual(await subject.orchestrator.launch(spec), { ok: true })
  return placed(subject, spec)
}

async function assertStarting(subject: OrchestratorUnderTest, { instanceId }: LaunchSpec): Promise<void> {
  const states = (await seen(subject.orchestrator, instanceId)).map(({ state }) => state)
  assert.deepEqual(states, ['starting'])
}

/**
 * Waits until the orchestrator reports (in `waitsFor`) a missing condition that matches `words`, and returns that
 * report.
 */
const untilSaid = (subject: OrchestratorUnderTest, { instanceId }: LaunchSpec, words: RegExp): Promise<string> =>
  eventually(`it is said that ${words}`, async () => {
    const waitsFor = (await seen(subject.orchestrator, instanceId))[0]?.waitsFor
    return waitsFor !== undefined && words.test(waitsFor) && waitsFor
  })

export const readinessCases = [
  it('comes when every TCP port accepts, and not before', async (subject) => {
    const spec = await launched(subject, { requests: [CONTROL, LATE], startupArgs: '--late PORT_LATE' })
    await reportOf(port(spec))
    await assertStarting(subject, spec)
    await tell(port(spec), { do: 'listen', name: 'PORT_LATE' })
    await untilState(subject.orchestrator, spec, 'ready')
  }),

  it('comes when datagram ports are bound, where a server has no others', async (subject) => {
    const spec = await launched(subject, { requests: [GAME] })
    await untilState(subject.orchestrator, spec, 'ready')
    assert.equal(await echoes(port(spec, 'game')), true)
  }),

  it('waits for a slow server to bind its datagram port (or says that it cannot see that)', async (subject) => {
    const spec = await launched(subject, { startupArgs: '--late PORT_GAME' })
    await reportOf(port(spec))
    await eventually(
      'it is seen or not',
      async () => isBlind(subject) || (await untilSaid(subject, spec, /udp/)) !== '',
    )
    if (isBlind(subject)) return
    await assertStarting(subject, spec)
    await tell(port(spec), { do: 'listen', name: 'PORT_GAME' })
    await untilState(subject.orchestrator, spec, 'ready')
    assert.equal(await echoes(port(spec, 'game')), true)
  }),

  it('never comes to a server on the wrong datagram port, and it is said what was asked for and what is bound', async (subject) => {
    const spec = await launched(subject, { requests: [GAME], startupArgs: '--late PORT_GAME --udp 39473' })
    await eventually('it is seen or not', async () => {
      return isBlind(subject) || (await untilSaid(subject, spec, /udp 39473/)) !== ''
    })
    if (isBlind(subject)) return
    const words = await untilSaid(subject, spec, /no port that was asked for is bound/)
    const { internalPort, externalPort } = port(spec, 'game')
    assert.match(words, new RegExp(`asked for udp (${internalPort}|${externalPort})\\b`))
    await assertStarting(subject, spec)
  }),

  it('is no other program’s to give, by binding the port that was asked for', async (subject) => {
    const spec = await launched(subject, { startupArgs: '--late PORT_GAME' })
    await reportOf(port(spec))
    // The platform itself may hold the port for the server. In this case no other program can occupy the port.
    const release = await occupy(port(spec, 'game')).catch(() => undefined)
    if (release === undefined) return
    if (!isBlind(subject)) await untilSaid(subject, spec, /udp/)
    if (!isBlind(subject)) await assertStarting(subject, spec)
    await release()
  }),

  it('comes by what the server started, too', async (subject) => {
    const spec = await launched(subject, { startupArgs: '--late PORT_GAME' })
    const { environment } = await reportOf(port(spec))
    await tell(port(spec), { do: 'detach', port: Number(environment.PORT_GAME) })
    await untilState(subject.orchestrator, spec, 'ready')
  }),

  it('is left to the server’s own call where that was asked for', async (subject) => {
    const spec = await launched(subject, { readiness: 'self' })
    await reportOf(port(spec))
    assert.equal(await echoes(port(spec, 'game')), true)
    await assertStarting(subject, spec)
    await untilSaid(subject, spec, /./)
  }),

  it('comes by staying up where that was asked for, whatever the ports do', async (subject) => {
    const startupArgs = '--late PORT_GAME --late PORT_LATE'
    const spec = await launched(subject, { requests: [CONTROL, GAME, LATE], startupArgs, readiness: 'uptime' })
    await untilState(subject.orchestrator, spec, 'ready')
  }),
]
