import { expect, it } from 'vitest'
import { kindOfId, MOST_OF_KIND, matching, mayBeCode } from '../src/page/shell/search-ids'

it('knows a complete id by its prefix, and nothing else', () => {
  expect(kindOfId('mat_01JP3ZK8Y0ABCDEFGHJKMNPQRS')).toBe('match')
  expect(kindOfId('srv_01JP3ZK8Y0ABCDEFGHJKMNPQRS')).toBe('server')
  for (const other of ['mat_01JP3Z', 'key_01JP3ZK8Y0ABCDEFGHJKMNPQRS', 'mat_01JP3ZK8Y0ABCDEFGHJKMNPQRSx', '', 'ann'])
    expect(kindOfId(other)).toBeUndefined()
})

it('takes short letters and digits for an invite code, with blanks and in any case', () => {
  expect(['ABC123', 'abc 123', 'ab-cd', 'QRST'].map(mayBeCode)).toEqual([true, true, true, true])
  expect(['a', 'player_1', 'x'.repeat(13), '<b>'].map(mayBeCode)).toEqual([false, false, false, false])
})

it('finds a bounded number of names, those first that begin with the words', () => {
  const names = [
    'my-ranked',
    'Ranked',
    'casual',
    'unranked',
    ...Array.from({ length: 50 }, (_, place) => `old-ranked-${place}`),
  ]
  const found = matching(names, 'rank', (name) => [name, null])
  expect(found[0]).toBe('Ranked')
  expect(found).toHaveLength(MOST_OF_KIND)
  expect(matching(names, 'casual', (name) => [name])).toEqual(['casual'])
})
