import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import type { PortMapping } from '@matchyard/core'
import { warmKey } from '@matchyard/core/ports'
import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { EngineCases } from '@matchyard/tooling/engine-cases'
import { type TestEngine, testEngine } from '../../src/docker/testing/engine'
import { type DockerUnderTest, dockerHarness } from '../../src/docker/testing/harness'
import { isFree, knock } from '../../src/kit/index'
import { type TestCertificate, writeCertificate } from '../../src/process/testing/index'

const { CONTROL, eventually, port, portsFor, specFor, untilState } = orchestratorProbe
const SECURE = [{ ...CONTROL, tlsEnabled: true }]
const cases = new EngineCases<TestEngine>()

const it = (name: string, body: (subject: DockerUnderTest, certificate: TestCertificate) => Promise<void>) =>
  cases.add(name, async (engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'docker-tls-'))
    const certificate = await writeCertificate(folder, 'machine')
    const subject = await dockerHarness(engine, 'zip', { certificate }).open()
    try {
      await body(subject, certificate)
    } finally {
      await subject.dispose()
      await rm(folder, { recursive: true, force: true })
    }
  })

/** Sends the probe a command through TLS, and returns its environment. */
async function environmentOf({ externalPort }: PortMapping, { ca }: TestCertificate): Promise<Record<string, string>> {
  const socket = connect({ host: '127.0.0.1', port: externalPort, ca, servername: 'localhost' })
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'secureConnect')
  socket.write('{"do":"report"}\n')
  await once(socket, 'end')
  return JSON.parse(text).environment
}

/** Ends the fronts of this installation at once, as a lack of memory would. */
const killFronts = ({ dataDirectory }: DockerUnderTest) =>
  execFileSync('pkill', ['-9', '-f', join(dataDirectory, 'fronts')])

it('players reach a container with TLS, also after a restart of the service and the end of its front', async (subject, certificate) => {
  const spec = await specFor(subject, { requests: SECURE })
  assert.deepEqual(await subject.orchestrator.launch(spec), { ok: true })
  await untilState(subject.orchestrator, spec, 'ready')
  const { PORT_CONTROL } = await environmentOf(port(spec), certificate)
  assert.equal(PORT_CONTROL, String(CONTROL.internalPort))

  await subject.reopen()
  await untilState(subject.orchestrator, spec, 'ready')
  await environmentOf(port(spec), certificate)
  killFronts(subject)
  await eventually('the front is gone', async () => (await knock('127.0.0.1', port(spec).externalPort)) === 'refuses')
  await eventually('the front is back', async () => {
    await subject.orchestrator.observe()
    return environmentOf(port(spec), certificate)
  })

  await subject.orchestrator.stop(spec.instanceId, { graceMs: 1_000 })
  await untilState(subject.orchestrator, spec, 'exited')
  await eventually('its port is free', async () => {
    await subject.orchestrator.observe()
    return isFree('tcp', port(spec).externalPort)
  })
})

it('a warm container has its front before the match', async (subject, certificate) => {
  const { projectId, region, tier, tierSize, build, startupArgs, portRequests, readiness } = await specFor(subject, {
    requests: SECURE,
  })
  const shape = { projectId, region, tier, tierSize, build, startupArgs, portRequests, readiness }
  const [there] = await subject.orchestrator.keepWarm([{ ...shape, min: 0, buffer: 1 }])
  assert.equal(there?.ready.length, 1)
  const networkPorts = await portsFor(subject, portRequests, warmKey(shape))
  const spec = await specFor(subject, { ...shape, networkPorts })
  assert.deepEqual(await subject.orchestrator.launch(spec), { ok: true })
  await eventually('players reach it', () => environmentOf(port(spec), certificate))
})

it('without a certificate such a launch is refused', async ({ engine }) => {
  const subject = await dockerHarness(engine, 'zip').open()
  try {
    assert.equal(subject.orchestrator.capabilities.endsTls, false)
    const result = await subject.orchestrator.launch(await specFor(subject, { requests: SECURE }))
    assert.ok(!result.ok && result.reason === 'final' && /GAME_TLS_CERT_FILE/.test(result.message))
  } finally {
    await subject.dispose()
  }
})

cases.register(await testEngine())
