const NAMES = [
  'Juno',
  'Mika',
  'Robin',
  'Sora',
  'Nova',
  'Kit',
  'Remy',
  'Luz',
  'Odin',
  'Pip',
  'Yuki',
  'Zoe',
  'Ash',
  'Wren',
  'Bo',
  'Indi',
]

/** The player of this window. Two windows of one browser are two players; a reload keeps the player. */
export interface Who {
  readonly id: string
  name: string
}

export function whoIsHere(): Who {
  const kept = sessionStorage.getItem('shardfall:who')
  if (kept !== null) return JSON.parse(kept) as Who
  const id = `p_${crypto.getRandomValues(new Uint32Array(3)).join('')}`
  const who = { id, name: NAMES[Math.floor(Math.random() * NAMES.length)] ?? 'Juno' }
  keep(who)
  return who
}

export function keep(who: Who): void {
  sessionStorage.setItem('shardfall:who', JSON.stringify(who))
}
