import { describe, expect, it } from 'vitest'
import { checkName, nameFault } from '../../src/catalog/names'
import { rejectInvalid } from '../../src/errors/decision'

describe('a name', () => {
  it.each(['a\u001b[2J', '\u007f', '\u009b', '\u202eexe', '\u2066x', 'a\nb'])('with %j is refused', (name) => {
    expect(nameFault(name)).toMatch(/control characters/)
    expect(() => checkName(name)).toThrow(/VALIDATION_FAILED: name: must not contain control characters/)
  })

  it('may be left out, and has its length', () => {
    expect(() => checkName(undefined)).not.toThrow()
    expect(() => checkName(null)).not.toThrow()
    expect(nameFault('x'.repeat(128))).toBeUndefined()
    expect(nameFault('x'.repeat(129))).toBe('must be 1 to 128 characters long')
    expect(nameFault('👾'.repeat(128))).toBeUndefined()
    expect(nameFault('')).toBe('must be 1 to 128 characters long')
  })
})

describe('what is wrong with an input', () => {
  it('is told in no more than twenty issues, each no longer than its bound', () => {
    const issues = Array.from({ length: 5_000 }, (_, n) => ({
      path: `${n}`.padEnd(9_000, 'x'),
      message: 'y'.repeat(9_000),
    }))
    const { detail, details } = rejectInvalid(issues).rejected
    const told = details?.issues as { path: string; message: string }[]
    expect(told).toHaveLength(20)
    expect(told.map(({ path }) => path.length)).toEqual(Array(20).fill(257))
    expect(told.map(({ message }) => message.length)).toEqual(Array(20).fill(1_025))
    expect(detail).toMatch(/ \(and 4999 more\)$/)
  })
})
