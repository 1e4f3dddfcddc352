import { fileURLToPath } from 'node:url'
import { prepare } from './prepare'
import { findMatchyard } from './service'
import { serve } from './web'

/** `npm start`: starts Matchyard, prepares the game and serves the page. */

const PORT = 3000

const matchyard = await findMatchyard(fileURLToPath(new URL('../.matchyard', import.meta.url)))
const queueId = await prepare(matchyard)
const wanted = Number(process.env.PORT ?? PORT)
// Another program may use the default port, so another free port is taken; a port that was asked for must be free.
const web = await serve(matchyard, queueId, wanted).catch((error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE' || process.env.PORT !== undefined) throw error
  return serve(matchyard, queueId, 0)
})
console.log(`\n  Play: ${web.url}  in two windows\n  Matchyard: ${matchyard.baseUrl}\n  Ctrl-C ends it\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await web.close()
    await matchyard.stop()
    process.exit(0)
  })
}
