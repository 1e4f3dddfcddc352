/**
 * Characters of invite codes. Characters that look alike (0 and O; 1, I and L) are left out. The letters are always left out; the digits
 * are left out of the set that also has letters.
 */
export const INVITE_CHARSETS = {
  /** Upper-case letters and digits without look-alikes. */
  alphanumeric: 'ABCDEFGHJKMNPQRSTUVWXYZ23456789',
  /** Digits. */
  numeric: '0123456789',
  /** Upper-case letters without look-alikes. */
  alphabetic: 'ABCDEFGHJKMNPQRSTUVWXYZ',
} as const
/** Name of a set of characters, a key of `INVITE_CHARSETS`. */
export type InviteCharset = keyof typeof INVITE_CHARSETS

/** Settings of the invite codes of a queue's lobbies. */
export interface InviteCodeConfig {
  /** Whether lobbies have an invite code. Default: true. */
  readonly enabled: boolean
  /** Number of characters of the random part, 4 to 32. Default: 6. */
  readonly length: number
  /** Characters of the random part. Default: `alphanumeric`. */
  readonly charset: InviteCharset
  /** Text before the random part, at most 16 characters. Default: empty. */
  readonly prefix: string
}

/** Settings of invite codes in a queue that sets none. */
export const DEFAULT_INVITE_CODE_CONFIG: InviteCodeConfig = {
  enabled: true,
  length: 6,
  charset: 'alphanumeric',
  prefix: '',
}

/**
 * Maximum number of draws of a code. When each draw gives a code in use, the call fails with INVITE_CODES_EXHAUSTED (docs/http-api.md §1).
 */
export const MAX_INVITE_DRAWS = 32
/** Milliseconds for which a code that a lobby gave up is not drawn again: 10 minutes (docs/http-api.md §5). */
export const INVITE_CODE_HOLD_MS = 10 * 60 * 1_000

/** Returns a random invite code. `int(n)` returns a number from 0 to n-1, uniformly distributed. */
export function drawInviteCode(config: InviteCodeConfig, int: (below: number) => number): string {
  const charset = INVITE_CHARSETS[config.charset]
  let code = config.prefix
  for (let i = 0; i < config.length; i++) code += charset[int(charset.length)]
  return code
}

const LOOK_ALIKES: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' }

/** Returns the form in which codes are compared: without blanks, in upper case, and with one character for each group of look-alikes. */
export const normaliseInviteCode = (code: string): string => (NORMAL.test(code) ? code : normalised(code))

/** Form of all drawn codes. Testing for this form costs less than the replacements in `normalised`. */
const NORMAL = /^[0-9A-HJKMNP-Z-]*$/

const normalised = (code: string): string =>
  code
    .replaceAll(/\s/g, '')
    .toUpperCase()
    .replaceAll(/[OIL]/g, (letter) => LOOK_ALIKES[letter] as string)

/** Record that keeps a code that a lobby gave up from being drawn again, for INVITE_CODE_HOLD_MS. A job removes it afterwards. */
export interface InviteHold {
  /** `{lobbyId}/{normalised code}` */
  readonly id: string
  /** Version of the row. */
  readonly version: number
  /** Project of the lobby. */
  readonly projectId: string
  /** Invite code, in its normalised spelling. */
  readonly code: string
  /** Time until which no lobby gets the code. */
  readonly until: number
}

/**
 * Returns the hold on a code that a lobby gives up. The id of the hold contains the lobby's id, because another lobby may give up the same
 * code before this hold ends.
 */
export const holdOf = (
  lobby: { readonly id: string; readonly projectId: string },
  code: string,
  at: number,
): InviteHold => ({
  id: `${lobby.id}/${normaliseInviteCode(code)}`,
  version: 1,
  projectId: lobby.projectId,
  code,
  until: at + INVITE_CODE_HOLD_MS,
})
