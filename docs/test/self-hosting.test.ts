import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environmentSchema, VARIABLES } from '@matchyard/server/testing'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const guide = read('docs/self-hosting.md')
const folder = 'examples/self-hosting'

/** The rows of the table of variables: name and default. */
const documented = new Map(
  [...guide.matchAll(/^\| `([A-Z0-9_]+)` +\| (.*?) +\|/gm)].map(([, name = '', cell = '']) => [name, cell]),
)
const defaults: Readonly<Record<string, unknown>> = environmentSchema.partial({ MATCHYARD_SECRET: true }).parse({
  MATCHYARD_SECRET: 'q8Zt3LmW0xVb7RkYp2NcHs5DfGj9TeUa',
})

describe('the table of variables in docs/self-hosting.md', () => {
  it('names every variable that serve reads, and no other', () => {
    expect([...documented.keys()].sort()).toEqual([...VARIABLES].sort())
  })

  it.each(VARIABLES.filter((name) => ['string', 'number', 'boolean'].includes(typeof defaults[name])))(
    'gives the default of %s',
    (name) => {
      if (name === 'MATCHYARD_SECRET') expect(documented.get(name)).toBe('required')
      else expect(documented.get(name)).toBe(`\`${defaults[name]}\``)
    },
  )
})

it('the unit and the image bound the heaps of malloc, and the image has the command on its path', () => {
  expect(guide).toMatch(/^Environment=MALLOC_ARENA_MAX=2$/m)
  const image = read(`${folder}/Dockerfile`)
  expect(image).toMatch(/^ENV .*MALLOC_ARENA_MAX=2$/m)
  expect(image).toContain('/usr/local/bin/matchyard')
})

it('says how the first account is made, on the machine itself and in containers', () => {
  expect(guide).toMatch(/^sudo -u matchyard env MATCHYARD_DATA=\S+ matchyard accounts create --email/m)
  const inContainers = 'docker compose run --rm matchyard accounts create --email'
  expect(guide).toContain(inContainers)
  expect(read(`${folder}/compose.yaml`)).toContain(inContainers)
})

it('the systemd unit leaves game servers alone when the service stops', () => {
  expect(guide).toMatch(/^KillMode=process$/m)
})

it('the examples for real machines set only variables that serve reads, and each value of a machine anew', () => {
  const [, section = ''] = read('docs/machines.md').split(/^## On real machines$/m)
  const exported = [...(section.split(/^## /m)[0] ?? '').matchAll(/^export (.*)$/gm)].map(([, line = '']) =>
    [...line.matchAll(/(?:^| )([A-Z0-9_]+)=/g)].map(([, name = '']) => name),
  )
  expect(VARIABLES).toEqual(expect.arrayContaining([...new Set(exported.flat())]))
  const ofOne = ['NODE_ID', 'REGIONS', 'SERVER_HOST', 'PEER_URL']
  expect(exported.slice(-2)).toEqual([ofOne, ofOne])
})

describe('compose.yaml', () => {
  const { services, volumes } = parse(read(`${folder}/compose.yaml`)) as {
    services: Record<
      string,
      { build?: { context: string; dockerfile: string }; environment: object; volumes: string[] }
    >
    volumes: object
  }

  it('builds from a Dockerfile that is there', () => {
    const build = services.matchyard?.build
    expect(existsSync(join(root, folder, build?.context ?? '', build?.dockerfile ?? ''))).toBe(true)
    expect(resolve(root, folder, build?.context ?? '')).toBe(resolve(root))
  })

  it('sets only variables that serve reads, and no secret', () => {
    const { environment } = services.matchyard ?? { environment: {} }
    // PostgreSQL's driver reads PGPASSWORD.
    expect([...VARIABLES, 'PGPASSWORD']).toEqual(expect.arrayContaining(Object.keys(environment)))
    expect(environment).toMatchObject({ MATCHYARD_SECRET: expect.stringMatching(/^\$\{MATCHYARD_SECRET:\?/) })
  })

  it.each(['compose.yaml', 'compose.nodes.yaml'])('keeps the password of the database out of its URL: %s', (file) => {
    const text = read(`${folder}/${file}`)
    expect(text).toContain('DATABASE_URL: postgres://matchyard@postgres:5432/matchyard\n')
    expect(text).toMatch(/^ +PGPASSWORD: \$\{POSTGRES_PASSWORD:\?/m)
  })

  it('hands on what decides who may come and what they may do', () => {
    const { environment } = services.matchyard ?? { environment: {} }
    const decides = VARIABLES.filter((name) =>
      /^(REGISTRATION.*|PLAN_LIMITS|PAYMENTS|CAPACITY_.*|RATE_LIMIT_.*|WORK_LIMITS)$/.test(name),
    )
    expect(decides).toHaveLength(10)
    for (const name of decides) expect(environment).toHaveProperty(name, `\${${name}:-}`)
  })

  it('keeps the data of both services in volumes that it names', () => {
    const named = Object.values(services).flatMap((service) => service.volumes.map((volume) => volume.split(':')[0]))
    expect(named.sort()).toEqual(Object.keys(volumes).sort())
    expect(named).toHaveLength(2)
  })
})

describe('the Dockerfile', () => {
  const dockerfile = read(`${folder}/Dockerfile`)

  it('runs a build that is there, and the command that the package declares', () => {
    expect(dockerfile).toContain('RUN node packages/tooling/src/build.mjs')
    expect(existsSync(join(root, 'packages/tooling/src/build.mjs'))).toBe(true)
    const { bin, name, peerDependencies } = JSON.parse(read('packages/server/package.json'))
    const image = JSON.parse(read(`${folder}/package.json`))
    expect(dockerfile).toContain(`--filter ${image.name} deploy`)
    expect(dockerfile).toContain(`"/matchyard/node_modules/${name}/${bin.matchyard.replace('./', '')}"`)
    // The image contains the packages that a reader installs next to the command.
    expect(Object.keys(image.dependencies).sort()).toEqual([name, ...Object.keys(peerDependencies)].sort())
  })

  it('copies no installed or built files of this machine', () => {
    expect(read(`${folder}/Dockerfile.dockerignore`).split('\n')).toEqual(
      expect.arrayContaining(['.git', '**/node_modules', '**/dist']),
    )
  })
})
