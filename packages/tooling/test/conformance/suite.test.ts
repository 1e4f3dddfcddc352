import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { conformancePage } from '../../src/conformance/page'
import { RULES, type Rule } from '../../src/conformance/rules/index'
import { provingFiles, ROOT, testExists } from '../../src/conformance/sources'
import { problemsOf } from '../../src/conformance/verdict'

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
    // Rules proved elsewhere are the exception: this suite proves a rule wherever it can.
    expect(named.length).toBeLessThan(rules.length / 10)
  })

  test('no two say the same', () => {
    const texts = rules.map(([, { text }]) => text)
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
  })

  test('the page about them is up to date', () => {
    const page = readFileSync(`${ROOT}docs/conformance.md`, 'utf8')
    expect(page, 'docs/conformance.md is out of date: run `npm run generate`').toBe(conformancePage())
  })
})

describe('a run', () => {
  const rows = { 'S-A-01': { law: 'specification', section: 'A', text: 'the rule' } } as const
  const passed = { title: 'S-A-01 the rule', status: 'passed' }

  test('is good when each rule has one test that passed', () => {
    expect(problemsOf(rows, [passed])).toEqual([])
  })

  test.each([
    ['a rule without an executed test', [], /no test was executed/],
    ['a test that failed', [{ ...passed, status: 'failed' }], /S-A-01: failed/],
    ['a test that was skipped', [{ ...passed, status: 'skipped' }], /S-A-01: skipped/],
    ['two tests of a rule', [passed, passed], /2 tests/],
    ['a test of no rule', [passed, { title: 'S-A-02 another', status: 'passed' }], /S-A-02: a test of no rule/],
    ['another test that failed', [passed, { title: 'the page', status: 'failed' }], /the page: failed/],
  ])('is bad with %s', (_what, executed, problem) => {
    expect(problemsOf(rows, executed)).toEqual([expect.stringMatching(problem)])
  })

  test('is bad where a test elsewhere is gone', () => {
    const gone = { 'S-A-01': { ...rows['S-A-01'], provedBy: 'packages/none.test.ts › title' } }
    expect(problemsOf(gone, [])).toHaveLength(1)
  })
})
