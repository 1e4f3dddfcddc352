import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { orchestratorProbe } from '@matchyard/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { type ProcessUnderTest, processHarness } from './harness'

const { running, tell } = orchestratorProbe
const AS_ROOT = process.getuid?.() === 0

let subject: ProcessUnderTest
afterEach(() => subject.dispose())

const isIsolated = () => !subject.orchestrator.capabilities.limitations.some((said) => said.includes('not isolated'))

describe('a sandboxed game server', () => {
  it('sees neither the data of the service nor its keys (or the service says that it does)', async () => {
    subject = await processHarness().open()
    const secrets = join(subject.folder, 'secrets')
    await mkdir(secrets)
    await writeFile(join(secrets, 'database'), 'x')
    const { spec, control } = await running(subject)
    const attempt = join(subject.dataDirectory, 'servers', spec.instanceId, '1')
    const paths = [
      join(secrets, 'database'),
      join(attempt, 'record.json'),
      join(attempt, isIsolated() ? '' : 'svc', 'its_svc.json'),
      '/etc/shadow',
    ]
    for (const path of paths) {
      expect(await tell(control, { do: 'reads', path }), path).toBe(
        isIsolated() ? false : path !== '/etc/shadow' || AS_ROOT,
      )
    }
    expect(await tell(control, { do: 'reads', path: '/usr/bin/env' })).toBe(true)
  })

  it('has its folder at /svc, shared by every launch of the build', async () => {
    subject = await processHarness().open()
    const [one, two] = [await running(subject), await running(subject)]
    if (isIsolated()) {
      expect(one.report.directory).toBe('/svc')
      expect(one.report.environment.SVC_CONFIG_FILE).toBe('/svc/its_svc.json')
    }
    expect(one.report.config).not.toBe(two.report.config)
    expect(await readdir(join(subject.dataDirectory, 'builds'))).toHaveLength(1)
    expect(subject.store.unpacked).toBe(1)
  })

  it('is another user than root, without capabilities or a way to new ones', async () => {
    subject = await processHarness().open()
    const { control } = await running(subject)
    const status = (await tell<string>(control, { do: 'read', path: '/proc/self/status' })) ?? ''
    const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1]
    if (!isIsolated()) return expect(field('NoNewPrivs')).toBe('0')
    expect(field('NoNewPrivs')).toBe('1')
    expect(field('CapEff')).toBe('0000000000000000')
    expect(field('CapPrm')).toBe('0000000000000000')
    expect(field('Uid')).not.toBe('0')
  })

  it('does not see hidden folders inside those it may read', async () => {
    const probe = await processHarness().open()
    const shared = join(probe.folder, 'shared')
    await mkdir(join(shared, 'hidden'), { recursive: true, mode: 0o755 })
    await writeFile(join(shared, 'open'), 'x')
    await writeFile(join(shared, 'hidden', 'key'), 'x')
    subject = await processHarness({ readOnlyPaths: [shared], hiddenPaths: [join(shared, 'hidden')] }).open()
    const { control } = await running(subject)
    expect(await tell(control, { do: 'reads', path: join(shared, 'open') })).toBe(true)
    expect(await tell(control, { do: 'reads', path: join(shared, 'hidden', 'key') })).toBe(!isIsolated())
    await probe.dispose()
  })
})

describe('without isolation', () => {
  it('says so, and each launch has its own copy', async () => {
    subject = await processHarness({ isolation: 'none' }).open()
    const [one, two] = [await running(subject), await running(subject)]
    expect(one.report.directory).not.toBe(two.report.directory)
    expect(subject.orchestrator.capabilities.limitations.join('\n')).toMatch(
      /not isolated .*isolation is switched off\.\n/,
    )
    expect(subject.orchestrator.capabilities.limitations.join('\n')).toMatch(/its own copy/)
  })
})
