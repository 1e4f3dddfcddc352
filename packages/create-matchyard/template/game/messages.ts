/** Where a star is, in hundredths of the field. `n` counts the stars of the round. */
export interface Star {
  readonly n: number
  readonly x: number
  readonly y: number
}

/** Message of a page to the game server. */
export type FromPage =
  | { readonly type: 'join'; readonly token: string; readonly name: string }
  | { readonly type: 'catch'; readonly n: number }

/** How the round stands: all that a page needs to draw it. */
export interface Standing {
  readonly players: readonly { readonly id: string; readonly name: string; readonly points: number }[]
  /** null until everybody is there, and when the round is over. */
  readonly star: Star | null
  /** Winner of the round; null while it continues. */
  readonly winner: string | null
}

/** A message of a page; undefined where it is none, since anybody may send anything. */
export function readMessage(text: string): FromPage | undefined {
  try {
    const { type, token, name, n } = JSON.parse(text)
    if (type === 'join' && typeof token === 'string' && typeof name === 'string') return { type, token, name }
    if (type === 'catch' && typeof n === 'number') return { type, n }
  } catch {}
  return undefined
}
