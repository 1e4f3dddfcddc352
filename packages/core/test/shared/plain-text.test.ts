import { describe, expect, it } from 'vitest'
import { holdsUnseen, quoted, shownLines, shownText } from '../../src/shared/plain-text'

describe('text that callers chose', () => {
  it.each([
    ['a control of ASCII', '\u001b[2J'],
    ['a line end', 'a\nb'],
    ['DEL', '\u007f'],
    ['a control of Latin-1', '\u009b31m'],
    ['a separator of lines', 'a\u2028b'],
    ['an override of the direction', '\u202etxt.exe'],
    ['an isolate of the direction', '\u2066x\u2069'],
  ])('with %s is told, and written out where it is shown', (_, text) => {
    expect(holdsUnseen(text)).toBe(true)
    expect(holdsUnseen(shownText(text))).toBe(false)
    // The text is escaped as in JSON, so that JSON shown this way keeps its meaning.
    expect(JSON.parse(shownLines(JSON.stringify(text)))).toBe(text)
  })

  it.each(['Ann', 'Zoë', '名前', 'שלום', 'مرحبا', '👩‍👩‍👧', 'a b'])('%s is shown as it is', (text) => {
    expect(holdsUnseen(text)).toBe(false)
    expect(shownText(text)).toBe(text)
  })

  it('keeps its lines where lines are shown', () => {
    expect(shownLines('a\tb\nc\u001b')).toBe('a\tb\nc\\u001b')
  })

  it('is repeated in quotes and no longer than 128 characters', () => {
    expect(quoted('x\u009by"')).toBe('"x\\u009by\\""')
    expect(quoted('y'.repeat(128))).toBe(JSON.stringify('y'.repeat(128)))
    expect(quoted('y'.repeat(60_000))).toBe(JSON.stringify(`${'y'.repeat(128)}…`))
  })
})
