import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { isRelative, PACKAGES } from './source-files'

const ROOT = join(PACKAGES, '..')
const SCRIPT = /\.[cm]?[jt]sx?$/
const NOT_OURS = new Set(['node_modules', 'dist', 'coverage'])

/** Returns the folder of the package that holds a path from the root: `packages/core`, `examples/demo`, `docs`. */
function packageOf(path: string): string {
  const [first = '', second = ''] = path.split(sep)
  return first === 'docs' ? first : join(first, second)
}

function* scriptsIn(folder: string): Generator<string> {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !NOT_OURS.has(entry.name)) yield* scriptsIn(path)
    else if (entry.isFile() && SCRIPT.test(entry.name)) yield path
  }
}

/** Returns the imports of a file without a syntax tree, because parsing all files of the workspace would take long. */
const importsOf = (path: string): string[] =>
  ts.preProcessFile(readFileSync(join(ROOT, path), 'utf8'), true, true).importedFiles.map(({ fileName }) => fileName)

/** Returns the imports of a file that lead out of its package by a path. */
const leaving = (path: string, imports: readonly string[]): string[] =>
  imports
    .filter(isRelative)
    .filter((specifier) => packageOf(join(dirname(path), specifier)) !== packageOf(path))
    .map((specifier) => `${path} imports ${specifier}`)

const scripts = ['packages', 'examples', 'docs'].flatMap((folder) => [...scriptsIn(folder)])

/** Packages that run in a browser. */
const IN_BROWSERS = ['client', 'console', 'matchmaking']

it('a package that runs in a browser imports nothing of core, and so none of its words', () => {
  const sources = IN_BROWSERS.flatMap((name) =>
    readdirSync(join(PACKAGES, name, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => join('packages', name, 'src', path)),
  )
  const fromCore = (path: string) => importsOf(path).some((specifier) => specifier.startsWith('@matchyard/core'))
  expect(sources.length).toBeGreaterThan(200)
  expect(sources.filter(fromCore)).toEqual([])
})

describe('a relative import', () => {
  it('never leaves its package, in sources, tests, benches, examples and configurations alike', () => {
    expect(scripts.length).toBeGreaterThan(1_000)
    expect(scripts.flatMap((path) => leaving(path, importsOf(path)))).toEqual([])
  })

  it('is looked at closely enough to see one that does', () => {
    const own = relative(ROOT, join(PACKAGES, 'http', 'test', 'x.test.ts'))
    expect(leaving(own, ['../src/index', './y', '@matchyard/core'])).toEqual([])
    expect(leaving(own, ['../../core/src/index', '../../../docs/x', '../../../.ci/run'])).toHaveLength(3)
  })
})
