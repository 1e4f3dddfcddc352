import { expect, test } from 'vitest'
import { DEFAULT_INVITE_CODE_CONFIG, drawInviteCode, normaliseInviteCode } from '../../src/queue/invite-code'

test.each(['alphanumeric', 'alphabetic'] as const)('%s codes hold no characters that look alike', (charset) => {
  for (let at = 0; at < 36; at++) {
    const code = drawInviteCode({ ...DEFAULT_INVITE_CODE_CONFIG, charset }, (below) => at % below)
    expect(code).not.toMatch(/[0O1IL]/)
  }
})

test('a code may be typed in any case, with blanks, and with a character that looks alike', () => {
  const typed = ['ROLO10', ' rolo10', 'r0l0IO ', 'RO LO\t10', 'rOIo1o']
  expect(new Set(typed.map(normaliseInviteCode))).toEqual(new Set(['R01010']))
  expect(normaliseInviteCode('R01011')).not.toBe('R01010')
})
