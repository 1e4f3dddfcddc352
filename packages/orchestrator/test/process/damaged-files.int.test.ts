import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { afterEach, describe, expect, it } from 'vitest'
import { type ProcessUnderTest, processHarness } from '../../src/process/testing/harness'
import { DAMAGES } from './damages'

const { assertStarts, eventually, reportOf, running, seen, specFor, tell, untilExit, untilState } = orchestratorProbe

/** All files of a launch that the service, its supervisor and the service's next life share. */
const FILES = [
  'record.json',
  'plan.json',
  'claim.json',
  'status.json',
  'ready.json',
  'stop.json',
  'exit.json',
  'failed.json',
  'alive',
  'journal.log',
  'journal.1.log',
]

/** Folders that the game server itself reads. */
const GAME_FOLDERS = ['svc', 'home']

let subject: ProcessUnderTest
afterEach(() => subject.dispose())

type Server = Awaited<ReturnType<typeof running>>

const fileOf = ({ spec }: Server, name: string) => join(subject.dataDirectory, 'servers', spec.instanceId, '1', name)

async function killSupervisor(server: Server): Promise<void> {
  const { pid } = JSON.parse(await readFile(fileOf(server, 'claim.json'), 'utf8'))
  process.kill(pid, 'SIGKILL')
  await eventually('the supervisor is gone', async () =>
    /\) [ZX]/.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z')),
  )
}

/** Starts one server for each file, and damages that file. */
async function damaged(kind: string, before: (server: Server) => Promise<unknown> = async () => {}) {
  const servers = new Map<string, Server>()
  const launched = await Promise.all(FILES.map(() => running(subject)))
  for (const [index, name] of FILES.entries()) servers.set(name, launched[index] as Server)
  await Promise.all(launched.map(before))
  for (const [name, server] of servers) await DAMAGES[kind]?.(fileOf(server, name))
  return servers
}

async function expectOthersToBeWell(): Promise<void> {
  const other = await running(subject)
  await subject.orchestrator.stop(other.spec.instanceId, { graceMs: 10_000 })
  expect((await untilExit(subject.orchestrator, other.spec)).code).toBe(0)
  await subject.orchestrator.logs(other.spec.instanceId, { limit: 10 })
  await subject.orchestrator.forget(other.spec.instanceId)
}

async function expectToPlayOn(servers: ReadonlyMap<string, Server>): Promise<void> {
  for (const [name, { spec, report, control }] of servers) {
    const states = (await seen(subject.orchestrator, spec.instanceId)).map(({ state }) => state)
    expect(states, name).toEqual(['ready'])
    expect((await reportOf(control)).startId, name).toBe(report.startId)
  }
}

/** Stops and forgets all servers; asserts that no process is left. */
async function expectToEnd(servers: ReadonlyMap<string, Server>): Promise<void> {
  await Promise.all(
    [...servers.values()].map(({ spec }) => subject.orchestrator.stop(spec.instanceId, { graceMs: 10_000 })),
  )
  for (const { spec, control } of servers.values()) {
    await untilExit(subject.orchestrator, spec)
    await expect(tell(control, { do: 'report' })).rejects.toThrow(/ECONNREFUSED/)
    await subject.orchestrator.forget(spec.instanceId)
  }
  expect(await subject.orchestrator.observe()).toEqual([])
}

const bare = () => processHarness({ isolation: 'none', limits: 'none' }).open()

describe.each(['empty', 'not there', 'a folder', 'a pipe that nobody writes to'])('a file that is %s', (kind) => {
  it('costs neither its running server nor any other anything', async () => {
    subject = await bare()
    const servers = await damaged(kind)
    await expectOthersToBeWell()
    await expectToPlayOn(servers)
    await subject.reopen()
    await expectOthersToBeWell()
    await expectToPlayOn(servers)
    // The launch is repeated, as after a crash of the service, while the server runs.
    for (const [name, { spec }] of servers) expect(await subject.orchestrator.launch(spec), name).toEqual({ ok: true })
    for (const [name, { spec }] of servers) {
      if (!name.startsWith('journal')) await assertStarts(subject.orchestrator, spec.instanceId, 1)
    }
    await expectToEnd(servers)
  }, 180_000)
})

