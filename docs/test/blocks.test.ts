import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DOCUMENTS, ROOT } from './documents'
import { PAGES, textOf } from './pages'

interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly code: string
}

const blocks: readonly Block[] = PAGES.flatMap((page) =>
  [...textOf(page).matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)].map(({ index, 2: language = '', 3: code = '' }) => ({
    page,
    line: textOf(page).slice(0, index).split('\n').length,
    language,
    code,
  })),
)

/** The treatment of some code blocks: the test that runs them unchanged, or the reason why no test does. */
interface Rule {
  readonly of: (block: Block) => boolean
  readonly ranBy?: string
  readonly exempt?: string
}

const on = (page: string, ...languages: string[]) => {
  return (block: Block): boolean => block.page === page && languages.includes(block.language)
}
const startsWith = (page: string, text: string) => (block: Block) => block.page === page && block.code.startsWith(text)

const RULES: readonly Rule[] = [
  // Whole programs.
  {
    of: ({ page, language }) =>
      page in DOCUMENTS && (language === 'ts' || (language === 'js' && page.startsWith('docs/'))),
    ranBy: 'docs/test/examples.int.test.ts',
  },
  { of: on('docs/matchmaking.md', 'js'), ranBy: 'packages/matchmaking/test/docs.test.ts' },
  { of: on('docs/writing-a-storage-adapter.md', 'ts'), ranBy: 'examples/custom-storage/test/guide.int.test.ts' },
  { of: on('docs/writing-an-orchestrator.md', 'ts'), ranBy: 'docs/test/orchestrator-guide.test.ts' },
  {
    of: on('docs/game-servers.md', 'sh', 'js', 'python', 'c'),
    ranBy: 'packages/tooling/test/game-servers-guide.e2e.test.ts',
  },
  { of: on('packages/engines/godot/README.md', 'gdscript'), ranBy: 'packages/tooling/test/engines/godot.e2e.test.ts' },
  { of: on('packages/engines/unity/README.md', 'csharp'), ranBy: 'packages/tooling/test/engines/unity.e2e.test.ts' },
  // Blocks that a reader pastes.
  {
    of: (block) => on('README.md', 'sh', 'text')(block) && !block.code.startsWith('npm '),
    ranBy: 'packages/tooling/test/documents/readme.test.ts',
  },
  {
    of: (block) => on('docs/self-hosting.md', 'sh', 'text')(block) && isBelow(block, 'A first match'),
    ranBy: 'packages/tooling/test/documents/self-hosting.e2e.test.ts',
  },
  {
    of: (block) =>
      on('docs/self-hosting.md', 'sh')(block) && (isBelow(block, 'Accounts') || isBelow(block, 'The clock')),
    ranBy: 'packages/tooling/test/documents/pages.e2e.test.ts',
  },
  ...['webhooks', 'live-matches', 'simulation', 'from-multiplay', 'from-playfab'].map((name) => ({
    of: on(`docs/${name}.md`, 'sh', 'text'),
    ranBy: 'packages/tooling/test/documents/pages.e2e.test.ts',
  })),
  { of: on('docs/http-api.md', 'sh'), ranBy: 'packages/tooling/test/documents/pages.e2e.test.ts' },
  { of: on('docs/cookbook/local-first.md', 'text'), ranBy: 'docs/test/examples.int.test.ts' },
  {
    of: ({ page, language }) => page.startsWith('docs/cookbook/') && ['sh', 'text'].includes(language),
    ranBy: 'packages/tooling/test/documents/cookbook.e2e.test.ts',
  },
  { of: on('docs/kubernetes.md', 'yaml'), ranBy: 'packages/tooling/test/helm/objects.e2e.test.ts' },
  // Generated blocks, and blocks that tests only read.
  { of: on('docs/states.md', 'mermaid'), ranBy: 'packages/core/test/architecture/states-page.test.ts' },
  { of: ({ language }) => language === 'json', ranBy: 'docs/test/blocks.test.ts' },
  {
    of: ({ language, code }) => language === 'sh' && /^npm install (?!\n)[^\n]*\n$/.test(code),
    ranBy: 'docs/test/blocks.test.ts',
  },
  // Blocks that no test runs.
  {
    of: on('packages/engines/godot/README.md', 'sh'),
    exempt: 'the start script of a build of the reader; the tests start the same server by the engine',
  },
  {
    of: on('docs/http-api.md', 'http'),
    exempt: 'the shape of a call, with a placeholder in its path; the calls are in the conformance suite',
  },
  {
    of: on('docs/http-api.md', 'python'),
    exempt: 'two lines of a game server; docs/game-servers.md has them in a whole one',
  },
  { of: ({ language }) => language === '', exempt: 'a drawing, an address, or an output that chance decides' },
  {
    of: startsWith('README.md', 'npm start'),
    exempt: 'it is this repository: continuous integration is the second line',
  },
  { of: on('docs/CONTRIBUTING.md', 'sh'), exempt: 'continuous integration, and its parts' },
  {
    of: on('docs/self-hosting.md', 'ini', 'nginx'),
    exempt:
      'a file of systemd, and of nginx, for a machine of its own; what they must hold is in docs/test/self-hosting.test.ts',
  },
  {
    of: on('docs/cookbook/certificates.md', 'ini'),
    exempt: 'names and files of the reader; packages/orchestrator/test/tls tries such files',
  },
  { of: startsWith('docs/self-hosting.md', 'sudo '), exempt: 'it needs another user of the machine' },
  {
    of: startsWith('docs/self-hosting.md', 'MATCHYARD_URL=http://127.0.0.1:8080 METRICS_TOKEN'),
    exempt: 'it goes on for ever: packages/server/test/top.int.test.ts runs it once',
  },
  {
    of: startsWith('docs/self-hosting.md', 'matchyard serve --workers'),
    exempt: 'it goes on for ever: packages/tooling/test/many-nodes/workers.e2e.test.ts starts it',
  },
  {
    of: startsWith('docs/self-hosting.md', 'cd examples/self-hosting'),
    exempt: 'it builds images from a registry; docs/test/self-hosting.test.ts reads the files',
  },
  {
    of: on('docs/kubernetes.md', 'sh'),
    exempt:
      'it needs a cluster; packages/orchestrator/test/agones runs the adapter on one of the tests, packages/tooling/test/helm a node on what the chart renders',
  },
  {
    of: on('docs/scaling.md', 'sh'),
    exempt: 'clusters of the reader; packages/tooling/test/helm renders the chart',
  },
  {
    of: startsWith('docs/self-hosting.md', 'export BUILD_STORE'),
    exempt:
      'a bucket and a key of the reader; packages/build-store/test/s3/store-away.int.test.ts tries one as doctor does',
  },
  {
    of: startsWith('docs/self-hosting.md', 'DATABASE_URL=postgres://matchyard:…@pgbouncer'),
    exempt: 'addresses of the reader; packages/tooling/test/many-nodes/pooler.e2e.test.ts runs nodes so',
  },
  {
    of: (block) => on('docs/machines.md', 'sh')(block) && isBelow(block, 'A machine without the database'),
    exempt: 'addresses and tokens of the reader; packages/server/test/agent runs an agent so',
  },
  { of: startsWith('docs/self-hosting.md', 'pg_dump'), exempt: 'it replaces a database' },
  { of: on('docs/unreal.md', 'sh', 'cpp'), exempt: 'nothing here can compile for Unreal; the page says so' },
  {
    of: ({ page, language }) => page.startsWith('packages/client/') && language === 'js',
    exempt: 'parts of a program; the whole one is below them',
  },
  { of: on('packages/client/README.md', 'sh'), exempt: 'how a server of the reader is packed' },
  { of: on('packages/server/README.md', 'sh'), exempt: 'it asks a registry, and goes on for ever' },
  {
    of: startsWith('docs/machines.md', 'git clone'),
    exempt: 'it is this repository: continuous integration builds it',
  },
  {
    of: (block) => block.page === 'docs/machines.md' && isBelow(block, 'On real machines'),
    exempt: 'addresses and keys of the reader; docs/test/self-hosting.test.ts reads the variables',
  },
  {
    of: (block) => block.page === 'docs/machines.md' && isBelow(block, 'Two machines in two regions'),
    ranBy: 'packages/tooling/test/documents/machines.e2e.test.ts',
  },
  { of: on('docs/machines.md', 'sh'), exempt: 'packages/server/test/machines.int.test.ts runs the same commands' },
  {
    of: on('packages/create-matchyard/README.md', 'sh'),
    exempt: '`npm run prove -- create` runs it: it asks a registry',
  },
  {
    of: on('packages/create-matchyard/template/README.md', 'sh'),
    exempt: '`npm run prove -- create` runs it: it asks a registry',
  },
  {
    of: on('examples/backend/README.md', 'sh', 'js'),
    exempt: 'packages of its own and two ports; its tests play the same',
  },
  { of: on('examples/embed-in-hono/README.md', 'sh'), exempt: 'a port of its own, for ever; its tests play the same' },
  {
    of: on('examples/simulate-a-queue/README.md', 'sh'),
    exempt: 'packages/server/test/simulate/simulate.test.ts plays the same files',
  },
]

