import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { conformancePage } from '../../src/conformance/page'
import { RULES, type Rule } from '../../src/conformance/rules/index'
import { PAGE, provingFiles, ROOT, testExists } from '../../src/conformance/sources'

const rules: [string, Rule][] = Object.entries(RULES)
const files = provingFiles()

describe('the rules of the specification', () => {
  test('each has exactly one test, here or elsewhere', () => {
    const wrong = rules.filter(
      ([id, { provedBy }]) => (files.get(id) ?? []).length !== (provedBy === undefined ? 1 : 0),
    )
    expect(wrong.map(([id]) => `${id}: ${files.get(id)?.join(', ') ?? 'no test'}`)).toEqual([])
  })

  test('every test is of a rule', () => {
    expect([...files.keys()].filter((id) => !(id in RULES))).toEqual([])
  })

  test('a test elsewhere is there', () => {
    const named = rules.flatMap(([id, { provedBy }]) => (provedBy === undefined ? [] : [{ id, provedBy }]))
    expect(named.filter(({ provedBy }) => !testExists(provedBy))).toEqual([])
    // They are the exception: a rule is proved in this suite wherever it can be.
    expect(named.length).toBeLessThan(rules.length / 10)
  })

  test('no two say the same', () => {
    const texts = rules.map(([, { text }]) => text)
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
  })

  test('the page about them is up to date (npm run docs:conformance)', () => {
    expect(readFileSync(`${ROOT}${PAGE}`, 'utf8')).toBe(conformancePage())
  })
})
