import { Caller, longestOf99, type Reply } from '../callers'
import type { HarmFigure, HarmRow } from '../row'
import { HarmWorld } from '../world'

const LASTS_MS = 10_000
const PAUSE_MS = 100
const STRANGERS = 8

interface Side {
  readonly signIns: readonly Reply[]
  readonly lobbies: readonly Reply[]
  readonly registered: readonly Reply[]
  readonly livezMs: number
}

async function watched(world: HarmWorld, strangers: number): Promise<Side> {
  const operator = new Caller(world, '127.0.0.1')
  const callers = Array.from({ length: strangers }, () => new Caller(world, '127.0.0.2'))
  const until = performance.now() + LASTS_MS
  const player = { 'api-key': world.credentials.client_key, 'x-player-id': 'ann' }
  let side: Omit<Side, 'livezMs'> | undefined
  const { livezMs } = await world.watch(async () => {
    const registering = callers.map((caller, name) =>
      caller.repeat(until, 0, (count) => {
        const email = `stranger-${name}-${count}@example.com`
        return caller.post('/v1/auth/register', { email, password: 'correct horse', name: 'x' })
      }),
    )
    const [signIns, lobbies] = await Promise.all([
      operator.repeat(until, PAUSE_MS, () => operator.signIn()),
      operator.repeat(until, PAUSE_MS, () => operator.post('/v1/lobbies', { queue_id: 'demo' }, player)),
    ])
    side = { signIns, lobbies, registered: (await Promise.all(registering)).flat() }
  })
  for (const caller of [operator, ...callers]) caller.close()
  if (side === undefined) throw new Error('nothing was watched')
  return { ...side, livezMs: livezMs.max }
}

const made = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 201).length

export const row: HarmRow = {
  name: 'registrations',
  harm: `registration is open, and ${STRANGERS} callers at one address register without a pause`,
  async run(): Promise<readonly HarmFigure[]> {
    const world = await HarmWorld.serve('ignore', { REGISTRATION: 'open' })
    try {
      const quiet = await watched(world, 0)
      const attacked = await watched(world, STRANGERS)
      const refused = (side: Side) => side.signIns.filter(({ status }) => status !== 200).length
      return [
        { what: 'accounts made', unit: '', quiet: made(quiet.registered), attacked: made(attacked.registered) },
        { what: "operator's sign-ins refused", unit: '', quiet: refused(quiet), attacked: refused(attacked) },
        {
          what: "operator's sign-in, 99th of 100",
          unit: 'ms',
          quiet: longestOf99(quiet.signIns),
          attacked: longestOf99(attacked.signIns),
        },
        {
          what: 'making a lobby, 99th of 100',
          unit: 'ms',
          quiet: longestOf99(quiet.lobbies),
          attacked: longestOf99(attacked.lobbies),
        },
        { what: '/livez, longest', unit: 'ms', quiet: quiet.livezMs, attacked: attacked.livezMs },
      ]
    } finally {
      await world.stop()
    }
  },
}
