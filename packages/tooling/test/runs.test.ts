import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { BENCHES } from '../src/runs/bench.mjs'
import { PROOFS } from '../src/runs/prove.mjs'
import { listed } from '../src/runs/registered.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: object
  readonly packageManager: string
}
const runs = Object.entries({ ...PROOFS, ...BENCHES })
const projects = ['packages', 'examples'].flatMap((folder) => readdirSync(join(root, folder)))

/** Returns the paths of test files below a package, relative to it. */
const testFiles = (project: string): string[] =>
  readdirSync(join(root, 'packages', project, 'test'), { recursive: true, encoding: 'utf8' }).map(
    (path) => `test/${path}`,
  )

describe('the registers of proofs and benchmarks', () => {
  it.each(runs)('%s names programs and tests that exist', (_, { steps }) => {
    for (const { args } of steps) {
      for (const path of args.filter((arg) => /^(packages|\.ci)\//.test(arg)))
        expect(existsSync(join(root, path)), path).toBe(true)
      if (args[0] !== 'run') continue
      const named = args.flatMap((arg, index) => (args[index - 1] === '--project' ? [arg] : []))
      const words = args.slice(args.lastIndexOf('--project') + 2)
      for (const word of words) {
        const found = named.flatMap(testFiles).filter((path) => path.includes(word))
        expect(found, `${word} in ${named.join(', ')}`).not.toEqual([])
      }
      expect(projects).toEqual(expect.arrayContaining(named))
    }
  })

  it('say a sentence and minutes of each', () => {
    for (const [name, { says, minutes }] of runs) {
      expect(says, name).toMatch(/^[A-Z].*\.$/)
      expect(minutes).toBeGreaterThan(0)
    }
    expect(listed(PROOFS).find((line) => line.startsWith('chaos '))).toMatch(
      /13 min {2}Kills, .* Needs `npm run build`/,
    )
  })

  it('keep the scripts of the root few', () => {
    expect(Object.keys(manifest.scripts).length).toBeLessThanOrEqual(20)
  })
})

it('the installation that CONTRIBUTING names is by the version of pnpm that the workspace has', () => {
  expect(readFileSync(join(root, 'docs', 'CONTRIBUTING.md'), 'utf8')).toContain(
    `npx --yes ${manifest.packageManager} install`,
  )
})
