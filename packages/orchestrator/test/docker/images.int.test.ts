import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { EngineCases } from '@matchyard/tooling/engine-cases'
import { expect } from 'vitest'
import { type TestEngine, testEngine } from '../../src/docker/testing/engine'
import { dockerHarness } from '../../src/docker/testing/harness'
import { makeImage, makeNodeImage } from '../../src/docker/testing/images'
import { type Login, TestRegistry } from './support/registry'
import { tinyProgram } from './support/tiny-program'

const { specFor, untilExit } = orchestratorProbe

const HERE = { x64: 'amd64', arm64: 'arm64' }[process.arch as string] ?? process.arch
const ELSEWHERE = HERE === 'amd64' ? 'arm64' : 'amd64'
const program = (code: number) => ({ path: 'server', content: tinyProgram(code), executable: true })
const ending = (code: number) => ({ files: [program(code)], architecture: HERE, entrypoint: ['/server'] })

type Prepared = Awaited<
  ReturnType<Awaited<ReturnType<ReturnType<typeof dockerHarness>['open']>>['orchestrator']['prepareImage']>
>

/** Runs a test that prepares images in a separate installation. */
async function preparing(
  engine: TestEngine,
  options: Parameters<typeof dockerHarness>[2],
  use: (prepare: (image: string) => Promise<Prepared & { logs: string[] }>) => Promise<void>,
): Promise<void> {
  const subject = await dockerHarness(engine, 'docker_image', options).open()
  try {
    await use(async (image) => {
      const logs: string[] = []
      const answer = await subject.orchestrator.prepareImage(image, (level, message) =>
        logs.push(`${level} ${message}`),
      )
      return { ...answer, logs }
    })
    expect(await subject.containers(), 'nothing is left behind').toEqual([])
  } finally {
    await subject.dispose()
  }
}

async function withRegistry(login: Login | undefined, use: (registry: TestRegistry) => Promise<void>): Promise<void> {
  const registry = new TestRegistry(login)
  await registry.open()
  try {
    await use(registry)
  } finally {
    await registry.close()
  }
}

const cases = new EngineCases<TestEngine>()

cases.add('an image is fetched from its registry and pinned: a tag that moves changes nothing', async (engine) => {
  await withRegistry(undefined, async (registry) => {
    const first = await registry.put('acme/arena', '1.4', ending(11))
    const subject = await dockerHarness(engine, 'docker_image', { trustedRegistries: [registry.host] }).open()
    const exitCodeOf = async (image: string) => {
      const build = { type: 'docker_image', buildId: 'bld_x', image } as const
      const spec = await specFor(subject, { build, requests: [] })
      expect(await subject.orchestrator.launch(spec)).toEqual({ ok: true })
      return (await untilExit(subject.orchestrator, spec)).code
    }
    try {
      const logs: string[] = []
      const name = `${registry.host}/acme/arena:1.4`
      const before = await subject.orchestrator.prepareImage(name, (_, message) => logs.push(message))
      expect(before).toMatchObject({ ok: true, image: `${registry.host}/acme/arena@${first}` })
      expect(logs.join('\n')).toContain(`fetching ${name}`)
      await registry.put('acme/arena', '1.4', ending(22))
      const after = await subject.orchestrator.prepareImage(name, () => {})
      if (!before.ok || !after.ok) throw new Error(JSON.stringify([before, after]))
      expect(after.image).not.toBe(before.image)
      expect(await exitCodeOf(before.image)).toBe(11)
      expect(await exitCodeOf(after.image)).toBe(22)
      // An administrator removed the image: it is pulled again, by its digest.
      await subject.reopen()
      for (const id of await subject.containers()) await engine.docker.getContainer(id).remove({ force: true })
      await engine.docker.getImage(before.image).remove({ force: true })
      expect(await exitCodeOf(before.image)).toBe(11)
    } finally {
      await subject.dispose()
    }
  })
})

cases.add(
  'an image that is not there, is for another processor, or says not what to run is refused',
  async (engine) => {
    await withRegistry(undefined, async (registry) => {
      await registry.put('acme/elsewhere', '1', { ...ending(1), architecture: ELSEWHERE })
      await registry.put('acme/library', '1', { files: [program(1)], architecture: HERE })
      await registry.put('acme/hollow', '1', { ...ending(1), entrypoint: ['/nowhere'] })
      await preparing(engine, { trustedRegistries: [registry.host] }, async (prepare) => {
        const refused = async (path: string) => {
          const answer = await prepare(`${registry.host}/${path}`)
          return answer.ok ? 'accepted' : answer.message
        }
        expect(await refused('acme/nothing:1')).toMatch(/acme\/nothing:1 is not at 127\.0\.0\.1:\d+, or not for/)
        expect(await refused('acme/elsewhere:1')).toBe(
          `the image is built for linux/${ELSEWHERE}; this installation runs linux/${HERE}`,
        )
        expect(await refused('acme/library:1')).toMatch(/neither an entry point nor a command/)
        expect(await refused('acme/hollow:1')).toMatch(/\/nowhere, which the image runs, is not in it/)
      })
      // A refused image is removed.
      const names = (await engine.docker.listImages()).flatMap(({ RepoTags }) => RepoTags ?? [])
      expect(names.filter((name) => name.startsWith(registry.host))).toEqual([])
    })
  },
)

