/** The characters that codes are drawn from. Of look-alikes (0 and O; 1, I and L) the letters and, beside letters, the digits are left out. */
export const INVITE_CHARSETS = {
  alphanumeric: 'ABCDEFGHJKMNPQRSTUVWXYZ23456789',
  numeric: '0123456789',
  alphabetic: 'ABCDEFGHJKMNPQRSTUVWXYZ',
} as const
export type InviteCharset = keyof typeof INVITE_CHARSETS

export interface InviteCodeConfig {
  readonly enabled: boolean
  /** Counts the random part only. */
  readonly length: number
  readonly charset: InviteCharset
  /** Prepended to the random part. */
  readonly prefix: string
}

export const DEFAULT_INVITE_CODE_CONFIG: InviteCodeConfig = {
  enabled: true,
  length: 6,
  charset: 'alphanumeric',
  prefix: '',
}

/** Draws that may meet a code in use before INVITE_CODES_EXHAUSTED (docs/http-api.md §1). */
export const MAX_INVITE_DRAWS = 32
/** A freed code is not drawn again for 10 minutes (docs/http-api.md §5). */
export const INVITE_CODE_HOLD_MS = 10 * 60 * 1_000

/** A code drawn with `int(n)`, uniform in 0..n-1. */
export function drawInviteCode(config: InviteCodeConfig, int: (below: number) => number): string {
  const charset = INVITE_CHARSETS[config.charset]
  let code = config.prefix
  for (let i = 0; i < config.length; i++) code += charset[int(charset.length)]
  return code
}

const LOOK_ALIKES: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' }

/** Returns the form in which codes are compared: without blanks, in upper case, with one character for those that look alike. */
export const normaliseInviteCode = (code: string): string =>
  code
    .replaceAll(/\s/g, '')
    .toUpperCase()
    .replaceAll(/[OIL]/g, (letter) => LOOK_ALIKES[letter] as string)

/** Keeps a freed code from being drawn again; removed by a job when its time is over. */
export interface InviteHold {
  /** `{lobbyId}/{normalised code}` */
  readonly id: string
  readonly version: number
  readonly projectId: string
  readonly code: string
  readonly until: number
}

/** The hold on a code that a lobby gives up. The lobby is part of its id: another may free the code again before this hold ends. */
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
