import { expect, it } from 'vitest'
import left from '../src/plain-words/left.json' with { type: 'json' }
import { faultsIn } from '../src/plain-words/look.mjs'
import { faultsOfComment, faultsOfProse } from '../src/plain-words/rules.mjs'

it.each([
  ['Whoever has waited for long may wait longer.', 'Whoever'],
  ['The row goes to who asked first.', 'to who'],
  ['Its name is a label.', 'Its'],
  ['Closes the file. What is left is written first.', '. What'],
  ['Answers the rows that are left.', 'Answers'],
])('finds the fault of a comment: %s', (text, found) => {
  expect(faultsOfComment(text).map((fault) => fault.found)).toContain(found)
})

it.each([
  'Returns the rows that a caller has not read yet, and says what they cost.',
  'The field `who` names a player whose lobby is full.',
])('passes a plain comment: %s', (text) => {
  expect(faultsOfComment(text)).toEqual([])
})

it('judges documents by the rules for prose alone', () => {
  expect(faultsOfProse('Its name is a label.')).toEqual([])
  expect(faultsOfProse('Whoever asks is told.')).toHaveLength(1)
  expect(faultsOfProse('What happens when a node dies?')).toEqual([])
})

it.each(Object.entries(left))(
  '%s breaks the rules of docs/style.md in exactly %i texts; packages/tooling/src/plain-words/look.mjs lists them',
  (place, most) => {
    const faults = faultsIn([place])
    // A folder with fewer faults must keep fewer: lower its number in left.json.
    expect(faults.length, faults.slice(0, 5).join('\n')).toBe(most)
  },
)
