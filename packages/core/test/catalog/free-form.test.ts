import { expect, test } from 'vitest'
import { freeFormFault } from '../../src/catalog/free-form'

/** Returns a number as JSON reads it: the double that is nearest to the text. */
const read = (text: string) => JSON.parse(text)

test('a number above 2^53 - 1 is refused at any depth, since another one would come back', () => {
  const message = /above 2\^53 - 1.*send it as text/
  expect(freeFormFault(read('{"steam":76561198122624103}'))).toMatch(message)
  expect(freeFormFault(read('{"a":[{"b":[-9007199254740993]}]}'))).toMatch(message)
  expect(freeFormFault(read('{"a":9007199254740992}'))).toMatch(message)
})

test('the largest safe number, and any fraction, are taken', () => {
  expect(freeFormFault(read('{"a":9007199254740991,"b":-9007199254740991,"c":0.1,"d":1.5e-300}'))).toBeUndefined()
  expect(freeFormFault(read('{"steam":"76561198122624103"}'))).toBeUndefined()
})