describe('a file that is cut off', () => {
  it('costs no running server anything whose supervisor is gone', async () => {
    subject = await bare()
    const servers = await damaged('cut off', killSupervisor)
    await subject.reopen()
    await expectOthersToBeWell()
    await expectToPlayOn(servers)
    await expectToEnd(servers)
  }, 180_000)

  it('costs a server that had ended nothing but its exit code, where that stood in it', async () => {
    subject = await bare()
    const servers = await damaged('cut off', async ({ spec, control }) => {
      await tell(control, { do: 'exit', code: 7 })
      await untilExit(subject.orchestrator, spec)
    })
    await subject.reopen()
    await expectOthersToBeWell()
    for (const [name, { spec }] of servers) {
      expect((await seen(subject.orchestrator, spec.instanceId)).filter(({ state }) => state !== 'exited')).toEqual([])
      expect(await subject.orchestrator.launch(spec), name).toEqual({ ok: true })
      expect((await untilExit(subject.orchestrator, spec)).code, name).toBe(name === 'exit.json' ? null : 7)
    }
    await expectToEnd(servers)
  }, 180_000)
})

describe('a launch of which everything is damaged', () => {
  it('is found by its processes, and ends when it is stopped', async () => {
    subject = await bare()
    const server = await running(subject)
    const folder = join(subject.dataDirectory, 'servers', server.spec.instanceId, '1')
    for (const name of await readdir(folder)) if (!GAME_FOLDERS.includes(name)) await rm(join(folder, name))
    await subject.reopen()
    await expectOthersToBeWell()
    await expectToPlayOn(new Map([['all of them', server]]))
    await expectToEnd(new Map([['all of them', server]]))
  })

  it('ends by itself when nothing says any more how it becomes ready', async () => {
    subject = await bare()
    const spec = await specFor(subject, {
      requests: [orchestratorProbe.CONTROL, orchestratorProbe.LATE],
      startupArgs: '--late PORT_LATE',
    })
    expect(await subject.orchestrator.launch(spec)).toEqual({ ok: true })
    await writeFile(join(subject.dataDirectory, 'servers', spec.instanceId, '1', 'record.json'), '')
    const exit = await untilExit(subject.orchestrator, spec)
    expect(exit.signal).toBe('SIGKILL')
    await expectOthersToBeWell()
  })

  it('is prepared anew when it was damaged before anybody started it', async () => {
    subject = await bare()
    const spec = await specFor(subject)
    const folder = join(subject.dataDirectory, 'servers', spec.instanceId, '1')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'record.json'), '')
    expect(await subject.orchestrator.launch(spec)).toEqual({ ok: true })
    await untilState(subject.orchestrator, spec, 'ready')
  })
})

it('what stands in the data folder and is no game server is passed over', async () => {
  subject = await bare()
  const { servers, builds, ended } = { servers: 'servers', builds: 'builds', ended: 'ended' }
  for (const path of [`${servers}/.hidden`, `${servers}/a name`, `${servers}/srv_file`, `${builds}/lost+found@x`])
    await writeFile(join(subject.dataDirectory, path), '')
  for (const path of [`${servers}/srv_a/not a number`, `${servers}/srv_b/1`, `${servers}/lost+found`, `${ended}/.x`])
    await mkdir(join(subject.dataDirectory, path), { recursive: true })
  await writeFile(join(subject.dataDirectory, servers, 'srv_a', '2'), 'a file where a folder belongs')
  await subject.reopen()
  await expectOthersToBeWell()
  const inTheWay = await specFor(subject, { instanceId: 'srv_a', attempt: 2 })
  expect(await subject.orchestrator.launch(inTheWay)).toEqual({ ok: true })
  await untilState(subject.orchestrator, inTheWay, 'ready')
})

it('a supervisor that does not work is ended after its server', async () => {
  subject = await bare()
  const server = await running(subject)
  const { pid } = JSON.parse(await readFile(fileOf(server, 'claim.json'), 'utf8'))
  process.kill(pid, 'SIGSTOP')
  await subject.orchestrator.stop(server.spec.instanceId, { graceMs: 0 })
  expect(await untilExit(subject.orchestrator, server.spec)).toMatchObject({ reason: 'supervisor_lost' })
})
