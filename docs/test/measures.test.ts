import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { entryPoints, listOf } from '../measures/exports'
import { sectionOf, TABLES } from '../measures/tables'
import { unusedValues } from '../measures/unused'

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')

it('docs/architecture.md has its tables as they are measured', () => {
  const page = read('architecture.md')
  for (const table of TABLES) {
    expect(page, 'docs/architecture.md is out of date: run `npm run generate`').toContain(sectionOf(table))
  }
})

it('what is exported is what docs/measures/exports.txt lists', () => {
  const list = read('measures/exports.txt')
  expect(list, 'docs/measures/exports.txt is out of date: run `npm run generate`').toBe(listOf(entryPoints()))
})

it('a value that nothing outside its package names is exported only where docs/measures/wanted.txt wants it for embedders', () => {
  const wanted = read('measures/wanted.txt')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  expect(unusedValues(entryPoints()).sort()).toEqual(wanted.sort())
})

it('no name stands in two entry points of a package, except what a game server and a player each have under it', () => {
  const homes = new Map<string, string[]>()
  for (const { name, values, types } of entryPoints()) {
    const own = name.split('/').slice(0, 2).join('/')
    for (const one of [...values, ...types]) homes.set(`${own} ${one}`, [...(homes.get(`${own} ${one}`) ?? []), name])
  }
  const twice = [...homes.values()].filter((names) => names.length > 1).map((names) => names.join(' and '))
  expect([...new Set(twice)]).toEqual([
    '@matchyard/client and @matchyard/client/game-server',
    '@matchyard/client/admin and @matchyard/client/game-server',
  ])
})
