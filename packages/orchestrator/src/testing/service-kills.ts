import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type OrchestratorUnderTest, orchestratorProbe } from '@matchyard/testkit/orchestrator'

const { assertStarts, eventually, specFor, untilExit, untilState } = orchestratorProbe

const ROUNDS = Number(process.env.SERVICE_KILL_ROUNDS ?? 6)

export interface Killable extends OrchestratorUnderTest {
  readonly dataDirectory: string
  readonly installationId: string
}

export interface Kills {
  /**
   * The path of the program that launches a server. The variable REQUEST describes the server. The program prints
   * `launching` and `launched`.
   */
  readonly service: string
  /** Further values of the request to the program. */
  readonly request?: object
  readonly afterRound?: () => Promise<void>
}

/**
 * Kills the service at different moments of a launch, and lets the next service process launch the same server again.
 * The function asserts that the server was started exactly once. It works with all orchestrators.
 */
export async function killDuringLaunches(subject: Killable, { service, request, afterRound }: Kills): Promise<void> {
  const outcomes = { cutOff: 0, answered: 0 }
  let longest = 0
  for (let round = 0; round < ROUNDS; round++) {
    const spec = await specFor(subject)
    const { dataDirectory, installationId } = subject
    // In round 0 no process is killed, to measure the duration of a launch. The kills of the other rounds are spread
    // over that duration.
    const moment = round === 0 ? undefined : (longest * (round - 1)) / (ROUNDS - 1)
    const took = await launchAndKill(service, { dataDirectory, installationId, ...request, spec }, moment)
    longest = Math.max(longest, took ?? 0)
    outcomes[took === undefined ? 'cutOff' : 'answered']++

    const next = await subject.reopen()
    assert.deepEqual(await next.launch(spec), { ok: true }, `round ${round}`)
    await untilState(next, spec, 'ready')
    await next.stop(spec.instanceId, { graceMs: 0 })
    await untilExit(next, spec)
    await assertStarts(next, spec.instanceId, 1)
    await next.forget(spec.instanceId)
    await afterRound?.()
  }
  // Some launches must be interrupted and others must not. If all launches had the same outcome, the test would prove
  // nothing.
  assert.ok(outcomes.cutOff > 0 && outcomes.answered > 0, JSON.stringify(outcomes))
}

/**
 * Launches a server in a separate process and kills that process. Returns the milliseconds of the launch, or undefined
 * when the kill interrupted it.
 */
async function launchAndKill(
  program: string,
  request: object,
  afterMs: number | undefined,
): Promise<number | undefined> {
  const service = spawn(process.execPath, ['--conditions=@matchyard/source', '--import', 'tsx', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, REQUEST: JSON.stringify(request) },
  })
  let said = ''
  service.stdout.on('data', (data) => {
    said += data
  })
  await eventually('the service is about to launch', async () => said.includes('launching'))
  const begun = performance.now()
  if (afterMs !== undefined) setTimeout(() => service.kill('SIGKILL'), afterMs)
  else {
    await eventually('the service has launched', async () => said.includes('launched'))
    service.kill('SIGKILL')
  }
  const took = performance.now() - begun
  await once(service, 'exit')
  return said.includes('launched') ? took : undefined
}
