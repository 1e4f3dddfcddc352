/** A star and its place, in hundredths of the field. `n` counts the stars of the round. */
export interface Star {
  readonly n: number
  readonly x: number
  readonly y: number
}

/** Message of a page to the game server. */
export type FromPage =
  | { readonly type: 'join'; readonly token: string; readonly name: string }
  | { readonly type: 'catch'; readonly n: number }

/** State of the round; a page draws it from this alone. */
export interface Standing {
  readonly players: readonly { readonly id: string; readonly name: string; readonly points: number }[]
  /** null until all players are connected, and after the round. */
  readonly star: Star | null
  /** Winner of the round; null while it continues. */
  readonly winner: string | null
}

/** Returns the message of a page; undefined for other text, because anybody may send text. */
export function readMessage(text: string): FromPage | undefined {
  try {
    const { type, token, name, n } = JSON.parse(text)
    if (type === 'join' && typeof token === 'string' && typeof name === 'string') return { type, token, name }
    if (type === 'catch' && typeof n === 'number') return { type, n }
  } catch {}
  return undefined
}
