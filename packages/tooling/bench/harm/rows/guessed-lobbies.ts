import type { HarmRow } from '../row'
import { HarmWorld } from '../world'

const PRIVATE_LOBBIES = 32
/** How many ids are tried after each id that the stranger received. */
const TRIED = 24
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A stranger with the client key creates lobbies among those of others, and tries the ids that follow its own. */
export const row: HarmRow = {
  name: 'guessed-lobbies',
  harm: `${PRIVATE_LOBBIES} private lobbies are made among a stranger's own, which tries the ${TRIED} ids after each of its own`,
  async run() {
    const world = await HarmWorld.serve()
    const client = world.client()
    const make = async (player: string, isPrivate: boolean) => {
      const body = { queue_id: 'demo', is_private: isPrivate }
      return String((await client.call({ method: 'POST', path: '/v1/lobbies', player, body })).body.lobby_id)
    }
    const read = (id: string) => client.call({ method: 'GET', path: `/v1/lobbies/${id}`, player: 'stranger' })
    const join = async (code: unknown) => {
      if (typeof code !== 'string') return false
      const body = { invite_code: code }
      return (await client.call({ method: 'POST', path: '/v1/lobbies/join', player: 'stranger', body })).status === 200
    }
    try {
      const hidden = new Set<string>()
      let found = 0
      let joined = 0
      for (let round = 0; round < PRIVATE_LOBBIES; round++) {
        const [before, theirs, after] = await Promise.all([
          make('stranger', false),
          make(`host-${round}`, true),
          make('stranger', false),
        ])
        hidden.add(theirs)
        const tried = new Set([before, after].flatMap((id) => idsAfter(id)))
        for (const id of tried) {
          const { status, body } = await read(id)
          if (status !== 200 || !hidden.has(id)) continue
          found++
          if (await join(body.invite_code)) joined++
        }
      }
      // A non-member reads a private lobby whose id its host gave away.
      const [known = ''] = hidden
      const shown = (await read(known)).body.invite_code === null ? 0 : 1
      return [
        { what: `private lobbies found, of ${PRIVATE_LOBBIES}`, unit: '', quiet: 0, attacked: found },
        { what: 'private lobbies joined', unit: '', quiet: 0, attacked: joined },
        { what: 'invite code shown to one who is no member', unit: '', quiet: 0, attacked: shown },
      ]
    } finally {
      client.close()
      await world.stop()
    }
  },
}

/** Returns the next ids after one, each larger by one. */
function idsAfter(id: string): string[] {
  const found: string[] = []
  let last = id
  for (let n = 0; n < TRIED; n++) {
    last = oneMore(last)
    found.push(last)
  }
  return found
}

function oneMore(id: string): string {
  const digits = [...id]
  for (let place = digits.length - 1; place > id.indexOf('_'); place--) {
    const value = CROCKFORD.indexOf(digits[place] ?? '')
    digits[place] = CROCKFORD[(value + 1) % CROCKFORD.length] ?? ''
    if (value + 1 < CROCKFORD.length) break
  }
  return digits.join('')
}
