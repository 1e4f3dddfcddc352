import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { orchestratorConformance } from '@matchyard/testkit/orchestrator'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const guide = readFileSync(join(root, 'docs', 'writing-an-orchestrator.md'), 'utf8')

function sourcesBelow(folder: string): string {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return files
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))
    .join('\n')
}

it('quotes code that is there', () => {
  const folders = ['src/docker', 'test/docker', 'src/kit', 'src/testing']
  const code = folders.map((folder) => sourcesBelow(`packages/orchestrator/${folder}`)).join('\n')
  const [own, ...quoted] = [...guide.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '')
  expect(own).toContain('orchestratorConformance()')
  expect(quoted.length).toBeGreaterThan(0)
  for (const block of quoted) expect(code).toContain(block)
})

it('has a step for every area of the suite, and for none that there is not', () => {
  const named = [...guide.matchAll(/-t '\^\(?([^:)]+)\)?:'/g)].flatMap((match) => (match[1] ?? '').split('|'))
  const areas = new Set(orchestratorConformance().map(({ area }) => area))
  expect(named.sort()).toEqual([...areas].sort())
})
