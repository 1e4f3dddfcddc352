import { startServer } from '../test/support/server'
import { benchCreation } from './creation'

const whole = (n: number) => Math.round(n).toLocaleString('en-US')
const server = await startServer(['fsync=on', 'full_page_writes=on', 'shared_buffers=256MB'])
try {
  console.log('| callers | bare inserts/s | lobbies created/s | ratio |\n|---|---|---|---|')
  for (const { callers, bare, port } of await benchCreation(server.url)) {
    console.log(`| ${callers} | ${whole(bare)} | ${whole(port)} | ${Math.round((100 * port) / bare)} % |`)
  }
} finally {
  await server.stop()
}
