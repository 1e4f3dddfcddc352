import { describe, expect, it } from 'vitest'
import { measure } from '../measures/measure'
import { WALKS } from '../measures/walks'

describe.each(WALKS)('the walk "$name"', (walk) => {
  const measured = measure(walk)

  it('is as short as it may be', () => {
    const steps = measured.steps.map(({ path, name, lines }) => `${String(lines).padStart(4)}  ${path}#${name}`)
    expect(measured.files, steps.join('\n')).toBeLessThanOrEqual(walk.atMost.files)
    expect(measured.lines, steps.join('\n')).toBeLessThanOrEqual(walk.atMost.lines)
  })

  it('goes from each step to the next: every one is named by one before it', () => {
    expect(measured.astray).toEqual([])
  })
})

it('a step that is not there any more is told by its place', () => {
  const walk = { ...WALKS[0], steps: ['packages/core/src/lobby/decide.ts#goneLongAgo'] } as (typeof WALKS)[number]
  expect(() => measure(walk)).toThrow('packages/core/src/lobby/decide.ts#goneLongAgo is not there any more')
})
