import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkParty, createPool, findMatches, validateConfig } from '../src/index'

const text = readFileSync(new URL('../../../docs/matchmaking.md', import.meta.url), 'utf8')
const examples = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map((found) => found[1] as string)

test('the guide has examples', () => {
  expect(examples.length).toBeGreaterThan(8)
})

test.each(examples.map((code, index) => [index + 1, code] as const))(
  'example %i of the guide prints what it says',
  (_, code) => {
    const printed: string[] = []
    const example = new Function('console', 'findMatches', 'createPool', 'checkParty', 'validateConfig', code)
    example(
      { log: (value: unknown) => printed.push(JSON.stringify(value)) },
      findMatches,
      createPool,
      checkParty,
      validateConfig,
    )
    expect(printed).toEqual([...code.matchAll(/\/\/ → (.*)$/gm)].map((found) => found[1]))
    expect(printed.length).toBeGreaterThan(0)
  },
)