cases.add('an image that is too large is refused', async (engine) => {
  await withRegistry(undefined, async (registry) => {
    const weight = { path: 'weight', content: Buffer.alloc(300_000, 'x'), executable: false }
    await registry.put('acme/heavy', '1', { ...ending(0), files: [program(0), weight] })
    await preparing(engine, { trustedRegistries: [registry.host], maxImageBytes: 200_000 }, async (prepare) => {
      const answer = await prepare(`${registry.host}/acme/heavy:1`)
      expect(answer).toMatchObject({ ok: false, message: expect.stringMatching(/bytes; at most 200000 are allowed/) })
    })
  })
})

cases.add('credentials come from the configuration, and are never told', async (engine) => {
  const login = { username: 'studio', password: 'an open sesame' }
  await withRegistry(login, async (registry) => {
    await registry.put('acme/secret', '1', ending(0))
    const image = `${registry.host}/acme/secret:1`
    await preparing(engine, { trustedRegistries: [registry.host] }, async (prepare) => {
      expect(await prepare(image)).toMatchObject({ ok: false, message: expect.stringMatching(/credentials/) })
    })
    const registryCredentials = { [registry.host]: login }
    await preparing(engine, { trustedRegistries: [registry.host], registryCredentials }, async (prepare) => {
      const answer = await prepare(image)
      expect(answer.ok, JSON.stringify(answer)).toBe(true)
      expect(JSON.stringify(answer)).not.toContain(login.password)
    })
  })
})

cases.add('a registry at a private address, or one that is not on the list, is never asked', async (engine) => {
  await withRegistry(undefined, async (registry) => {
    await registry.put('acme/arena', '1', ending(0))
    const image = `${registry.host}/acme/arena:1`
    await preparing(engine, { registries: ['*'] }, async (prepare) => {
      expect(await prepare(image)).toMatchObject({ message: expect.stringMatching(/address that is not public/) })
      const spelled = image.replace('127.0.0.1', 'localhost')
      expect(await prepare(spelled)).toMatchObject({ message: expect.stringMatching(/address that is not public/) })
    })
    await preparing(engine, {}, async (prepare) => {
      expect(await prepare(image)).toMatchObject({
        message: expect.stringMatching(/does not use the registry 127\.0\.0\.1:\d+; it uses docker\.io, ghcr\.io/),
      })
    })
  })
})

cases.add('an image of this machine is taken where that is allowed, and pinned by its content', async (engine) => {
  const name = 'local/matchyard-test-moving:1'
  await makeImage(engine.docker, name, { files: [program(11)], changes: ['ENTRYPOINT ["/server"]'] })
  await preparing(engine, {}, async (prepare) => {
    const first = await prepare(name)
    expect(first).toMatchObject({ ok: true, image: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) })
    await makeImage(engine.docker, name, { files: [program(22)], changes: ['ENTRYPOINT ["/server"]'] })
    expect(await prepare(name)).not.toMatchObject({ image: first.ok ? first.image : '' })
    expect(await prepare('local/never-made:1')).toMatchObject({
      message: 'the image local/never-made:1 is not in the container engine',
    })
  })
  await preparing(engine, { localImages: false }, async (prepare) => {
    expect(await prepare(name)).toMatchObject({ message: expect.stringMatching(/not allowed by this installation/) })
  })
})

cases.add('a script without its interpreter is found out when the image is prepared', async (engine) => {
  const script = { path: 'run', content: '#!/usr/bin/env python3\n', executable: true }
  const name = 'local/matchyard-test-script:1'
  await makeNodeImage(engine.docker, name, { files: [script], changes: ['ENTRYPOINT ["/run"]'] })
  await preparing(engine, {}, async (prepare) => {
    expect(await prepare(name)).toMatchObject({
      message: 'the interpreter "python3" of /run is not on the PATH of the image',
    })
  })
})

cases.add('a reference that is none is told what is wrong with it', async (engine) => {
  await preparing(engine, {}, async (prepare) => {
    for (const text of [
      '',
      'https://ghcr.io/acme/arena',
      'me:secret@ghcr.io/acme/arena',
      'ghcr.io/Acme/arena',
      'a b',
    ]) {
      expect(await prepare(text), text).toMatchObject({
        ok: false,
        message: expect.stringMatching(/^the image reference /),
      })
    }
  })
})

cases.register(await testEngine())
