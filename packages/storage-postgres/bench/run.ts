import { startServer } from '../src/testing/server'
import { benchColdStart } from './cold-start'
import { benchCreation } from './creation'
import { benchSignals } from './signals'

// All benchmarks use one server in one run. The server syncs to disk like a server in production.
const whole = (n: number) => Math.round(n).toLocaleString('en-US')
const server = await startServer(['fsync=on', 'full_page_writes=on', 'shared_buffers=256MB', 'max_wal_size=4GB'])
try {
  console.log('| callers | bare inserts/s | lobbies created/s | ratio |\n|---|---|---|---|')
  for (const { callers, bare, port } of await benchCreation(server.url)) {
    console.log(`| ${callers} | ${whole(bare)} | ${whole(port)} | ${Math.round((100 * port) / bare)} % |`)
  }
  const { single, batched } = await benchSignals(server.url)
  console.log(
    `\nevents/s: ${whole(single)} with a NOTIFY each, ${whole(batched)} batched, ${(batched / single).toFixed(1)} x`,
  )
  for (const { page, seconds } of await benchColdStart(server.url)) {
    console.log(`100,000 waiting tickets, pages of ${whole(page)}: ${seconds.toFixed(2)} s`)
  }
} finally {
  await server.stop()
}
