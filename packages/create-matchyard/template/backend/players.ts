import { randomUUID } from 'node:crypto'

export interface Player {
  readonly id: string
  readonly name: string
}

const NAMES = ['Juno', 'Mika', 'Robin', 'Sora', 'Nova', 'Remy', 'Odin', 'Yuki', 'Zoe', 'Wren', 'Indi', 'Ash']

/**
 * Returns the player of a page. This is the place for your accounts: look the visitor up by your own login, and in production sign them a token
 * with `mintPlayerToken` of `@matchyard/client/admin`, so that nobody can pretend to be another player.
 */
export function playerOf(kept: string): Player {
  try {
    const { id, name } = JSON.parse(kept).player
    if (/^guest_[\w-]{1,64}$/.test(id) && NAMES.includes(name)) return { id, name }
  } catch {}
  return { id: `guest_${randomUUID()}`, name: NAMES[Math.floor(Math.random() * NAMES.length)] ?? 'Juno' }
}
