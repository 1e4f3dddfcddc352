import { createRequire } from 'node:module'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { codeBelow, patternsIn } from '../src/linear/collect'
import { slowness } from '../src/linear/judge'

const PACKAGES = fileURLToPath(new URL('../..', import.meta.url))

/** Tools of this repository and test doubles: input from outside never reaches them. */
const OF_TESTS = /^(?:testkit|tooling)\/|\/src\/(?:[\w-]+\/)?testing\//

/** Patterns that are not linear, or are made at run time, each with the reason why a caller cannot exploit it. */
const ALLOWED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'client/src/admin/admin.ts': {
    '/\\/+$/': 'the base URL that the developer gives; a look behind would break old browsers',
  },
  'client/src/client.ts': {
    '/\\/+$/': 'the base URL that the developer gives; a look behind would break old browsers',
  },
  'core/src/shared/repeated-name.ts': {
    '/"(?:[^"\\\\]|\\\\.)*"|[{}[\\],]/gs': 'the text was read as JSON before: each of its texts ends',
  },
  'http/src/route-table.ts': {
    "new RegExp(`^${path.replace(/\\{[^{}]+\\}/g, '[^/]+').replaceAll('.', '\\\\.')}$`)":
      'made of the paths of our own routes, whose segments share no text: no slash is in one',
  },
  'storage-postgres/src/column-text.ts': {
    'new RegExp(`[\\\\0${SIGN}]`)': 'one character',
    "new RegExp(`[\\\\0${SIGN}]`, 'g')": 'one character',
    "new RegExp(`${SIGN}([01])`, 'g')": 'two characters',
  },
}

describe('regular expressions', () => {
  it('of every package take a time that grows with the length of the text, or are allowed for a reason', () => {
    const unused = new Set(
      Object.entries(ALLOWED).flatMap(([file, list]) => Object.keys(list).map((text) => `${file} ${text}`)),
    )
    const faults: string[] = []
    let seen = 0
    for (const path of codeBelow(PACKAGES)) {
      const file = relative(PACKAGES, path).split(sep).join('/')
      if (!/^[^/]+\/src\//.test(file) || OF_TESTS.test(file)) continue
      for (const { line, text, pattern } of patternsIn(path)) {
        seen++
        if (unused.delete(`${file} ${text}`) || ALLOWED[file]?.[text] !== undefined) continue
        const fault = pattern === undefined ? 'is made at run time' : slowness(pattern.source, pattern.flags)
        if (fault !== undefined) faults.push(`${file}:${line} ${text} ${fault}`)
      }
    }
    expect(faults).toEqual([])
    expect([...unused]).toEqual([])
    expect(seen).toBeGreaterThan(100)
  }, 120_000)

  it.each([
    ['^application\\/json[ \\t]*(;[ \\t]*(charset="?utf-8"?)?[ \\t]*)?$', 'i'],
    ['\\s+$', ''],
    ['^\\s+|\\s+$', 'g'],
    ['(a+)+$', ''],
    ['^(?:a*b?)*$', ''],
    ['^(a|a)*$', ''],
    ['^(a|ab|b)*c', ''],
    ['^.*,.*$', ''],
    ['^(.*?,){11}P', ''],
    ['<a>.*</a>', 'g'],
    ['^\\s*#', 'm'],
    ['(?=a*b)a', ''],
    ['^(a*)\\1$', ''],
    ['a{1,200}a{1,200}b', ''],
    ['x((a|a)*b)?', ''],
  ])('that share out one text in many ways are told: /%s/%s', (source, flags) => {
    expect(slowness(source, flags)).toBeDefined()
  })

  it.each([
    ['^a*$', ''],
    ['^(a|b)*$', ''],
    ['^(\\w+\\.)*\\w+@', ''],
    ['^[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*$', ''],
    ['(?:%[0-9A-F]{2})+', 'g'],
    ['\\d+', 'g'],
    ['(?<!\\/)\\/+$', ''],
    ['\\bGET +x', ''],
    ['^# .*$', 'm'],
    ['^(?=.{1,253}$)[a-z.]+$', ''],
    ['[ \\t]*', 'y'],
  ])('that do not are let through: /%s/%s', (source, flags) => {
    expect(slowness(source, flags)).toBeUndefined()
  })

  it('of the library that judges what is sent are linear too, where it takes texts apart', async () => {
    const { resolve } = createRequire(`${PACKAGES}core/package.json`)
    const { regexes } = (await import(resolve('zod'))) as { regexes: Record<string, unknown> }
    const patterns = Object.entries(regexes).filter((entry): entry is [string, RegExp] => entry[1] instanceof RegExp)
    expect(patterns.map(([name]) => name)).toContain('email')
    for (const [name, { source, flags }] of patterns) expect(slowness(source, flags), name).toBeUndefined()
  })
})
