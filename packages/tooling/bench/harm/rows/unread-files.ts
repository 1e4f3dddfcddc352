import { callRaw, requestOf } from '../raw-callers'
import type { HarmFigure, HarmRow } from '../row'
import { HarmWorld } from '../world'

const CALLERS = 150
const FOR_MS = 8_000
const FILES = ['/openapi.json', '/reference?asset=standalone.js', '/console/']

/**
 * The longest answers that need no credential, in their largest form (not compressed), for callers who read nothing or
 * everything.
 */
export const row: HarmRow = {
  name: 'unread-files',
  harm: `${CALLERS} callers without a credential ask for the service's own files, unpacked`,
  async run(): Promise<readonly HarmFigure[]> {
    const figures: HarmFigure[] = []
    for (const path of FILES) {
      for (const reads of [false, true]) {
        const world = await HarmWorld.serve()
        const measured = (callers: number) =>
          world.watch(() =>
            callRaw({
              baseUrl: world.baseUrl,
              callers,
              request: requestOf(`GET ${path}`, { 'accept-encoding': 'identity' }),
              reads,
              forMs: FOR_MS,
            }),
          )
        try {
          const quiet = await measured(1)
          const attacked = await measured(CALLERS)
          const what = `${path}, ${reads ? 'read' : 'unread'}`
          figures.push(
            { what: `${what}: livez`, unit: 'ms', quiet: quiet.livezMs.max, attacked: attacked.livezMs.max },
            { what: `${what}: memory`, unit: 'MB', quiet: quiet.memoryMb.peak, attacked: attacked.memoryMb.peak },
          )
        } finally {
          await world.stop()
        }
      }
    }
    return figures
  },
}
