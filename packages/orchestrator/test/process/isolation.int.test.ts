import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { skipWithout } from '@matchyard/tooling/needs'
import { afterEach, describe, expect, it, onTestFinished, type TestContext } from 'vitest'
import { type ProcessUnderTest, processHarness } from '../../src/process/testing/harness'

const { running, specFor, tell, untilExit } = orchestratorProbe

let subject: ProcessUnderTest
afterEach(() => subject.dispose())

/** Skips a test of isolation on machines without it; another test checks that the service reports that. */
async function openIsolated(context: TestContext, variation: Parameters<typeof processHarness>[0] = {}): Promise<void> {
  subject = await processHarness(variation).open()
  const why = subject.orchestrator.capabilities.limitations.find((said) => said.includes('not isolated'))
  if (why !== undefined) skipWithout(context, 'bubblewrap', why)
}

describe('a sandboxed game server', () => {
  it('sees neither the data of the service nor its keys', async (context) => {
    await openIsolated(context)
    const secrets = join(subject.folder, 'secrets')
    await mkdir(secrets)
    await writeFile(join(secrets, 'database'), 'x')
    const { spec, control } = await running(subject)
    const attempt = join(subject.dataDirectory, 'servers', spec.instanceId, '1')
    const kept = ['record.json', 'its_svc.json'].map((name) => join(attempt, name))
    for (const path of [join(secrets, 'database'), ...kept, '/etc/shadow']) {
      expect(await tell(control, { do: 'reads', path }), path).toBe(false)
    }
    expect(await tell(control, { do: 'reads', path: '/usr/bin/env' })).toBe(true)
  })

  it('has its folder at /svc, shared by every launch of the build', async (context) => {
    await openIsolated(context)
    const [one, two] = [await running(subject), await running(subject)]
    expect(one.report.directory).toBe('/svc')
    expect(one.report.environment.SVC_CONFIG_FILE).toBe('/svc/its_svc.json')
    expect(one.report.config).not.toBe(two.report.config)
    expect(await readdir(join(subject.dataDirectory, 'builds'))).toHaveLength(1)
    expect(subject.store.unpacked).toBe(1)
  })

  it('is another user than root, without capabilities or a way to new ones', async (context) => {
    await openIsolated(context)
    const { control } = await running(subject)
    const status = (await tell<string>(control, { do: 'read', path: '/proc/self/status' })) ?? ''
    const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1]
    expect(field('NoNewPrivs')).toBe('1')
    expect(field('CapEff')).toBe('0000000000000000')
    expect(field('CapPrm')).toBe('0000000000000000')
    expect(field('Uid')).not.toBe('0')
  })

  it('does not see hidden folders inside those it may read', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'shared-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await chmod(folder, 0o755)
    const shared = join(folder, 'shared')
    await mkdir(join(shared, 'hidden'), { recursive: true, mode: 0o755 })
    await writeFile(join(shared, 'open'), 'x')
    await writeFile(join(shared, 'hidden', 'key'), 'x')
    await openIsolated(context, { readOnlyPaths: [shared], hiddenPaths: [join(shared, 'hidden')] })
    const { control } = await running(subject)
    expect(await tell(control, { do: 'reads', path: join(shared, 'open') })).toBe(true)
    expect(await tell(control, { do: 'reads', path: join(shared, 'hidden', 'key') })).toBe(false)
  })
})

describe('a sandbox that cannot be set up', () => {
  it('is told as the cause, apart from a program that cannot start', async (context) => {
    await openIsolated(context)
    const { orchestrator, dataDirectory } = subject
    await running(subject)
    const [build = ''] = await readdir(join(dataDirectory, 'builds'))
    // The configuration is mounted over this file, and the folder around it is read-only.
    await rm(join(dataDirectory, 'builds', build, 'its_svc.json'))
    const spec = await specFor(subject)
    expect(await orchestrator.launch(spec)).toEqual({ ok: true })
    expect(await untilExit(orchestrator, spec)).toMatchObject({ code: 1, reason: 'no_sandbox' })
  })
})

describe('the variables of a queue', () => {
  it('reach the program in the sandbox, and no helper that starts it', async (context) => {
    await openIsolated(context)
    const { orchestrator } = subject
    // With this variable a program prints its libraries and ends at once.
    const spec = await specFor(subject, { environment: { LD_TRACE_LOADED_OBJECTS: '1' } })
    expect(await orchestrator.launch(spec)).toEqual({ ok: true })
    expect(await untilExit(orchestrator, spec)).toMatchObject({ code: 0 })
    const lines = (await orchestrator.logs(spec.instanceId, { limit: 100 })).map(({ message }) => message)
    expect(lines.filter((line) => line.includes('libc.so'))).toHaveLength(1)
    expect(lines.join('\n')).not.toContain('libcap')
  })

  it('are on no command line, in no file and in no environment but that of the program', async (context) => {
    await openIsolated(context)
    const canary = `canary-${subject.installationId}`
    const { report } = await running(subject, { environment: { PASSWORD: canary } })
    expect(report.environment.PASSWORD).toBe(canary)
    expect(await filesWith(subject.folder, canary)).toEqual([])
    expect(await processesWith('cmdline', canary)).toEqual([])
    const holders = await processesWith('environ', canary)
    const programs = await Promise.all(holders.map((pid) => readlink(`/proc/${pid}/exe`)))
    expect(programs).toEqual([process.execPath])
  })
})

describe('without isolation', () => {
  it('starts no program whose variables would load code into the programs around it', async () => {
    subject = await processHarness({ isolation: 'none' }).open()
    for (const name of ['LD_PRELOAD', 'NODE_OPTIONS', 'BASH_ENV']) {
      const spec = await specFor(subject, { environment: { [name]: '/svc/x' } })
      const result = await subject.orchestrator.launch(spec)
      expect(result).toMatchObject({ ok: false, reason: 'final', message: expect.stringContaining(name) })
    }
    const canary = `canary-${subject.installationId}`
    expect((await running(subject, { environment: { PASSWORD: canary } })).report.environment.PASSWORD).toBe(canary)
    expect(await filesWith(subject.folder, canary)).toEqual([])
    expect(await processesWith('cmdline', canary)).toEqual([])
  })

  it('says so, and each launch has its own copy', async () => {
    subject = await processHarness({ isolation: 'none' }).open()
    const [one, two] = [await running(subject), await running(subject)]
    expect(one.report.directory).not.toBe(two.report.directory)
    expect(subject.orchestrator.capabilities.limitations.join('\n')).toMatch(
      /not isolated .*isolation is switched off\.\n/,
    )
    expect(subject.orchestrator.capabilities.limitations.join('\n')).toMatch(/its own copy/)
    const status = (await tell<string>(one.control, { do: 'read', path: '/proc/self/status' })) ?? ''
    expect(status).toMatch(new RegExp(`^Uid:\\s*${process.getuid?.()}\\s`, 'm'))
  })
})

/** Returns the files below a folder that contain a text. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = all.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  const found = await Promise.all(paths.map(async (path) => (await readFile(path)).includes(text)))
  return paths.filter((_, at) => found[at])
}

/** Returns the ids of the processes of this machine that have a text on their command line or in their environment. */
async function processesWith(name: 'cmdline' | 'environ', text: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((one) => /^\d+$/.test(one))
  const found = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')))
  return pids.filter((_, at) => found[at]?.includes(text))
}
