import { Caller, longestOf99, type Reply } from '../callers'
import type { HarmFigure, HarmRow } from '../row'
import { HarmWorld } from '../world'

const LASTS_MS = 10_000
const PAUSE_MS = 250
const STRANGERS = 8

interface Side {
  readonly signIns: readonly Reply[]
  readonly guesses: readonly Reply[]
  readonly livezMs: number
}

/**
 * The operator signs in repeatedly from one address, while strangers try wrong passwords of the same account from other
 * addresses.
 */
async function watched(world: HarmWorld, strangers: number): Promise<Side> {
  const operator = new Caller(world, '127.0.0.1')
  const callers = Array.from({ length: strangers }, (_, i) => new Caller(world, `127.0.0.${2 + (i % 4)}`))
  const until = performance.now() + LASTS_MS
  let signIns: Reply[] = []
  let guesses: Reply[] = []
  const { livezMs } = await world.watch(async () => {
    const wrong = { email: world.credentials.email, password: 'not the password' }
    const guessing = callers.map((caller) => caller.repeat(until, 5, () => caller.post('/v1/auth/login', wrong)))
    signIns = await operator.repeat(until, PAUSE_MS, () => operator.signIn())
    guesses = (await Promise.all(guessing)).flat()
  })
  for (const caller of [operator, ...callers]) caller.close()
  return { signIns, guesses, livezMs: livezMs.max }
}

const refused = (replies: readonly Reply[]) =>
  (100 * replies.filter(({ status }) => status !== 200).length) / Math.max(1, replies.length)

export const row: HarmRow = {
  name: 'strange-sign-ins',
  harm: `${STRANGERS} strangers at 4 other addresses try wrong passwords of the operator's account without a pause`,
  async run(): Promise<readonly HarmFigure[]> {
    const world = await HarmWorld.serve()
    try {
      const quiet = await watched(world, 0)
      const attacked = await watched(world, STRANGERS)
      const tried = attacked.guesses.filter(({ status }) => status === 401).length
      return [
        {
          what: "operator's sign-ins refused",
          unit: '%',
          quiet: refused(quiet.signIns),
          attacked: refused(attacked.signIns),
        },
        {
          what: "operator's sign-in, 99th of 100",
          unit: 'ms',
          quiet: longestOf99(quiet.signIns),
          attacked: longestOf99(attacked.signIns),
        },
        { what: '/livez, longest', unit: 'ms', quiet: quiet.livezMs, attacked: attacked.livezMs },
        { what: 'passwords that were tried', unit: '', quiet: 0, attacked: tried },
      ]
    } finally {
      await world.stop()
    }
  },
}
