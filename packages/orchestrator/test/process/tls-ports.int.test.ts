import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import type { PortMapping } from '@matchyard/core'
import type { LaunchSpec } from '@matchyard/core/ports'
import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { afterEach, describe, expect, it } from 'vitest'
import { isFree } from '../../src/kit/index'
import { type ProcessUnderTest, processHarness } from '../../src/process/testing/harness'
import { type TestCertificate, writeCertificate } from '../../src/process/testing/index'

const { CONTROL, eventually, port, specFor, untilState } = orchestratorProbe
const SECURE = [{ ...CONTROL, tlsEnabled: true }]

let subject: ProcessUnderTest
let certificate: TestCertificate
afterEach(() => subject.dispose())

async function opened(): Promise<void> {
  const files = { certFile: '', keyFile: '' }
  subject = await processHarness({ certificate: files, innerPortGuard: 'none' }).open()
  certificate = await writeCertificate(subject.folder, 'machine')
  Object.assign(files, certificate)
  await subject.reopen()
}

async function launched(options: Partial<LaunchSpec> = {}): Promise<LaunchSpec> {
  const spec = await specFor(subject, { requests: SECURE, ...options })
  expect(await subject.orchestrator.launch(spec)).toEqual({ ok: true })
  await untilState(subject.orchestrator, spec, 'ready')
  return spec
}

/** Sends the probe a command through TLS, and returns its answer. */
async function tell<T>({ externalPort }: PortMapping, command: object): Promise<T> {
  const socket = connect({ host: '127.0.0.1', port: externalPort, ca: certificate.ca, servername: 'localhost' })
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'secureConnect')
  socket.write(`${JSON.stringify(command)}\n`)
  await once(socket, 'end')
  return JSON.parse(text) as T
}

const variablesOf = async (spec: LaunchSpec) =>
  (await tell<{ environment: Record<string, string> }>(port(spec), { do: 'report' })).environment

const folderOf = ({ instanceId }: LaunchSpec) => join(subject.dataDirectory, 'servers', instanceId, '1')

