import { callRaw, requestOf } from '../raw-callers'
import type { HarmFigure, HarmRow } from '../row'
import { HarmWorld } from '../world'

const CALLERS = 8
const BLANKS = 7_000
const FOR_MS = 8_000

/**
 * A header with many blanks, on which a regular expression could spend much time. The header is read before any
 * credential is checked.
 */
export const row: HarmRow = {
  name: 'header-blanks',
  harm: `${CALLERS} callers without a credential send a content-type with ${BLANKS.toLocaleString('en-US')} blanks`,
  async run(): Promise<readonly HarmFigure[]> {
    const world = await HarmWorld.serve()
    const body = '{"email":"nobody@example.com","password":"nobody knows it"}'
    const measured = async (blanks: number) => {
      const type = `application/json;${' '.repeat(blanks)}x`
      const request = requestOf('POST /v1/auth/login', { 'content-type': type }, body)
      let answered = 0
      const { livezMs } = await world.watch(async () => {
        answered = await callRaw({ baseUrl: world.baseUrl, callers: CALLERS, request, reads: true, forMs: FOR_MS })
      })
      return { livez: livezMs.max, answered: (answered * 1_000) / FOR_MS }
    }
    try {
      const quiet = await measured(1)
      const attacked = await measured(BLANKS)
      return [
        { what: 'livez, longest', unit: 'ms', quiet: quiet.livez, attacked: attacked.livez },
        { what: 'answered', unit: '/s', quiet: quiet.answered, attacked: attacked.answered },
      ]
    } finally {
      await world.stop()
    }
  },
}