/** Whether a block is below a heading and above the next heading of the same or a higher rank. */
function isBelow({ page, line }: Block, heading: string): boolean {
  const lines = textOf(page).split('\n')
  const rank = new RegExp(`^(#+) ${heading}$`)
  const from = lines.findIndex((each) => rank.test(each))
  const depth = rank.exec(lines[from] ?? '')?.[1]?.length ?? 0
  let isCode = false
  const to = lines.findIndex((each, index) => {
    if (each.startsWith('```')) isCode = !isCode
    return index > from && !isCode && new RegExp(`^#{1,${depth}} `).test(each)
  })
  return from >= 0 && line > from && (to < 0 || line <= to)
}

const ruleOf = (block: Block): Rule | undefined => RULES.find((rule) => rule.of(block))

describe('every block of every page', () => {
  it('is run by a test, or there is a reason why not', () => {
    expect(blocks.length).toBeGreaterThan(100)
    const forgotten = blocks.filter((block) => ruleOf(block) === undefined)
    expect(forgotten.map(({ page, line, language }) => `${page}:${line} ${language}`)).toEqual([])
  })

  it('no rule is left of what is gone, and each test that one names is there', () => {
    for (const rule of RULES) {
      const name = rule.ranBy ?? rule.exempt
      expect(
        blocks.some((block) => ruleOf(block) === rule),
        name,
      ).toBe(true)
      if (rule.ranBy !== undefined) expect(existsSync(join(ROOT, rule.ranBy)), rule.ranBy).toBe(true)
    }
  })

  it.each(blocks.filter(({ language }) => language === 'json').map((block) => [`${block.page}:${block.line}`, block]))(
    '%s is JSON, or what stands within an object',
    (_, { code }) => {
      expect([code, `{${code}}`].some(isJson)).toBe(true)
    },
  )

  it('what is to be installed is a package of this repository, or one that it uses itself', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'docs/package.json'), 'utf8'))
    const asked = blocks
      .filter((block) => block.language === 'sh' && ruleOf(block)?.ranBy === 'docs/test/blocks.test.ts')
      .flatMap(({ code }) => code.trim().split(/\s+/).slice(2))
      .filter((word) => !word.startsWith('--'))
      .map((word) => word.replace(/(?<=.)@\d+$/, ''))
    expect(asked.length).toBeGreaterThan(20)
    expect(asked.filter((name) => !(name in devDependencies))).toEqual([])
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
