import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { EngineCases } from '@matchyard/tooling/engine-cases'
import type { ContainerInspectInfo } from 'dockerode'
import { expect } from 'vitest'
import { LABEL } from '../../src/docker/labels'
import { type TestEngine, testEngine } from '../../src/docker/testing/engine'
import { type DockerUnderTest, dockerHarness } from '../../src/docker/testing/harness'
import { makeNodeImage } from '../../src/docker/testing/images'

const { running, tell, untilExit, specFor, eventually } = orchestratorProbe

const cases = new EngineCases<TestEngine>()

async function withSubject(
  engine: TestEngine,
  kind: Parameters<typeof dockerHarness>[1],
  use: (subject: DockerUnderTest) => Promise<void>,
): Promise<void> {
  const subject = await dockerHarness(engine, kind).open()
  try {
    await use(subject)
  } finally {
    await subject.dispose()
  }
}

async function inspected({ engine, containers }: DockerUnderTest): Promise<ContainerInspectInfo> {
  const [id] = await containers()
  return engine.docker.getContainer(id ?? '').inspect()
}

/** Runs a program in the container; returns its output. */
async function within(subject: DockerUnderTest, script: string): Promise<string> {
  const [id] = await subject.containers()
  const { docker } = subject.engine
  const exec = await docker
    .getContainer(id ?? '')
    .exec({ Cmd: ['node', '-e', script], AttachStdout: true, AttachStderr: true, Tty: true })
  let said = ''
  for await (const chunk of (await exec.start({ Tty: true })) as AsyncIterable<Buffer>) said += chunk.toString()
  return said.trim()
}

cases.add('the tier is the limit, and what is not needed is taken away', async (engine) => {
  await withSubject(engine, 'docker_image', async (subject) => {
    const { spec } = await running(subject, { tierSize: { cpus: 8, memoryGib: 0.5 } })
    const { HostConfig, Config } = await inspected(subject)
    expect(HostConfig).toMatchObject({
      Memory: 512 * 1024 * 1024,
      MemorySwap: 512 * 1024 * 1024,
      CpuPeriod: 100_000,
      CpuQuota: 800_000, // more than this machine may have
      PidsLimit: 8 * 512,
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      Init: true,
      Privileged: false,
    })
    expect(['', 'no']).toContain(HostConfig.RestartPolicy?.Name)
    expect(Config.Labels).toMatchObject({
      [LABEL.installation]: subject.installationId,
      [LABEL.project]: spec.projectId,
      [LABEL.instance]: spec.instanceId,
      [LABEL.attempt]: '1',
    })
  })
})

cases.add('a server writes to /tmp and its HOME alone, as nobody, without a capability', async (engine) => {
  await withSubject(engine, 'zip', async (subject) => {
    await running(subject)
    const script = `
      const { writeFileSync, readFileSync } = require('node:fs')
      const writes = (path) => { try { writeFileSync(path, 'x'); return true } catch { return false } }
      const status = readFileSync('/proc/self/status', 'utf8')
      console.log(JSON.stringify({
        uid: process.getuid(), writes: ['/x', '/svc/x', '/svc/its_svc.json', '/tmp/x', process.env.HOME + '/x'].map(writes),
        capabilities: /CapEff:\\s*(\\w+)/.exec(status)[1], noNewPrivileges: /NoNewPrivs:\\s*(\\w+)/.exec(status)[1],
      }))`
    expect(JSON.parse(await within(subject, script))).toEqual({
      uid: 65534,
      writes: [false, false, false, true, true],
      capabilities: '0000000000000000',
      noNewPrivileges: '1',
    })
  })
})

cases.add("a cloud's metadata address cannot be reached (or that is said)", async (engine) => {
  await withSubject(engine, 'zip', async (subject) => {
    await running(subject)
    const script = `require('node:net').connect(80, '169.254.169.254')
      .on('error', (e) => console.log(e.code)).on('connect', () => console.log('reached'))`
    const said = subject.orchestrator.capabilities.limitations.some((sentence) => sentence.includes('metadata'))
    const answer = await within(subject, script)
    expect(said ? 'EHOSTUNREACH' : answer).toBe('EHOSTUNREACH')
  })
})

cases.add('what a start script moved to a session of its own is asked in a stop, and may save', async (engine) => {
  await withSubject(engine, 'zip', async (subject) => {
    const build = await subject.build('scripted')
    const { spec, report } = await running(subject, { build, startupArgs: '--by setsid --save 1000' })
    await subject.orchestrator.stop(spec.instanceId, { graceMs: 10_000 })
    expect(await untilExit(subject.orchestrator, spec)).toMatchObject({ code: null, signal: 'SIGTERM' })
    const lines = await subject.orchestrator.logs(spec.instanceId, { limit: 10 })
    expect(lines.at(-1)?.message).toBe(`saved ${report.startId}`)
  })
})

cases.add('arguments follow the entry point in the place of the command', async (engine) => {
  const name = 'local/matchyard-test-command:1'
  const script = {
    path: 'say',
    content: '#!/usr/bin/env node\nconsole.log(process.argv.slice(2).join())\n',
    executable: true,
  }
  const variants = [
    [['ENTRYPOINT ["/say", "a"]', 'CMD ["b"]'], '', 'a,b'],
    [['ENTRYPOINT ["/say", "a"]', 'CMD ["b"]'], '"c d" e', 'a,c d,e'],
    [['CMD ["/say", "b"]'], 'c', 'b,c'],
  ] as const
  await withSubject(engine, 'docker_image', async (subject) => {
    for (const [changes, startupArgs, expected] of variants) {
      await makeNodeImage(engine.docker, name, { files: [script], changes })
      const prepared = await subject.orchestrator.prepareImage(name, () => {})
      if (!prepared.ok) throw new Error(prepared.message)
      const build = { type: 'docker_image', buildId: 'bld_say', image: prepared.image } as const
      const spec = await specFor(subject, { build, requests: [], startupArgs })
      expect(await subject.orchestrator.launch(spec)).toEqual({ ok: true })
      await untilExit(subject.orchestrator, spec)
      const logs = await subject.orchestrator.logs(spec.instanceId, { limit: 10 })
      expect(logs.map(({ message }) => message)).toEqual([expected])
    }
  })
})

cases.add('a container that was made and never started goes with its instance', async (engine) => {
  await withSubject(engine, 'zip', async (subject) => {
    const { spec, control } = await running(subject)
    await tell(control, { do: 'exit', code: 0 })
    await untilExit(subject.orchestrator, spec)
    const late = { ...spec, attempt: 2 }
    const [first] = await subject.containers()
    const { Config, HostConfig } = await engine.docker.getContainer(first ?? '').inspect()
    // The state that a service leaves when it is killed between creating and starting a container.
    const Labels = { ...Config.Labels, [LABEL.attempt]: String(late.attempt) }
    await engine.docker.createContainer({
      Image: Config.Image,
      Entrypoint: ['/x'],
      Labels,
      HostConfig: { Memory: HostConfig.Memory ?? 0 },
    })
    expect((await subject.orchestrator.observe()).map(({ attempt }) => attempt)).toEqual([1])
    await subject.orchestrator.forget(spec.instanceId)
    await eventually('it is gone', async () => (await subject.containers()).length === 0)
  })
})

cases.register(await testEngine())
