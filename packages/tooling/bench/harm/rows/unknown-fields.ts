import { callRaw, requestOf } from '../raw-callers'
import type { HarmFigure, HarmRow } from '../row'
import { HarmWorld } from '../world'

const CALLERS = 4
const BODY_BYTES = 63 * 1_024
const FOR_MS = 8_000

/** Returns a body full of unknown field names of `length` characters each. */
function unknownFields(length: number): string {
  const names = Array.from({ length: Math.floor(BODY_BYTES / (length + 5)) }, (_, n) =>
    `${n}`.padEnd(length, 'maxplayers'),
  )
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])))
}

/** For each unknown field the service searches the known name that is nearest to it. */
export const row: HarmRow = {
  name: 'unknown-fields',
  harm: `${CALLERS} callers with a client key send bodies of ${BODY_BYTES / 1_024} kB of unknown fields`,
  async run(): Promise<readonly HarmFigure[]> {
    const world = await HarmWorld.serve()
    const measured = async (body: string) => {
      const headers = {
        'content-type': 'application/json',
        'api-key': world.credentials.client_key,
        'x-player-id': 'p1',
      }
      const request = requestOf('POST /v1/lobbies', headers, body)
      let answered = 0
      const { livezMs } = await world.watch(async () => {
        answered = await callRaw({ baseUrl: world.baseUrl, callers: CALLERS, request, reads: true, forMs: FOR_MS })
      })
      return { livez: livezMs.max, answered: (answered * 1_000) / FOR_MS }
    }
    try {
      const quiet = await measured('{"unknown":1}')
      const figures: HarmFigure[] = []
      for (const length of [8, 40, 1_000]) {
        const attacked = await measured(unknownFields(length))
        const names = `names of ${length} characters`
        figures.push({ what: `livez, longest; ${names}`, unit: 'ms', quiet: quiet.livez, attacked: attacked.livez })
        figures.push({ what: `answered; ${names}`, unit: '/s', quiet: quiet.answered, attacked: attacked.answered })
      }
      return figures
    } finally {
      await world.stop()
    }
  },
}
