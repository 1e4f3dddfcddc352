import { expect, it } from 'vitest'
import { textOf } from './pages'

const benchmarks = textOf('docs/benchmarks.md')

/** Returns the second column of the table whose first heading is `measurement`. */
const valuesOf = (page: string): readonly string[] =>
  /^\| measurement \|.*\n\|[-|]+\n((?:\|.*\n)+)/m
    .exec(textOf(page))?.[1]
    ?.trim()
    .split('\n')
    .map((row) => row.split('|')[2] ?? '') ?? []
const numbersOf = (text: string): readonly string[] => text.match(/\d[\d.,]*\d|\d/g) ?? []
const isMeasured = (number: string): boolean =>
  new RegExp(`(?<![\\d.,])${number.replaceAll('.', '\\.')}(?![\\d,]|\\.\\d)`).test(benchmarks)

it('every figure of rolling updates stands in docs/benchmarks.md, with the command that makes it', () => {
  const [told = ''] = /^A test restarted three nodes behind nginx.*$/m.exec(textOf('docs/self-hosting.md')) ?? []
  expect(told).toContain('npm run prove -- rolling')
  expect(numbersOf(told).length).toBeGreaterThan(5)
  expect(numbersOf(told).filter((figure) => !isMeasured(figure))).toEqual([])
})

it('every figure of the README stands in docs/benchmarks.md', () => {
  const figures = valuesOf('README.md').flatMap(numbersOf)
  expect(figures.length).toBeGreaterThan(5)
  expect(figures.filter((figure) => !isMeasured(figure))).toEqual([])
  expect(isMeasured('1234567.8')).toBe(false)
})
