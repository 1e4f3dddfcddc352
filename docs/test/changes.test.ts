import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CHANGES } from '../measures/changes'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

describe.each(CHANGES)('to add $name', ({ touches, atMost }) => {
  it('one touches as few files as it may', () => {
    expect(touches.length).toBeLessThanOrEqual(atMost)
  })

  it.each(touches)('%s is where it was', (place) => {
    const [path = '', text = ''] = place.replace(/^new:/, '').split('#')
    expect(existsSync(join(ROOT, path))).toBe(true)
    if (!place.startsWith('new:')) expect(readFileSync(join(ROOT, path), 'utf8')).toContain(text)
  })
})
