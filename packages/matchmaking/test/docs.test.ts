import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as engine from '../src/index'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const blocksOf = (text: string): string[] =>
  [...text.matchAll(/```[jt]s\n([\s\S]*?)```/g)].map((found) => found[1] as string)
const examples = blocksOf(read('../../../docs/matchmaking.md'))
const readme = blocksOf(read('../README.md'))

test('the guide has examples', () => {
  expect(examples.length).toBeGreaterThan(8)
})

/** Runs an example that imports only the engine. Each line that prints must have the printed value beside it, as `// → value`. */
const runs = (code: string): void => {
  const printed: string[] = []
  const body = code.replace(/^import .* from '@matchyard\/matchmaking'$/m, '')
  const example = new Function('console', ...Object.keys(engine), body)
  example({ log: (value: unknown) => printed.push(JSON.stringify(value)) }, ...Object.values(engine))
  expect(printed).toEqual([...code.matchAll(/\/\/ → (.*)$/gm)].map((found) => found[1]))
  expect(printed.length).toBeGreaterThan(0)
}

test.each(examples.map((code, index) => [index + 1, code] as const))(
  'example %i of the guide prints what it says',
  (_, code) => runs(code),
)

test('the lines of the README print what they say', () => {
  expect(readme).toHaveLength(1)
  runs(readme[0] as string)
})