/** Returns the ids of the processes that are fronts of this launch. */
const fronts = ({ instanceId }: LaunchSpec): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${instanceId}/1/front.json`)
      } catch {
        return false
      }
    })

describe('a game server with a TLS port', () => {
  it('listens on an inner port, and players reach it with TLS on the external port', async () => {
    await opened()
    const spec = await launched()
    const inner = Number((await variablesOf(spec)).PORT_CONTROL)
    expect(inner).toBeGreaterThanOrEqual(30_000)
    expect(inner).not.toBe(port(spec).externalPort)
    expect(subject.orchestrator.capabilities.endsTls).toBe(true)
  })

  it('gets its inner port in its arguments too', async () => {
    await opened()
    const spec = await launched({ startupArgs: '--port=$' + '{PORT_CONTROL}' })
    const { args, environment } = await tell<{ args: string[]; environment: Record<string, string> }>(port(spec), {
      do: 'report',
    })
    expect(args).toContain(`--port=${environment.PORT_CONTROL}`)
  })

  it('keeps its front while the service restarts, gets another one when it is killed, and frees its ports at the end', async () => {
    await opened()
    const spec = await launched()
    const before = fronts(spec)
    expect(before).toHaveLength(1)
    await subject.reopen()
    await untilState(subject.orchestrator, spec, 'ready')
    expect(fronts(spec)).toEqual(before)
    for (const pid of before) process.kill(pid, 'SIGKILL')
    await eventually('players reach it again', () => variablesOf(spec))
    await subject.orchestrator.stop(spec.instanceId, { graceMs: 1_000 })
    await untilState(subject.orchestrator, spec, 'exited')
    expect(fronts(spec)).toEqual([])
    expect(await isFree('tcp', port(spec).externalPort)).toBe(true)
  })

  it('keeps its front when its supervisor is killed, until the game server ends', async () => {
    await opened()
    const spec = await launched()
    const { pid } = JSON.parse(await readFile(join(folderOf(spec), 'claim.json'), 'utf8'))
    process.kill(pid, 'SIGKILL')
    await eventually('the supervisor has ended', async () => !existsSync(`/proc/${pid}`))
    await variablesOf(spec)
    expect(fronts(spec)).toHaveLength(1)
    await subject.orchestrator.stop(spec.instanceId, { graceMs: 100 })
    await untilState(subject.orchestrator, spec, 'exited')
    await eventually('the front has ended', async () => fronts(spec).length === 0)
  })

  it('is not ready before it listens on its inner port', async () => {
    await opened()
    const build = { type: 'zip', buildId: 'bld_probe', executablePath: 'sleep.sh' } as const
    subject.store.unpack = (_, { directory }) =>
      writeFile(`${directory}/sleep.sh`, '#!/bin/sh\nsleep 600\n', { mode: 0o755 })
    const spec = await specFor(subject, { requests: SECURE, build })
    expect(await subject.orchestrator.launch(spec)).toEqual({ ok: true })
    const waitsFor = await eventually('the reason is known', async () => {
      const [seen] = await subject.orchestrator.observe()
      return seen?.waitsFor
    })
    expect(waitsFor).toMatch(/no port that was asked for is bound: asked for tcp 3\d{4} \(PORT_CONTROL\)/)
  })
})

/** Game server that sends many bytes to a player who says something, and ends as soon as the kernel has taken them. */
const LAST_WORDS = 3 * 1024 * 1024
const lastWords = `#!/usr/bin/env node
require('node:net').createServer((player) => {
  player.on('data', () => player.write(Buffer.alloc(${LAST_WORDS}), () => process.exit()))
}).listen(process.env.PORT_CONTROL)
`

it('a player gets the last bytes of a game server that has ended', async () => {
  await opened()
  const build = { type: 'zip', buildId: 'bld_probe', executablePath: 'last-words' } as const
  subject.store.unpack = (_, { directory }) => writeFile(`${directory}/last-words`, lastWords, { mode: 0o755 })
  const spec = await launched({ build })
  const { pid } = JSON.parse(await readFile(join(folderOf(spec), 'status.json'), 'utf8')).main
  const player = connect({
    host: '127.0.0.1',
    port: port(spec).externalPort,
    ca: certificate.ca,
    servername: 'localhost',
  })
  await once(player, 'secureConnect')
  player.write('go')
  await eventually('the game server has ended', async () => !existsSync(`/proc/${pid}`))
  let got = 0
  player.on('data', (chunk: Buffer) => {
    got += chunk.length
  })
  await once(player, 'end')
  expect(got).toBe(LAST_WORDS)
  await untilState(subject.orchestrator, spec, 'exited')
  expect(fronts(spec)).toEqual([])
})

describe('a machine that cannot give TLS', () => {
  it('refuses such servers when it has no certificate, and takes others', async () => {
    subject = await processHarness().open()
    expect(subject.orchestrator.capabilities.endsTls).toBe(false)
    const result = await subject.orchestrator.launch(await specFor(subject, { requests: SECURE }))
    expect(result).toMatchObject({ reason: 'final', message: expect.stringContaining('GAME_TLS_CERT_FILE') })
    expect(await subject.orchestrator.launch(await specFor(subject, { requests: [CONTROL] }))).toEqual({ ok: true })
  })

  it('refuses such servers while no inner port is free, and leaves nothing of them', async () => {
    const files = { certFile: '', keyFile: '' }
    const other = createServer()
    await once(other.listen(0), 'listening')
    const { port: only } = other.address() as AddressInfo
    const innerPortRange = { from: only, to: only }
    subject = await processHarness({ certificate: files, innerPortRange, innerPortGuard: 'none' }).open()
    certificate = await writeCertificate(subject.folder, 'machine')
    Object.assign(files, certificate)
    await subject.reopen()
    const spec = await specFor(subject, { requests: SECURE })
    const result = await subject.orchestrator.launch(spec)
    expect(result).toEqual({ ok: false, reason: 'retry', message: `no tcp port from ${only} to ${only} is free` })
    const own = readFileSync('/proc/self/cgroup', 'utf8').split('\n')
    const left = own.flatMap((line) => {
      const [, controllers, path] = line.split(':')
      const parent = join('/sys/fs/cgroup', controllers ?? '', path ?? '')
      return existsSync(parent) ? readdirSync(parent).filter((name) => name.includes(spec.instanceId)) : []
    })
    expect(left).toEqual([])
    await new Promise((resolve) => other.close(resolve))
    expect(await subject.orchestrator.launch(spec)).toEqual({ ok: true })
  })

  it('leaves such servers to other machines when its certificate cannot be read', async () => {
    await opened()
    rmSync(certificate.keyFile)
    const result = await subject.orchestrator.launch(await specFor(subject, { requests: SECURE }))
    expect(result).toMatchObject({ reason: 'machine', message: expect.stringContaining(certificate.keyFile) })
  })
})
